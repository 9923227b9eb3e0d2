/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { workerData } from 'node:worker_threads';
import { Once } from '../../../js-glue/index.js';
import { blockUntilReached, reach, reached } from '../board.js';

/* Runs the once in the given way: stage `begun`, until stage `end`, then `done`. */

const { handle, board, begun, end, done, way } = workerData;
const once = Once.from(handle);
if (way === 'run') {
    once.run(() => {
        reach(board, begun);
        blockUntilReached(board, end);
    });
} else {
    const alive = setInterval(() => {}, 1000);
    await once.runAsync(() => {
        reach(board, begun);
        return reached(board, end);
    });
    clearInterval(alive);
}
reach(board, done);
