/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { isMainThread, Worker, workerData } from 'node:worker_threads';
import { debug } from '../../../js-glue/debug.js';
import { LockSpace, Mutex } from '../../../js-glue/index.js';
import { blockUntilReached, makeBoard, reach, reached } from '../board.js';

/* The main thread and a worker wait for each other for ever. The worker closes the deadlock cycle, after it has written to a
 * console that needs the main thread. */

const HELD = 0;
const CLOSE = 1;
const LATER_MS = 500;

debug();

if (isMainThread) {
    const space = new LockSpace();
    const board = makeBoard(2);
    const orders = Mutex.named(space, 'orders');
    new Worker(new URL(import.meta.url), { workerData: { handle: space.handle, board } });
    orders.lock();
    await reached(board, HELD);
    reach(board, CLOSE);
    Mutex.named(space, 'stock').lock();
} else {
    const { handle, board } = workerData;
    const space = LockSpace.from(handle);
    Mutex.named(space, 'stock').lock();
    reach(board, HELD);
    blockUntilReached(board, CLOSE);
    console.warn('the worker is about to block');
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LATER_MS);
    Mutex.named(space, 'orders').lock();
}
