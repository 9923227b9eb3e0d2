/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
/**
 * Keeps this thread busy, like a section or a page's long task.
 * @param {number} milliseconds
 * @returns {number} the time at the end; of no milliseconds 0
 */
export function keepBusy(milliseconds) {
    if (milliseconds === 0) {
        return 0; // reading the clock would be work
    }
    const end = performance.now() + milliseconds;
    while (performance.now() < end) {
        /* the work */
    }
    return end;
}
