/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/** @param {string} what promise was broken */
export function fail(what) {
    throw new Error(what);
}

/** @param {number} count */
export function makeWords(count) {
    return new Int32Array(new SharedArrayBuffer(count * Int32Array.BYTES_PER_ELEMENT));
}

/** @param {import('./games.js').Seat} seat */
export function blocksNow({ blocks, random }) {
    return blocks && random.chance(0.8);
}
