/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { workerData } from 'node:worker_threads';
import { RwLock } from '../../../js-glue/index.js';

/* Reads the counter as an upgradable reader, then writes that value plus 1. The counter is not atomic. */

const { handle, counter, rounds } = workerData;
const lock = RwLock.from(handle);
for (let round = 0; round < rounds; round += 1) {
    lock.lockUpgradable();
    const read = counter[0];
    lock.upgrade();
    counter[0] = read + 1;
    lock.unlock();
}
