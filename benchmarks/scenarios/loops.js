/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { CountingSemaphore, LockSpace, Mutex, RwLock } from 'holdfast';
import { figureOf } from '../figures.js';
import { quantile } from '../rounds.js';

/* Every event loop is a worker's, so that all are alike. */

/** @typedef {import('../loop.worker.js').LoopTask} LoopTask */

const PERMITS = 4;
const PAUSE_MS = 1;

/** To wake, and to run a timer, for each that is before it. */
const TURN_MS = 1.5;
const MOST_TURNS = 3;

/** @type {Record<LoopTask['kind'], (space: LockSpace) => { handle: any }>} */
const MAKE = {
    mutex: (space) => new Mutex({ space }),
    semaphore: (space) => new CountingSemaphore({ space, max: PERMITS }),
    rwlock: (space) => new RwLock({ space }),
};

/** @type {Record<LoopTask['kind'], string>} */
const WANTS = { mutex: 'the mutex', semaphore: `all ${PERMITS} permits`, rwlock: 'to write' };

/**
 * @typedef {object} Load
 * @property {LoopTask['kind']} kind
 * @property {number} others
 * @property {number} holdMs
 * @property {number} jobMs
 */

/**
 * @param {Load} load
 * @param {number} seconds
 * @returns {Promise<number[]>} ms
 */
async function waitsOf({ kind, others, holdMs, jobMs }, seconds) {
    const { handle } = MAKE[kind](new LockSpace());
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

/**
 * @param {Load} load
 * @param {import('./scenarios.js').Options} options
 */
async function measure(load, { rounds, seconds }) {
    const { kind, others, holdMs, jobMs } = load;
    const percentiles = [];
    for (let round = 0; round < rounds; round += 1) {
        percentiles.push(quantile(await waitsOf(load, seconds), 0.99));
    }
    const most = MOST_TURNS * ((others + 1) * (holdMs + TURN_MS) + jobMs);
    return figureOf(
        `${WANTS[kind]}, beside ${others} that hold it for ${holdMs} ms: wait, 99th percentile`,
        'ms',
        percentiles,
        undefined,
        { of: 'value', most },
    );
}

/** @type {import('./scenarios.js').Scenario} */
export const loops = {
    name: 'loops',
    title: `what an event loop waits for among others, with jobs of 3 or 4 ms and pauses of ${PAUSE_MS} ms`,
    async run(options) {
        const [sizes, holds] = options.full
            ? [
                  [3, 4, 5, 6],
                  [1, 2, 3],
              ]
            : [[3, 6], [1]];
        const figures = [];
        for (const others of sizes) {
            for (const holdMs of holds) {
                figures.push(await measure({ kind: 'mutex', others, holdMs, jobMs: 4 }, options));
            }
            figures.push(await measure({ kind: 'semaphore', others, holdMs: 1, jobMs: 3 }, options));
            figures.push(await measure({ kind: 'rwlock', others, holdMs: 1, jobMs: 4 }, options));
        }
        return { figures };
    },
};
