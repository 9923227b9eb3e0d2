/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { THREADS_MAGIC } from '../../js-glue/memory/layout.js';

/* The memory of another program, and how threads get their identities in it. */

export const PAGE = 65536;

/**
 * A memory as that of a program which has our C.
 *
 * @param {number} threads what `hf_threads()` returns in it
 */
export function programMemory(threads) {
    const memory = new WebAssembly.Memory({ initial: 1, maximum: 2, shared: true });
    new Uint32Array(memory.buffer, threads)[0] = THREADS_MAGIC;
    return memory;
}

/**
 * How many times a thread was counted there.
 *
 * @param {WebAssembly.Memory} memory
 * @param {number} threads
 */
export function countIn({ buffer }, threads) {
    return new Uint32Array(buffer, threads)[1];
}

/**
 * Lets this thread draw the same number each time.
 *
 * @param {number} number
 */
export function drawAlways(number) {
    const getRandomValues = (/** @type {Uint32Array} */ numbers) => numbers.fill(number);
    Object.defineProperty(globalThis, 'crypto', { value: { getRandomValues }, configurable: true });
}
