/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { parentPort, workerData } from 'node:worker_threads';
import { CONTROL, controlOf } from './arena.js';
import { jobs } from './jobs/jobs.js';

/* A worker of a run: it says that it is ready, waits for the start, does its job, and posts the result. */

/** @type {import('./crew.js').Task} */
const task = workerData;
const perform = /** @type {(task: any) => unknown} */ (jobs[task.job]);

parentPort?.postMessage('ready');
Atomics.wait(controlOf(task.arena), CONTROL.GO, 0);
// A wait by waitAsync alone does not keep a thread alive. The thread that has started this one terminates it (crew.js).
setInterval(() => {}, 1000);
parentPort?.postMessage(await perform(task));
