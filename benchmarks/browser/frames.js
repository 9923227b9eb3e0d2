/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* The frames that a page gets, as requestAnimationFrame tells. */

/** Headless browsers draw sixty frames a second, whatever the screen. */
const INTERVAL_MS = 1000 / 60;

/** From the frame before; times of frames are not exact. */
const MISSED_INTERVALS = 1.5;

/**
 * @typedef {object} Frames
 * @property {number} expected in that time
 * @property {number} missed times that at least one did not come
 */

/** @returns {() => Frames} ends the count */
export function countFrames() {
    const start = performance.now();
    let last = start;
    let missed = 0;
    const look = (/** @type {number} */ now) => {
        missed += now - last > MISSED_INTERVALS * INTERVAL_MS ? 1 : 0;
        last = now;
        request = requestAnimationFrame(look);
    };
    let request = requestAnimationFrame(look);
    return () => {
        cancelAnimationFrame(request);
        const end = performance.now();
        // One that should have come by now and did not would else go unseen.
        missed += end - last > MISSED_INTERVALS * INTERVAL_MS ? 1 : 0;
        return { expected: (end - start) / INTERVAL_MS, missed };
    };
}
