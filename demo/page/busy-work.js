/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

const CYCLE_MS = 60;

/**
 * Keeps this thread busy for a part of the time, as a page is that lays out, parses and renders.
 *
 * @param {number} busyMs of each 60 ms; the rest is left for frames and for all else
 * @returns {() => void} ends it
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
