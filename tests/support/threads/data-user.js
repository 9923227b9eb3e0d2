/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { parentPort, workerData } from 'node:worker_threads';
import { LockSpace } from '../../../js-glue/index.js';
import { blockUntilReached, reach } from '../board.js';

/* Asks for named data at the same time as other threads, and adds 1 to each of their elements. */

const { handle, board, ready, go, names, length } = workerData;
const space = LockSpace.from(handle);
reach(board, ready);
blockUntilReached(board, go);
const places = names.map((/** @type {string} */ name) => {
    const data = space.named(name, BigInt64Array, length);
    data.forEach((_, at) => Atomics.add(data, at, 1n));
    return data.byteOffset;
});
parentPort?.postMessage(places);
