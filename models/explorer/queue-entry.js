/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* The entries of the queue of waiters, as small numbers. */

const CODES_OF_A_WAITING_THREAD = 64;
const ASYNC_ENTRY = 32;

/** No particular entry: there is no choice. */
export const NOBODY_IN_PARTICULAR = -1;

/** @param {number} thread @param {number} word @param {boolean} isAsync */
export function entryOf(thread, word, isAsync) {
    return thread * CODES_OF_A_WAITING_THREAD + (isAsync ? ASYNC_ENTRY : 0) + word;
}

/** @param {number} entry */
export function threadOf(entry) {
    return Math.floor(entry / CODES_OF_A_WAITING_THREAD);
}

/** @param {number} entry */
export function isAsync(entry) {
    return (entry & ASYNC_ENTRY) !== 0;
}

/** @param {number} entry */
export function wordOf(entry) {
    return entry & (ASYNC_ENTRY - 1);
}
