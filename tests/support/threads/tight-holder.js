/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Holds something for a while, asleep, again and again without a pause, and counts how many sections of others begin while
 * it waits. Tells the most of those when enough sections have been. */
import { parentPort, workerData } from 'node:worker_threads';
import { CountingSemaphore, Mutex } from '../../../js-glue/index.js';

const HOLD_MS = 2;

const own = new Int32Array(new SharedArrayBuffer(4));
/** @type {{ handle: any, permits: number, sections: Int32Array, enough: number }} */
const { handle, permits, sections, enough } = workerData;
const semaphore = permits > 0 ? CountingSemaphore.from(handle) : undefined;
const mutex = semaphore ? undefined : Mutex.from(handle);

let most = 0;
while (Atomics.load(sections, 0) < enough) {
    const before = Atomics.load(sections, 0);
    semaphore?.enter(permits);
    mutex?.lock();
    most = Math.max(most, Atomics.add(sections, 0, 1) - before);
    Atomics.wait(own, 0, 0, HOLD_MS);
    semaphore?.leave(permits);
    mutex?.unlock();
}
parentPort?.postMessage(most);
