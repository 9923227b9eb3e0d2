/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { environment } from '../../js-glue/thread/environment.js';

const { waitAsync } = environment;

/** @type {[Int32Array, number][]} */
const withoutTheirLimit = [];

/**
 * Removes the time limit from each waitAsync of this thread, and so stops its sweeps. Sweeps rescue waiters
 * whose wake a dying thread consumed. Without deaths no wake may be lost, and without sweeps a lost wake
 * shows.
 */
export function waitWithoutLimit() {
    environment.waitAsync = /** @type {typeof waitAsync} */ (
        (
            /** @type {Int32Array} */ words,
            /** @type {number} */ index,
            /** @type {number} */ value,
            /** @type {number | undefined} */ limit,
        ) => {
            if (limit !== undefined) {
                withoutTheirLimit.push([words, index]);
            }
            return waitAsync(words, index, value);
        }
    );
}

/** Restores the limits, and ends the waits whose limit was taken off. */
export function waitWithLimit() {
    environment.waitAsync = waitAsync;
    limitsCome();
}

/** Ends the waits whose limit was taken off so far. */
export function limitsCome() {
    withoutTheirLimit.splice(0).forEach(([words, index]) => environment.notify(words, index));
}
