/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { CountingSemaphore } from 'holdfast';
import { makeArena } from '../arena.js';
import { perform } from '../crew.js';
import { compare, itself, valueAtMost } from '../figures.js';
import { P99 } from '../frames/loop-waits.js';
import { quantile, runInTurns } from '../rounds.js';

/* Event loops hold an object asleep, again and again. Another event loop has jobs and pauses, and requests the object whenever
 * its last request was answered. Each event loop is a worker's, so that all are alike. */

const PERMITS = 4;
const PAUSE_MS = 1;

/** The time to wake and to run a timer, for each event loop that is ahead. */
const TURN_MS = 1.5;
const MOST_TURNS = 3;

/** The objects that are held and requested; `how`: the options of both. */
const KINDS = {
    mutex: { what: 'the mutex', contestant: 'holdfast', jobMs: 4, holds: {}, asks: {} },
    semaphore: {
        ...{ what: `all ${PERMITS} permits`, contestant: 'semaphore', jobMs: 3 },
        ...{ holds: {}, asks: { permits: PERMITS } },
    },
    rwlock: {
        ...{ what: 'to write', contestant: 'rwLock', jobMs: 4 },
        ...{ holds: { mode: 'shared' }, asks: { mode: 'exclusive' } },
    },
};

/** @typedef {{ kind: keyof typeof KINDS, others: number, holdMs: number }} Load */

/** @param {Load} load @param {number} seconds @returns {Promise<number>} ms, the 99th percentile */
async function measure({ kind, others, holdMs }, seconds) {
    const { contestant, jobMs, holds, asks } = KINDS[kind];
    const arena = makeArena(others + 1);
    if (kind === 'semaphore') {
        CountingSemaphore.at(arena.memory, arena.lock, { max: PERMITS });
    }
    const options = { contestant, holdMs, jobMs, pauseMs: PAUSE_MS, seconds };
    const tasks = Array.from({ length: others + 1 }, (_, thread) => ({
        job: thread < others ? /** @type {const} */ ('holdAsleep') : /** @type {const} */ ('awaitAmong'),
        ...{ arena, thread },
        options: { ...options, how: thread < others ? holds : asks },
    }));
    const waits = (await perform(`loops of ${kind}`, seconds, tasks)).at(-1);
    return quantile(waits ?? [], 0.99);
}

/** @type {import('../scenarios.js').Scenario} */
export const loops = {
    name: 'loops',
    title: `what an event loop waits for among others, with jobs of 3 or 4 ms and pauses of ${PAUSE_MS} ms`,
    async run({ full, rounds, seconds }) {
        /** @type {Load[]} */
        const loads = (full ? [3, 4, 5, 6] : [3, 6]).flatMap((others) => [
            ...(full ? [1, 2, 3] : [1]).map((holdMs) => ({
                ...{ kind: /** @type {const} */ ('mutex'), others, holdMs },
            })),
            { kind: 'semaphore', others, holdMs: 1 },
            { kind: 'rwlock', others, holdMs: 1 },
        ]);
        const figures = [];
        for (const load of loads) {
            const { kind, others, holdMs } = load;
            const { what, jobMs } = KINDS[kind];
            const results = await runInTurns(rounds, [{ title: kind }], () => measure(load, seconds));
            const title = `${what}, beside ${others} that hold it for ${holdMs} ms: ${P99}`;
            const most = MOST_TURNS * ((others + 1) * (holdMs + TURN_MS) + jobMs);
            figures.push(...compare(title, 'ms', itself, results, valueAtMost(most)));
        }
        return figures;
    },
};
