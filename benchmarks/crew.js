/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { letGo } from './arena.js';

/* The worker threads of a run. They are new in every run, so that no contestant runs with what another has
 * left in the compiler's statistics. */

/** @typedef {import('./jobs/jobs.js').Job} Job */

/**
 * The task of a worker.
 *
 * @template {Job} [J=Job]
 * @typedef {object} Task
 * @property {J} job
 * @property {import('./arena.js').Arena} arena
 * @property {number} thread its number among those that count
 * @property {import('./jobs/jobs.js').OptionsOf<J>} options
 */

/**
 * Starts a worker a task, and waits until all are about to begin.
 *
 * @template {Job} J
 * @param {Task<J>[]} tasks in one arena
 */
export async function gather(tasks) {
    const workers = tasks.map(
        (task) => new Worker(new URL('./worker.js', import.meta.url), { workerData: task }),
    );
    const failed = Promise.all(workers.map((worker) => once(worker, 'exit'))).then(() => {
        throw new Error('A worker ended without a result.');
    });
    failed.catch(() => {});
    await Promise.all(workers.map((worker) => Promise.race([once(worker, 'message'), failed])));
    // They are terminated, since what still waits in them, or a rival's own threads, would keep them alive.
    const ended = Promise.all(
        workers.map(async (worker) => {
            const [result] = await Promise.race([once(worker, 'message'), failed]);
            return result;
        }),
    ).finally(() => Promise.all(workers.map((worker) => worker.terminate())));
    ended.catch(() => {}); // whoever awaits it sees the error; a run that ends by another error does not
    return {
        go() {
            tasks.forEach(({ arena }) => letGo(arena));
        },
        /** @type {Promise<import('./jobs/jobs.js').ResultOf<J>[]>} */
        ended,
        /** Ends them as they are: they hang. */
        abandon: () => Promise.all(workers.map((worker) => worker.terminate())),
    };
}
