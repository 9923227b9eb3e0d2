/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/**
 * One round of heat that spreads along a rod, for a strip of its cells: each takes on the mean of itself and its
 * neighbours.
 *
 * @param {Float64Array} before
 * @param {Float64Array} after
 * @param {{ start: number, end: number }} strip the cells to write
 */
export function spread(before, after, { start, end }) {
    const last = before.length - 1;
    for (let cell = start; cell < end; cell += 1) {
        const left = before[Math.max(cell - 1, 0)] ?? 0;
        const right = before[Math.min(cell + 1, last)] ?? 0;
        after[cell] = (left + (before[cell] ?? 0) + right) / 3;
    }
}
