/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { garbageCollector } from '../garbage.js';

/* Calls methods of a lock as messages `{ handle, calls }` say, and posts what each call has returned, or the code of its error.
 * (`free` is a method of the lock's space.) `isUnseen`: no thread can detect this thread's death. `forgets`: its objects of the
 * lock are collected before the answer. */

const { isUnseen = false, forgets = false } = workerData;
const COLLECTIONS = 3;
const collect = garbageCollector();
if (isUnseen) {
    // The thread has no entries in the engine. Set before the package is loaded, since the package keeps the
    // function.
    Atomics.waitAsync = /** @type {any} */ (() => ({ async: true, value: new Promise(() => {}) }));
}
const { LockSpace, RwLock } = await import('../../../js-glue/index.js');
const { RecoverableRwLock, RecoverableSemaphore } = await import('../../../js-glue/recoverable.js');

/** @type {Record<string, any>} */
const CLASSES = { RwLock, RecoverableRwLock, RecoverableSemaphore };

/** @param {{ handle: any, calls: [string, ...unknown[]][] }} message */
function answers({ handle, calls }) {
    const lock = CLASSES[handle.holdfast].from(handle);
    return calls.map(([method, ...parameters]) => {
        try {
            return method === 'free' ? LockSpace.attach(lock.memory).free(lock) : lock[method](...parameters);
        } catch (error) {
            return /** @type {{ code?: string }} */ (error).code ?? String(error);
        }
    });
}

/** @param {unknown[]} results */
async function post(results) {
    for (let left = forgets ? COLLECTIONS : 0; left > 0; left -= 1) {
        await sleep(1);
        collect();
    }
    parentPort?.postMessage(results);
}

parentPort?.on('message', (message) => void post(answers(message)));
