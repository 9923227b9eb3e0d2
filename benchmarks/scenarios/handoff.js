/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { makeArena } from '../arena.js';
import { checkCounters } from '../counters.js';
import { gather } from '../crew.js';
import { atMost, figureOf } from '../figures.js';
import { interleave, median } from '../rounds.js';
import { watched } from '../watchdog.js';

/* The time from just before unlock() to after lock(), or to the callback of a thread that waits through its event loop. It is
 * mostly the system's time to wake a thread: the textbook lock is one wait and one notify. */

/** The times for which the waiter waits: asleep before it is the heir, and asleep as the heir. Short runs use
 * only the first. */
const HOLDS_MS = [0.3, 3];

/** The total time for which the lock is held for each contestant; less in short runs. */
const MOST_SECONDS = 0.3;
const PART_OF_A_RUN = 1 / 2;

const WAITERS = [
    { title: 'a worker', awaits: false, bound: atMost(1.3) },
    // Includes some extra microseconds, since code that runs only a few hundred times is not compiled.
    { title: 'an event loop', awaits: true },
];

const JOBS = /** @type {const} */ (['giveLock', 'takeLock']);

/** @param {import('../jobs/handoff.js').Task['options']} options @returns {Promise<number>} µs, the median */
async function measure(options) {
    const arena = makeArena(2);
    const seconds = (options.times * options.holdMs) / 1000;
    return watched(`handoff of ${options.contestant}`, arena, seconds, async () => {
        const crew = await gather(JOBS.map((job, thread) => ({ job, arena, thread, options })));
        crew.go();
        const [, microseconds] = await crew.ended;
        checkCounters(arena);
        return median(microseconds ?? []);
    });
}

/** @type {import('./scenarios.js').Scenario} */
export const handoff = {
    name: 'handoff',
    title: 'how long a worker or an event loop that waits takes to get a lock that a worker releases',
    async run({ full, rounds, seconds }) {
        const heldMs = Math.min(seconds * PART_OF_A_RUN, MOST_SECONDS) * 1000;
        const figures = [];
        for (const { title, awaits, bound } of WAITERS) {
            for (const holdMs of HOLDS_MS.slice(0, full ? 2 : 1)) {
                const options = { times: Math.ceil(heldMs / holdMs), holdMs, awaits };
                const { holdfast, textbook } = await interleave(rounds, {
                    holdfast: () => measure({ ...options, contestant: 'holdfast' }),
                    textbook: () => measure({ ...options, contestant: 'textbook' }),
                });
                const beside = { name: 'textbook', rounds: textbook };
                figures.push(figureOf(`${title}, asleep for ${holdMs} ms`, 'µs', holdfast, beside, bound));
            }
        }
        return { figures };
    },
};
