/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { makeArena } from '../arena.js';
import { checkCounters } from '../counters.js';
import { gather } from '../crew.js';
import { interleave, median, medianRatio, quantile } from '../rounds.js';
import { watched } from '../watchdog.js';

/* How long the waiter is made to wait: asleep, but still patient, and asleep as the successor. */
const HOLDS = [
    { holdMs: 0.3, waiter: 'asleep for 0.3 ms' },
    { holdMs: 3, waiter: 'asleep for 3 ms' },
];

const WAYS = /** @type {const} */ ({
    lock: ['giveLock', 'takeLock'],
    word: ['giveWord', 'takeWord'],
});

/**
 * @param {keyof typeof WAYS} way
 * @param {{ times: number, holdMs: number }} options
 * @returns {Promise<number[]>} µs, each
 */
async function measure(way, options) {
    const arena = makeArena(2);
    const seconds = (options.times * options.holdMs) / 1000;
    return watched(`handoff by ${way}`, arena, seconds, async () => {
        const crew = await gather(WAYS[way].map((job, thread) => ({ job, arena, thread, options })));
        crew.go();
        const [, microseconds] = await crew.ended;
        checkCounters(arena);
        return microseconds ?? [];
    });
}

/** @type {import('./scenarios.js').Scenario} */
export const handoff = {
    name: 'handoff',
    title: 'how long a worker that waits takes to get a lock that another one releases',
    async run({ rounds, seconds }) {
        const figures = [];
        for (const { holdMs, waiter } of HOLDS) {
            const times = Math.ceil((Math.min(seconds, 0.3) * 1000) / holdMs);
            const { lock, word } = await interleave(rounds, {
                lock: () => measure('lock', { times, holdMs }),
                word: () => measure('word', { times, holdMs }),
            });
            for (const { name, fraction } of [
                { name: 'median', fraction: 0.5 },
                { name: '90th percentile', fraction: 0.9 },
            ]) {
                const ours = lock.map((microseconds) => quantile(microseconds, fraction));
                const bare = word.map((microseconds) => quantile(microseconds, fraction));
                figures.push({
                    what: `${waiter}, ${name}`,
                    unit: 'µs',
                    value: median(ours),
                    beside: { name: 'bare wait and notify', value: median(bare) },
                    ratio: medianRatio(ours, bare),
                });
            }
        }
        return figures;
    },
};
