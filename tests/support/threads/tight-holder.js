/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Acquires an object in a loop, and sleeps while it holds it. Counts the sections of other threads that begin
 * during each of its waits. Posts the largest count after enough sections. An event loop always has two
 * requests. */
import { parentPort, workerData } from 'node:worker_threads';
import { CountingSemaphore, Mutex } from '../../../js-glue/index.js';

const own = new Int32Array(new SharedArrayBuffer(4));
/** @type {{ handle: any, permits: number, isLoop: boolean, holdMs: number, sections: Int32Array, enough: number }} */
const { handle, permits, isLoop, holdMs, sections, enough } = workerData;
const semaphore = permits > 0 ? CountingSemaphore.from(handle) : undefined;
const mutex = semaphore ? undefined : Mutex.from(handle);

let most = 0;

/** @param {number} before how many sections had begun when the wait began */
function hold(before) {
    most = Math.max(most, Atomics.add(sections, 0, 1) - before);
    Atomics.wait(own, 0, 0, holdMs);
}

async function request() {
    while (Atomics.load(sections, 0) < enough) {
        const before = Atomics.load(sections, 0);
        await semaphore?.execAsync(() => hold(before), { permits });
    }
}

if (isLoop) {
    await Promise.all([request(), request()]);
} else {
    while (Atomics.load(sections, 0) < enough) {
        const before = Atomics.load(sections, 0);
        semaphore?.enter({ permits });
        mutex?.lock();
        hold(before);
        semaphore?.leave(permits);
        mutex?.unlock();
    }
}
parentPort?.postMessage(most);
