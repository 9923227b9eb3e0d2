/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Values and calls as code. */

/** @param {unknown} value */
export const literal = (value) => (value === Infinity ? 'Infinity' : JSON.stringify(value));

/** @typedef {{ enter: string, attempt: (timeout: string) => string, exec: (section: string) => string, acquire: string, leave: string }} Way to take something and to give it back */

/** @param {string} object */
const ofMutex = (object) => ({
    enter: `${object}.lock()`,
    attempt: (/** @type {string} */ timeout) => `${object}.tryLock(${timeout})`,
    exec: (/** @type {string} */ section) => `${object}.exec(${section})`,
    acquire: `${object}.acquire()`,
    leave: `${object}.unlock()`,
});

/** @param {string} object @param {string} ask */
const ofRwLock = (object, ask) =>
    ask === 'shared'
        ? {
              enter: `${object}.lockShared()`,
              attempt: (/** @type {string} */ timeout) => `${object}.tryLockShared(${timeout})`,
              exec: (/** @type {string} */ section) => `${object}.exec(${section}, { mode: 'shared' })`,
              acquire: `${object}.acquire({ mode: 'shared' })`,
              leave: `${object}.unlockShared()`,
          }
        : ofMutex(object);

/** @param {string} object @param {number} ask */
const ofSemaphore = (object, ask) => ({
    enter: `${object}.enter({ permits: ${ask} })`,
    attempt: (/** @type {string} */ timeout) =>
        `${object}.tryEnter({ timeout: ${timeout}, permits: ${ask} })`,
    exec: (/** @type {string} */ section) => `${object}.exec(${section}, { permits: ${ask} })`,
    acquire: `(${object}.enter({ permits: ${ask} }), { release: () => ${object}.leave(${ask}) })`,
    leave: `${object}.leave(${ask})`,
});

/** @type {Record<string, (object: string, ask: any) => Way>} */
export const WAYS_TO_BLOCK = {
    Mutex: ofMutex,
    OneKey: ofMutex,
    RwLock: ofRwLock,
    BinarySemaphore: ofSemaphore,
    CountingSemaphore: ofSemaphore,
};
