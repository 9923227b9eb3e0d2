/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { CountingSemaphore, RwLock } from '../../../js-glue/index.js';

/* The locks of both views of turns, with one interface. */

/** @typedef {import('../../../js-glue/index.js').LockMode} LockMode */

/**
 * @typedef {object} TurnLock
 * @property {(callback: () => void, mode: LockMode) => void} exec blocks
 * @property {(callback: () => Promise<void>, mode: LockMode) => Promise<void>} execAsync does not
 */

/** @param {any} handle of either @returns {TurnLock} */
export function openTurns(handle) {
    if (handle.holdfast === RwLock.KIND) {
        const lock = RwLock.from(handle);
        return {
            exec: (callback, mode) => lock.exec(callback, { mode }),
            execAsync: (callback, mode) => lock.execAsync(callback, { mode }),
        };
    }
    const semaphore = CountingSemaphore.from(handle);
    return {
        exec: (callback) => semaphore.exec(callback),
        execAsync: (callback) => semaphore.execAsync(callback),
    };
}
