/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { Worker } from 'node:worker_threads';
import { Mutex } from '../../js-glue/index.js';
import { makeBoard, reach, reached } from './board.js';

/** How long the worker holds the lock, so that a request has to wait. */
const HELD_MS = 200;

/** A mutex that a worker holds for a while. The worker does not keep the process alive. */
export async function heldByWorker() {
    const [held, release, released] = [0, 1, 2];
    const board = makeBoard(3);
    const mutex = new Mutex();
    const worker = new Worker(new URL('threads/holder.js', import.meta.url), {
        workerData: { handle: mutex.handle, board, held, release, released },
    });
    const alive = setInterval(() => {}, 1000);
    await reached(board, held);
    clearInterval(alive);
    worker.unref();
    setTimeout(() => reach(board, release), HELD_MS).unref();
    return mutex;
}
