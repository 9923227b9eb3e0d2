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

/**
 * Calls it where the stack has ended, but for some frames. What it throws is no matter.
 *
 * @param {number} frames
 * @param {() => void} use
 * @param {number[]} [padding] of each frame
 */
export function nearTheEnd(frames, use, padding = []) {
    let left = frames;
    const descend = () => {
        try {
            below(1, descend, padding);
        } catch (error) {
            if (left === 0) {
                use();
            }
            left -= 1;
            throw error;
        }
    };
    try {
        descend();
    } catch {
        // The end of the stack.
    }
}
