/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
/* In globalThis, so that all copies of this module count together. */
const count = (globalThis[Symbol.for('app.count')] ??= { inside: 0 });

const LOOKS = 20;
const PAUSE_MS = 5;

/** Runs a section, and returns how many run at the same time. */
export function mostInside(mutex) {
    return mutex.execAsync(async () => {
        let most = 0;
        count.inside += 1;
        for (let looks = 0; looks < LOOKS; looks += 1) {
            most = Math.max(most, count.inside);
            await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
        }
        count.inside -= 1;
        return most;
    });
}
