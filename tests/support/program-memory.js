/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { AGENTS_BYTES, AGENTS_MAGIC, AGENTS_MOST, THREAD_JS } from '../../js-glue/memory/layout.js';

/* The memory of another program, and how threads get their identities in it. */

export const PAGE = 65536;

/** How many threads may attach. */
export const SLOTS = 64;

/** Of the first thread that has the slot of that number, 1 or more. @param {number} number */
export function identityIn(number) {
    return THREAD_JS + AGENTS_MOST + 1 + number;
}

/**
 * A memory as that of a program which has our C.
 *
 * @param {number} threads what `hf_threads()` returns in it
 */
export function programMemory(threads) {
    const memory = new WebAssembly.Memory({ initial: 1, maximum: 2, shared: true });
    new Uint32Array(memory.buffer, threads).set([AGENTS_MAGIC, 0, 0, 0, SLOTS, AGENTS_BYTES]);
    return memory;
}

/**
 * How many threads have joined there, or the number of the last one's slot.
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
