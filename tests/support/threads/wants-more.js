/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { workerData } from 'node:worker_threads';
import { CountingSemaphore, RwLock } from '../../../js-glue/index.js';

/* Waits for all permits of a semaphore, or for an rwlock to write, in the given way. */

/**
 * @typedef {object} WantsMoreOptions
 * @property {'semaphore' | 'rwlock'} kind of the object
 * @property {any} handle
 * @property {'blocked' | 'idle'} way
 * @property {number} permits of the semaphore
 */

const { kind, handle, way, permits } = /** @type {WantsMoreOptions} */ (workerData);
if (kind === 'semaphore') {
    const semaphore = CountingSemaphore.from(handle);
    if (way === 'blocked') {
        semaphore.enter({ permits });
    } else {
        void semaphore.enterAsync({ permits });
    }
} else {
    const rwlock = RwLock.from(handle);
    if (way === 'blocked') {
        rwlock.lock();
    } else {
        void rwlock.execAsync(() => new Promise(() => {}));
    }
}
