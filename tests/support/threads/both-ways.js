/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { parentPort, workerData } from 'node:worker_threads';
import { Mutex } from '../../../js-glue/index.js';
import { reach } from '../board.js';

/* Blocks for a lock for which its own event loop already waits. */

const { handle, board, ready, rounds } = workerData;
const mutex = Mutex.from(handle);
reach(board, ready);
let asyncSections = 0;
let blockingSections = 0;
let whileBlocked = 0;
for (let round = 0; round < rounds; round += 1) {
    let blocked = false;
    const request = mutex.execAsync(() => {
        asyncSections += 1;
        whileBlocked += blocked ? 1 : 0;
    });
    if (round % 2 === 0) {
        await new Promise((resolve) => setImmediate(resolve));
    }
    blocked = true;
    mutex.lock();
    blockingSections += 1;
    mutex.unlock();
    blocked = false;
    await request;
}
parentPort?.postMessage({ asyncSections, blockingSections, whileBlocked });
