/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* The counts that the threads keep in shared memory, one word each. */
export const ITEMS = 0;
export const TURNS = 1;
export const TABLE = 2;
export const FIRSTS = 3;
const SEATED = 4;
const MOST_SEATED = 5;
export const NESTED = 6;
export const COUNTS = 7;

/**
 * Adds one without atomics, so threads without a lock lose updates.
 *
 * @param {Int32Array} counts
 * @param {number} place
 */
export function addOne(counts, place) {
    counts[place] = Number(counts[place]) + 1;
}

/**
 * Counts the threads that have a seat, and the most at a time.
 *
 * @param {Int32Array} counts
 */
export function sit(counts) {
    const seated = Atomics.add(counts, SEATED, 1) + 1;
    if (seated > Atomics.load(counts, MOST_SEATED)) {
        Atomics.store(counts, MOST_SEATED, seated);
    }
    Atomics.sub(counts, SEATED, 1);
}

/**
 * @param {Int32Array} counts
 * @param {number} seats
 */
export function neverSatMore(counts, seats) {
    return Number(counts[MOST_SEATED]) <= seats && counts[SEATED] === 0;
}
