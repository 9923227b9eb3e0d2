/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { workerData } from 'node:worker_threads';
import { Condition, Mutex } from '../../../js-glue/index.js';
import { reach } from '../board.js';

/* Waits for the condition once, in the given way: stage `waiting` when no other thread can get the mutex before the wait begins,
 * then stage `got`. A busy thread stays busy until stage `waiting` is 0 again, since Deno cannot terminate it. */

const handles = workerData;
const mutex = Mutex.from(handles.mutex);
const condition = Condition.from(handles.condition);
const { board, waiting, got, way } = workerData;
if (way === 'blocked') {
    mutex.lock();
    reach(board, waiting);
    condition.wait(mutex);
    mutex.unlock();
    reach(board, got);
} else {
    await mutex.execAsync(async () => {
        const wait = condition.waitAsync(mutex);
        reach(board, waiting);
        if (way === 'busy') {
            while (Atomics.load(board, waiting) > 0) {
                // Busy, so its event loop has no turn.
            }
        }
        await wait;
    });
    reach(board, got);
}
