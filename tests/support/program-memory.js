/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { AGENTS_BYTES, AGENTS_MAGIC, AGENTS_MOST, THREAD_JS } from '../../js-glue/memory/layout.js';
import { replaceInEnvironment } from './environment.js';

/* The memory of another program, and how threads get their identities in it. */

export const PAGE = 65536;

/** How many threads may attach. */
export const SLOTS = 64;

/** The identity of the first thread in a slot. Numbers of slots begin at 1. @param {number} number */
export function identityIn(number) {
    return THREAD_JS + AGENTS_MOST + 1 + number;
}

/**
 * Makes a memory like that of a program which links the C library.
 *
 * @param {number} threads what `hf_threads()` returns in it
 */
export function programMemory(threads) {
    const memory = new WebAssembly.Memory({ initial: 1, maximum: 2, shared: true });
    new Uint32Array(memory.buffer, threads).set([AGENTS_MAGIC, 0, 0, 0, SLOTS, AGENTS_BYTES]);
    return memory;
}

/**
 * The number of the slot that was given out last: the number of threads that have joined, if none has left.
 *
 * @param {WebAssembly.Memory} memory
 * @param {number} threads
 */
export function countIn({ buffer }, threads) {
    return new Uint32Array(buffer, threads)[1];
}

/**
 * Fakes random numbers and the clock, so that this thread always draws the same number.
 *
 * @param {number} number
 * @returns {() => void} starts the clock again
 */
export function drawAlways(number) {
    Math.random = () => number / 2 ** 32;
    return replaceInEnvironment({ now: () => 0 });
}
