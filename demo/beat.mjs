/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

export const PERIOD_MS = 2;

/**
 * Keeps a short timer going on this thread and measures the time between its ticks. While something blocks the
 * event loop, there is none.
 * @returns {() => number} ends the beat, and returns the longest pause between two ticks in milliseconds
 */
export function startBeat() {
    let longest = 0;
    let last = performance.now();
    const timer = setInterval(() => {
        const now = performance.now();
        longest = Math.max(longest, now - last);
        last = now;
    }, PERIOD_MS);
    return () => {
        clearInterval(timer);
        return longest;
    };
}
