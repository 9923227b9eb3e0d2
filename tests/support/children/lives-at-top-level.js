/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { Worker } from 'node:worker_threads';
import { Mutex } from '../../../js-glue/index.js';
import { makeBoard, reach, reached } from '../board.js';

/* The same, awaited at the top level, where Node ends with code 13 when nothing keeps it alive. */

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

setTimeout(() => reach(board, release), 200).unref();
await mutex.executeLocked(() => console.log('ran'));
const guard = await mutex.lockAsync();
guard.release();
console.log('released');
