/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { workerData } from 'node:worker_threads';
import { Mutex } from '../../../js-glue/index.js';
import { blockUntilReached, reach } from '../board.js';

/* In each round asks for the lock through its event loop, then lets its reservation lie for a while. */

/** Longer than a reservation for a thread that looks by timer, which is the longest. */
const SLEEP_MS = 15;

const { handle, board, rounds } = workerData;
const mutex = Mutex.from(handle);
const nothing = new Int32Array(new SharedArrayBuffer(4));
for (let round = 0; round < rounds; round += 1) {
    const [locked, waits, served] = [3 * round, 3 * round + 1, 3 * round + 2];
    blockUntilReached(board, locked);
    const request = mutex.executeLocked(() => {});
    await Promise.resolve();
    await Promise.resolve(); // the job has ended: it has its place now
    reach(board, waits);
    Atomics.wait(nothing, 0, 0, SLEEP_MS);
    await request;
    reach(board, served);
}
