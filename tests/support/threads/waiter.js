/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { workerData } from 'node:worker_threads';
import { Mutex } from '../../../js-glue/index.js';
import { reach } from '../board.js';
import { waitWithoutLimit } from '../endless.js';

/* Waits for the lock once, in the given way: stage `waiting`, then stage `got` after the release. */

const { handle, board, waiting, got, way } = workerData;
waitWithoutLimit();
const mutex = Mutex.from(handle);
if (way === 'lock') {
    reach(board, waiting);
    mutex.lock();
    mutex.unlock();
} else {
    const request = mutex.execAsync(() => {});
    setImmediate(() => reach(board, waiting));
    await request;
}
reach(board, got);
