/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { makeArena } from '../arena.js';
import { checkCounters } from '../counters.js';
import { gather } from '../crew.js';
import { figureOf } from '../figures.js';
import { interleave, median } from '../rounds.js';
import { watched } from '../watchdog.js';

/* How long the waiter is made to wait: asleep, but still patient, and asleep as the successor. */
const HOLDS = [
    { holdMs: 0.3, waiter: 'asleep for 0.3 ms' },
    { holdMs: 3, waiter: 'asleep for 3 ms' },
];

const MOST_SECONDS = 0.3;

/** @type {import('../figures.js').Bound} */
const MOST = { of: 'ratio', most: 1.3 };

/**
 * @param {'giveLock' | 'giveWord'} give
 * @param {'takeLock' | 'takeWord'} take
 * @param {import('../jobs/handoff.js').LockOptions} options
 * @returns {Promise<number>} µs, the median
 */
async function measure(give, take, options) {
    const arena = makeArena(2);
    const seconds = (options.times * options.holdMs) / 1000;
    return watched(`${give} of ${options.contestant}`, arena, seconds, async () => {
        const crew = await gather([give, take].map((job, thread) => ({ job, arena, thread, options })));
        crew.go();
        const [, microseconds] = await crew.ended;
        checkCounters(arena);
        return median(microseconds ?? []);
    });
}

/** @type {import('./scenarios.js').Scenario} */
export const handoff = {
    name: 'handoff',
    title: 'how long a worker that waits takes to get a lock that another one releases',
    async run({ rounds, seconds }) {
        const figures = [];
        for (const { holdMs, waiter } of HOLDS) {
            const options = { times: Math.ceil((Math.min(seconds, MOST_SECONDS) * 1000) / holdMs), holdMs };
            const { holdfast, textbook, bare } = await interleave(rounds, {
                holdfast: () => measure('giveLock', 'takeLock', { ...options, contestant: 'holdfast' }),
                textbook: () => measure('giveLock', 'takeLock', { ...options, contestant: 'textbook' }),
                bare: () => measure('giveWord', 'takeWord', { ...options, contestant: 'holdfast' }),
            });
            figures.push(
                figureOf(waiter, 'µs', holdfast, { name: 'bare wait and notify', rounds: bare }, MOST),
                figureOf(waiter, 'µs', holdfast, { name: 'textbook', rounds: textbook }),
            );
        }
        return { figures };
    },
};
