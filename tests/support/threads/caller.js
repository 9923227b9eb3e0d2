/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { parentPort, workerData } from 'node:worker_threads';

/* Calls methods of a lock as it is told by messages `{ handle, calls }`, and posts what each has returned, or the code of
 * its error. `isUnseen`: nobody notices its death. */

const { isUnseen = false } = workerData;
if (isUnseen) {
    // In no queue of the engine. Before the package is loaded, which keeps what it finds.
    Atomics.waitAsync = /** @type {any} */ (() => ({ async: true, value: new Promise(() => {}) }));
}
const { RwLock } = await import('../../../js-glue/index.js');
const { RecoverableRwLock, RecoverableSemaphore } = await import('../../../js-glue/recoverable.js');

/** @type {Record<string, any>} */
const CLASSES = { RwLock, RecoverableRwLock, RecoverableSemaphore };

parentPort?.on('message', ({ handle, calls }) => {
    const lock = CLASSES[handle.holdfast].from(handle);
    const results = calls.map((/** @type {[string, ...unknown[]]} */ [method, ...parameters]) => {
        try {
            return lock[method](...parameters);
        } catch (error) {
            return /** @type {{ code?: string }} */ (error).code ?? String(error);
        }
    });
    parentPort?.postMessage(results);
});
