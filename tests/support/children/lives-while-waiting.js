/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { Worker } from 'node:worker_threads';
import { Mutex } from '../../../js-glue/index.js';
import { makeBoard, reach, reached } from '../board.js';

/* Nothing is pending but a request for a lock that a worker holds, and the worker keeps no process alive. */

const [held, release, released] = [0, 1, 2];
const board = makeBoard(3);
const mutex = new Mutex();
const worker = new Worker(new URL('../threads/holder.js', import.meta.url), {
    workerData: { handle: mutex.handle, board, held, release, released },
});
const alive = setInterval(() => {}, 1000);
await reached(board, held);
clearInterval(alive);
worker.unref();

void mutex.executeLocked(() => console.log('ran'));
setTimeout(() => reach(board, release), 200).unref();
