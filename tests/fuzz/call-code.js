/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Values and calls as code. */

/** @param {unknown} value */
export const literal = (value) => (value === Infinity ? 'Infinity' : JSON.stringify(value));

/** @typedef {{ enter: string, attempt: (limit: string, name?: string) => string, exec: (section: string) => string, acquire: string, leave: string }} Way to take something and to give it back within a time limit, an option by that name */

/**
 * @param {string} limit
 * @param {string} name of the option that has the limit; '': the limit is passed as a number of milliseconds
 */
const withName = (limit, name) => (name ? `{ ${name}: ${limit} }` : limit);

/** @param {string} object */
const ofMutex = (object) => ({
    enter: `${object}.lock()`,
    attempt: (/** @type {string} */ limit, /** @type {string} */ name = '') =>
        `${object}.tryLock(${withName(limit, name)})`,
    exec: (/** @type {string} */ section) => `${object}.exec(${section})`,
    acquire: `${object}.acquire()`,
    leave: `${object}.unlock()`,
});

/** @param {string} object @param {string} ask */
const ofRwLock = (object, ask) => {
    const inMode = ask === 'shared' ? 'Shared' : 'Upgradable';
    return ask === 'exclusive'
        ? ofMutex(object)
        : {
              enter: `${object}.lock${inMode}()`,
              attempt: (/** @type {string} */ limit, /** @type {string} */ name = '') =>
                  `${object}.tryLock${inMode}(${withName(limit, name)})`,
              exec: (/** @type {string} */ section) => `${object}.exec(${section}, { mode: '${ask}' })`,
              acquire: `${object}.acquire({ mode: '${ask}' })`,
              leave: `${object}.unlock${inMode}()`,
          };
};

/** @param {string} object @param {number} ask */
const ofSemaphore = (object, ask) => ({
    enter: `${object}.enter({ permits: ${ask} })`,
    attempt: (/** @type {string} */ limit, /** @type {string} */ name = 'timeout') =>
        `${object}.tryEnter({ ${name}: ${limit}, permits: ${ask} })`,
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
