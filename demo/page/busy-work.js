/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

const CYCLE_MS = 60;

/**
 * Keeps this thread busy for a part of the time, like a page with layout, parsing and rendering.
 * @param {number} busyMs of each 60 ms; the rest is for frames and other work @returns {() => void} stops it
 */
export function startBusyWork(busyMs) {
    if (busyMs === 0) {
        return () => {};
    }
    let timer = setTimeout(work);
    function work() {
        const end = performance.now() + busyMs;
        while (performance.now() < end) {
            /* busy */
        }
        timer = setTimeout(work, CYCLE_MS - busyMs);
    }
    return () => clearTimeout(timer);
}
