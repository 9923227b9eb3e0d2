/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/**
 * Prints in the terminal, or on the page.
 *
 * @param {string} line
 */
export function print(line) {
    console.log(line);
    globalThis.document?.querySelector('output')?.append(`${line}\n`);
}

/**
 * Ends an example that does not keep what it promises.
 *
 * @param {boolean} holds
 * @param {string} promise
 */
export function check(holds, promise) {
    if (!holds) {
        throw new Error(`not so: ${promise}`);
    }
}
