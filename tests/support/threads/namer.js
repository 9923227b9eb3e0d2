/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { parentPort, workerData } from 'node:worker_threads';
import { debug } from '../../../js-glue/debug.js';
import { LockSpace, Mutex } from '../../../js-glue/index.js';
import { blockUntilReached, reach } from '../board.js';

/* Makes or finds the named mutexes at the same time as other threads, posts their addresses, and blocks for the lock named
 * `blocksFor`. */

const { handle, board, ready, go, names, holds, blocksFor } = workerData;
debug();
const space = LockSpace.from(handle);
reach(board, ready);
blockUntilReached(board, go);
/** @param {string} name */
const mutexOf = (name) => Mutex.named(space, name);
const places = names.map((/** @type {string} */ name) => mutexOf(name).byteOffset);
if (holds) {
    mutexOf(holds).lock();
}
parentPort?.postMessage(places);
if (blocksFor) {
    mutexOf(blocksFor).lock();
}
