/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

const { waitAsync } = Atomics;

/**
 * Takes the limit off each waitAsync of this thread. The limit rescues a waiter whose wake a dying thread took;
 * where nobody dies no wake may be lost, and without the limit a lost one shows.
 */
export function waitWithoutLimit() {
    Atomics.waitAsync = /** @type {typeof waitAsync} */ (
        (/** @type {Int32Array} */ words, /** @type {number} */ index, /** @type {number} */ value) =>
            waitAsync(words, index, value)
    );
}

export function waitWithLimit() {
    Atomics.waitAsync = waitAsync;
}
