/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* How fast the threads of a run were: sections per second, by thread. */

/** @typedef {{ rates: readonly number[] }} Rated */

/** @param {Rated} run @returns {number} sections per second of all threads */
export function throughput({ rates }) {
    return rates.reduce((sum, rate) => sum + rate, 0);
}

/** @param {Rated} run @returns {number} the sections of the thread with fewest, to those of the one with most */
export function evenness({ rates }) {
    return Math.min(...rates) / Math.max(...rates);
}
