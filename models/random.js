/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/** @typedef {{ next: () => number, below: (end: number) => number, chance: (p: number) => boolean }} Random */

/**
 * A generator with the same numbers for the same seed, in every thread and engine (mulberry32).
 * @param {number} seed
 * @returns {Random}
 */
export function randomOf(seed) {
    let state = seed >>> 0;
    const next = () => {
        state = (state + 0x6d2b79f5) >>> 0;
        let mixed = Math.imul(state ^ (state >>> 15), state | 1);
        mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
        return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
    };
    return { next, below: (end) => Math.floor(next() * end), chance: (p) => next() < p };
}
