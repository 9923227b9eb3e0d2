/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/**
 * Marks which numbers are prime: takes a while, and is to be done once.
 *
 * @param {Uint8Array} isPrime a mark for each number, all 0
 */
export function sieve(isPrime) {
    isPrime.fill(1, 2);
    for (let factor = 2; factor * factor < isPrime.length; factor += 1) {
        for (let product = factor * factor; product < isPrime.length; product += factor) {
            isPrime[product] = 0;
        }
    }
}

/**
 * @param {Uint8Array} isPrime
 * @param {number} thread that counts its share
 * @param {number} threads
 */
export function countShare(isPrime, thread, threads) {
    const start = Math.floor((thread * isPrime.length) / threads);
    const end = Math.floor(((thread + 1) * isPrime.length) / threads);
    return isPrime.subarray(start, end).reduce((sum, mark) => sum + mark, 0);
}
