/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/** The shifts of a xorshift generator on 32 bits (Marsaglia 2003), the same for all contestants. */
const [LEFT, RIGHT, LEFT_AGAIN] = /** @type {const} */ ([13, 17, 5]);

/**
 * @param {number} random the number before it, or any but 0
 * @returns {number} 1 to 2^32 - 1
 */
export function nextRandom(random) {
    let next = random ^ (random << LEFT);
    next ^= next >>> RIGHT;
    return (next ^ (next << LEFT_AGAIN)) >>> 0;
}
