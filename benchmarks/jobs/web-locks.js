/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Requests of named locks, on a page or in Node. */

/**
 * @param {{ request: (name: string, callback: () => void) => Promise<unknown> }} locks
 * @param {number} atOnce how many requests are made before their answers are awaited
 * @param {number} seconds
 * @returns {Promise<number>} requests per second
 */
export async function requestRate(locks, atOnce, seconds) {
    const begin = performance.now();
    let requests = 0;
    do {
        await Promise.all(Array.from({ length: atOnce }, () => locks.request('a name', () => {})));
        requests += atOnce;
    } while (performance.now() - begin < seconds * 1000);
    return (requests / (performance.now() - begin)) * 1000;
}
