/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/** How often the page is busy. */
const EVERY_MS = 60;

/**
 * Keeps this thread busy for a part of the time, as a page is that lays out, parses and renders.
 *
 * @param {number} busyMs of each 60 ms
 * @returns {() => void} ends it
 */
export function startBusyWork(busyMs) {
    if (busyMs === 0) {
        return () => {};
    }
    const timer = setInterval(() => {
        const end = performance.now() + busyMs;
        while (performance.now() < end) {
            /* busy */
        }
    }, EVERY_MS);
    return () => clearInterval(timer);
}
