/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Points of a curve "so many of the requests were answered within that time", for an axis on which 90%, 99% and
 * 99.9% lie equally far apart: what matters of waits is their slow end. */

const NINES = 3;
const POINTS_A_NINE = 19;

/** Finer than any clock, and short in a file. @param {number} value */
function rounded(value) {
    return Number(value.toPrecision(5));
}

const FRACTIONS = [
    ...Array.from({ length: NINES * POINTS_A_NINE + 1 }, (_, point) => 1 - 10 ** (-point / POINTS_A_NINE)),
    0.5,
    1,
]
    .map(rounded)
    .sort((one, other) => one - other);

/**
 * @param {readonly number[]} waits in ms
 * @returns {[number, number][]} growing: fractions of the requests, and ms within which they were answered
 */
export function waitPoints(waits) {
    if (waits.length === 0) {
        return [];
    }
    // Sorted once, and not once a point: there may be many.
    const sorted = Float64Array.from(waits).sort();
    return FRACTIONS.map((fraction) => {
        const answered = Math.max(1, Math.ceil(sorted.length * fraction));
        return [fraction, rounded(sorted[answered - 1] ?? NaN)];
    });
}
