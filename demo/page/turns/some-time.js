/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/** A random time around `ms`: with equal times the members would fall into step. @param {number} ms */
export function someTime(ms) {
    return ms * (0.6 + 0.8 * Math.random());
}
