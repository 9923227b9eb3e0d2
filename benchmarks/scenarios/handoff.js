/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { makeArena } from '../arena.js';
import { perform } from '../crew.js';
import { atMost, compare, itself } from '../figures.js';
import { median, runInTurns } from '../rounds.js';

/* The time from just before unlock() to after lock(), or to the callback of a thread that waits through its event loop. It is
 * mostly the system's time to wake a thread: the textbook lock is one wait and one notify. */

/** The times for which the waiter waits: asleep before it is the heir, and asleep as the heir. Short runs use
 * only the first. */
const HOLDS_MS = [0.3, 3];

/** The total time for which the lock is held for each contestant; less in short runs. */
const MOST_SECONDS = 0.3;
const PART_OF_A_RUN = 1 / 2;

const WAITERS = [
    { waiter: 'a worker', awaits: false, bound: atMost(1.3) },
    // Includes some extra microseconds, since code that runs only a few hundred times is not compiled.
    { waiter: 'an event loop', awaits: true },
];

const JOBS = /** @type {const} */ (['giveLock', 'takeLock']);

/** @type {import('../scenarios.js').Scenario} */
export const handoff = {
    name: 'handoff',
    title: 'how long a worker or an event loop that waits takes to get a lock that a worker releases',
    async run({ full, rounds, seconds }) {
        const heldMs = Math.min(seconds * PART_OF_A_RUN, MOST_SECONDS) * 1000;
        const figures = [];
        for (const { waiter, awaits, bound } of WAITERS) {
            for (const holdMs of HOLDS_MS.slice(0, full ? 2 : 1)) {
                const times = Math.ceil(heldMs / holdMs);
                const contestants = [{ title: 'holdfast' }, { title: 'textbook' }];
                const results = await runInTurns(rounds, contestants, async ({ title: contestant }) => {
                    const arena = makeArena(2);
                    const options = { contestant, times, holdMs, awaits };
                    const tasks = JOBS.map((job, thread) => ({ job, arena, thread, options }));
                    const what = `handoff of ${contestant}`;
                    const [, microseconds] = await perform(what, (times * holdMs) / 1000, tasks);
                    return median(microseconds ?? []);
                });
                const what = `${waiter}, asleep for ${holdMs} ms`;
                figures.push(...compare(what, 'µs', itself, results, bound));
            }
        }
        return figures;
    },
};
