/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* A time that passes only while this event loop gets turns, so that other work on the machine does not lengthen it. */

const TICK_MS = 50;

/** @returns {() => number} the ticks so far; they keep no process alive */
export function startTicks() {
    let ticks = 0;
    const timer = setInterval(() => (ticks += 1), TICK_MS);
    timer.unref?.();
    return () => ticks;
}
