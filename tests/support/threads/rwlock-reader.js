/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { parentPort, workerData } from 'node:worker_threads';
import { RwLock } from '../../../js-glue/index.js';

/* Tries to take the lock shared, and posts whether it did; then takes it, and posts that. */

const lock = RwLock.from(workerData);
const taken = lock.tryLockShared();
if (taken) {
    lock.unlockShared();
}
parentPort?.postMessage(taken);
lock.lockShared();
lock.unlockShared();
parentPort?.postMessage(true);
