/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { workerData } from 'node:worker_threads';
import { Mutex } from '../../../js-glue/index.js';
import { reach } from '../board.js';

/* Waits for the lock, and is terminated while it waits or is busy: busy at once, or after it had the lock by a blocking call. A
 * busy thread ends by itself when stage `waiting` is 0 again, since Deno cannot terminate it. */

const { handle, board, waiting, way } = workerData;
const mutex = Mutex.from(handle);
if (way === 'blocked') {
    reach(board, waiting);
    mutex.lock();
} else {
    void mutex.execAsync(() => new Promise(() => {}));
    setImmediate(() => {
        reach(board, waiting);
        if (way === 'busy after a blocking lock()') {
            mutex.lock();
            mutex.unlock();
        }
        while (way !== 'idle' && Atomics.load(board, waiting) > 0) {
            // Too busy to take its turn.
        }
    });
}
