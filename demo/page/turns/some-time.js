/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/**
 * About that time: those who all take the same fall into step.
 *
 * @param {number} ms
 */
export function someTime(ms) {
    return ms * (0.6 + 0.8 * Math.random());
}
