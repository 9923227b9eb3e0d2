/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { CountingSemaphore, RwLock } from '../../../js-glue/index.js';

/* Both locks of these views in one shape. */

/** @typedef {import('../../../js-glue/index.js').LockMode} LockMode */

/**
 * @typedef {object} TurnLock
 * @property {(callback: () => void, mode: LockMode) => void} exec blocks
 * @property {(callback: () => Promise<void>, mode: LockMode) => Promise<void>} execAsync does not
 */

/** @param {CountingSemaphore} semaphore */
export function turnsOfSemaphore(semaphore) {
    return {
        exec: (/** @type {() => void} */ callback) => semaphore.exec(callback),
        execAsync: (/** @type {() => Promise<void>} */ callback) => semaphore.execAsync(callback),
    };
}

/**
 * @param {RwLock} lock
 * @returns {TurnLock}
 */
export function turnsOfRwLock(lock) {
    return {
        exec: (callback, mode) => lock.exec(callback, { mode }),
        execAsync: (callback, mode) => lock.executeLocked(callback, { mode }),
    };
}

/**
 * @param {any} handle of either
 * @returns {TurnLock}
 */
export function openTurns(handle) {
    return handle.holdfast === RwLock.KIND
        ? turnsOfRwLock(RwLock.from(handle))
        : turnsOfSemaphore(CountingSemaphore.from(handle));
}
