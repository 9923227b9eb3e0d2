/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/**
 * The words of this thread's default space that are not 0, each with its address, for a watchdog to print. The function uses no
 * outer names, so that its text can be run on a page.
 *
 * @param {typeof import('../../js-glue/index.js').Mutex} Mutex
 */
export function describeDefaultSpace(Mutex) {
    const words = new Uint32Array(new Mutex().memory.buffer);
    const lines = [];
    for (let index = 0; index < words.length; index += 1) {
        const word = Atomics.load(words, index);
        if (word !== 0) {
            lines.push(`${index * Uint32Array.BYTES_PER_ELEMENT}: ${word.toString(16).padStart(8, '0')}`);
        }
    }
    return `the default space: ${lines.join(', ')}`;
}
