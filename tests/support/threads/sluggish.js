/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { workerData } from 'node:worker_threads';
import { Mutex } from '../../../js-glue/index.js';
import { blockUntilReached, reach } from '../board.js';
import { jobEnds } from '../event-loop.js';
import { restOf } from '../words.js';

/* In each round requests the lock through its event loop, then leaves its reservation unused until it is told to go on. */

const { handle, board, rounds } = workerData;
const mutex = Mutex.from(handle);
for (let round = 0; round < rounds; round += 1) {
    const [locked = 0, waits = 0, tried = 0, served = 0] = [0, 1, 2, 3].map((stage) => 4 * round + stage);
    blockUntilReached(board, locked);
    const held = restOf(mutex).join();
    const request = mutex.execAsync(() => {});
    // After a burst of grants, the request's first step comes in a later task.
    while (restOf(mutex).join() === held) {
        await jobEnds();
    }
    reach(board, waits);
    blockUntilReached(board, tried);
    await request;
    reach(board, served);
}
