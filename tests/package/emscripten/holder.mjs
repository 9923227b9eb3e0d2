/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { parentPort, workerData } from 'node:worker_threads';
import { LockSpace, Mutex } from '../../../js-glue/index.js';

/* Holds a mutex of a program, and lives until it is terminated. */

const { space, byteOffset } = workerData;
const { memory } = LockSpace.from(space);
Mutex.at(memory, byteOffset).lock();
parentPort?.postMessage('held');
setInterval(() => {}, 1000);
