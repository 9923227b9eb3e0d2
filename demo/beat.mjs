/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

const PERIOD_MS = 2;

/**
 * Keeps a short timer going on this thread and measures how late it comes. A thread whose event loop is
 * blocked misses its beat for as long.
 * @returns {() => number} ends the beat, and returns the longest lateness in milliseconds
 */
export function startBeat() {
    let longest = 0;
    let last = performance.now();
    const timer = setInterval(() => {
        const now = performance.now();
        longest = Math.max(longest, now - last - PERIOD_MS);
        last = now;
    }, PERIOD_MS);
    return () => {
        clearInterval(timer);
        return longest;
    };
}
