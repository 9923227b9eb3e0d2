/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Points of a curve: fractions of the requests, and the time within which each was answered. On its axis 90%, 99% and 99.9% are
 * equally far apart, since the slow end of waits matters most. */

const NINES = 3;
const POINTS_A_NINE = 19;

/** Rounds finer than any clock, to a number that is short in a file. @param {number} value */
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
 * @returns {[number, number][]} in growing order: fractions of the requests, and the ms within which they were answered
 */
export function waitPoints(waits) {
    if (waits.length === 0) {
        return [];
    }
    // Sorted once for all points, since there may be many waits.
    const sorted = Float64Array.from(waits).sort();
    return FRACTIONS.map((fraction) => {
        const answered = Math.max(1, Math.ceil(sorted.length * fraction));
        return [fraction, rounded(sorted[answered - 1] ?? NaN)];
    });
}
