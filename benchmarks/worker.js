/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { parentPort } from 'node:worker_threads';
import { CONTROL, controlOf } from './arena.js';
import { contestantOf } from './contestants.js';
import { jobs } from './jobs/jobs.js';

/* A worker of a run: reports that it is ready, waits for the start, does its job, and posts the result. Its starter terminates it
 * (crew.js). */

const port = /** @type {any} */ (parentPort ?? self);

port.onmessage = async (/** @type {{ data: import('./crew.js').Task }} */ { data: task }) => {
    try {
        const contestant = await contestantOf(task.options.contestant); // loaded before the run
        port.postMessage({});
        Atomics.wait(controlOf(task.arena), CONTROL.GO, 0);
        const perform = /** @type {(task: any, contestant: any) => unknown} */ (jobs[task.job]);
        port.postMessage({ result: await perform(task, contestant) });
    } catch (error) {
        // The posted copy of an error loses its name.
        const { name, message } = /** @type {Error} */ (error);
        port.postMessage({ error: { name, message } });
    }
};
