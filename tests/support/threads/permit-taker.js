/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { workerData } from 'node:worker_threads';
import { CountingSemaphore } from '../../../js-glue/index.js';
import { blockUntilReached, reach } from '../board.js';
import { waitWithoutLimit } from '../endless.js';

/* Takes a permit of a semaphore, and then many permits of a later semaphore at its address, in the given way. */

const { handle, board, way, permits, asks, got, next, asksMany, gotMany } = workerData;
waitWithoutLimit();
const semaphore = CountingSemaphore.from(handle);

/** @param {number} stage @param {number} count */
async function enter(stage, count) {
    if (way === 'blocking') {
        reach(board, stage);
        semaphore.enter({ permits: count });
    } else {
        const request = semaphore.enterAsync({ permits: count });
        setImmediate(() => reach(board, stage));
        await request;
    }
}

await enter(asks, 1);
reach(board, got);
blockUntilReached(board, next);
await enter(asksMany, permits);
reach(board, gotMany);
