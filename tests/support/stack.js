/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Calls at the end of the stack. */

/**
 * @template T
 * @param {number} frames
 * @param {(...padding: number[]) => T} use
 * @param {number[]} [padding] takes stack, too
 * @returns {T}
 */
export function below(frames, use, padding = []) {
    return frames === 0 ? use(...padding) : below(frames - 1, use, padding);
}

/** How many frames there are below this one. */
export function countFrames() {
    let most = 0;
    for (let step = 2 ** 20; step >= 1; step /= 2) {
        try {
            below(most + step, () => 0);
            most += step;
        } catch {
            // Too many.
        }
    }
    return most;
}
