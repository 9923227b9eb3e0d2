/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { workerData } from 'node:worker_threads';
import { Condition, Mutex } from '../../../js-glue/index.js';
import { reach } from '../board.js';

/* Waits for the condition once, in the way it is told: stage `waiting` when nobody else can have the mutex before it
 * waits, then stage `got`. One that is busy does not hear of anything, until stage
 * `waiting` is 0 again: in Deno nobody else can end it. */

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
    await mutex.executeLocked(async () => {
        const wait = condition.waitAsync(mutex);
        reach(board, waiting);
        if (way === 'busy') {
            while (Atomics.load(board, waiting) > 0) {
                // Too busy to be told.
            }
        }
        await wait;
    });
    reach(board, got);
}
