/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { CountingSemaphore, LockSpace, Mutex, RwLock } from 'holdfast';
import { figureOf } from '../figures.js';
import { quantile } from '../rounds.js';

/* Event loops hold an object asleep, again and again. Another event loop has jobs and pauses, and requests the object whenever
 * its last request was answered. Each event loop is a worker's, so that all are alike. */

const PERMITS = 4;
const PAUSE_MS = 1;

/** The time to wake and to run a timer, for each event loop that is ahead. */
const TURN_MS = 1.5;
const MOST_TURNS = 3;

/** @typedef {{ what: string, make: (space: LockSpace) => { handle: unknown }, jobMs: number }} Kind */

/** The objects that are held and requested. @type {Record<import('../loop.worker.js').LoopTask['kind'], Kind>} */
const KINDS = {
    mutex: { what: 'the mutex', make: (space) => new Mutex({ space }), jobMs: 4 },
    semaphore: {
        what: `all ${PERMITS} permits`,
        make: (space) => new CountingSemaphore({ space, max: PERMITS }),
        jobMs: 3,
    },
    rwlock: { what: 'to write', make: (space) => new RwLock({ space }), jobMs: 4 },
};

/** @typedef {{ kind: keyof typeof KINDS, others: number, holdMs: number }} Load */

/** @param {Load} load @param {number} seconds @returns {Promise<number[]>} ms */
async function waitsOf({ kind, others, holdMs }, seconds) {
    const { make, jobMs } = KINDS[kind];
    const { handle } = make(new LockSpace());
    /** @param {number} ms */
    const start = (ms) => {
        const permits = ms > 0 ? 1 : PERMITS;
        const workerData = { kind, handle, holdMs: ms, permits, jobMs, pauseMs: PAUSE_MS, seconds };
        return new Worker(new URL('../loop.worker.js', import.meta.url), { workerData });
    };
    const workers = Array.from({ length: others }, () => start(holdMs));
    try {
        await Promise.all(workers.map((worker) => once(worker, 'online')));
        const asking = start(0);
        workers.push(asking);
        const [waits] = await once(asking, 'message');
        return waits;
    } finally {
        await Promise.all(workers.map((worker) => worker.terminate()));
    }
}

/** @type {import('./scenarios.js').Scenario} */
export const loops = {
    name: 'loops',
    title: `what an event loop waits for among others, with jobs of 3 or 4 ms and pauses of ${PAUSE_MS} ms`,
    async run({ full, rounds, seconds }) {
        /** @type {Load[]} */
        const loads = (full ? [3, 4, 5, 6] : [3, 6]).flatMap((others) => [
            ...(full ? [1, 2, 3] : [1]).map((holdMs) => ({
                kind: /** @type {const} */ ('mutex'),
                others,
                holdMs,
            })),
            { kind: 'semaphore', others, holdMs: 1 },
            { kind: 'rwlock', others, holdMs: 1 },
        ]);
        const figures = [];
        for (const load of loads) {
            const { kind, others, holdMs } = load;
            const percentiles = [];
            for (let round = 0; round < rounds; round += 1) {
                percentiles.push(quantile(await waitsOf(load, seconds), 0.99));
            }
            const { what, jobMs } = KINDS[kind];
            const title = `${what}, beside ${others} that hold it for ${holdMs} ms: wait, 99th percentile`;
            const most = MOST_TURNS * ((others + 1) * (holdMs + TURN_MS) + jobMs);
            figures.push(figureOf(title, 'ms', percentiles, undefined, { of: 'value', most }));
        }
        return { figures };
    },
};
