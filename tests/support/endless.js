/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { environment } from '../../js-glue/environment.js';

const { waitAsync } = environment;

/**
 * Takes the limit off each waitAsync of this thread. The limit rescues a waiter whose wake a dying thread took;
 * where nobody dies no wake may be lost, and without the limit a lost one shows.
 */
export function waitWithoutLimit() {
    environment.waitAsync = /** @type {typeof waitAsync} */ (
        (/** @type {Int32Array} */ words, /** @type {number} */ index, /** @type {number} */ value) =>
            waitAsync(words, index, value)
    );
}

export function waitWithLimit() {
    environment.waitAsync = waitAsync;
}
