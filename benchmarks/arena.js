/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { LockSpace } from '../js-glue/index.js';

/* The shared memory of one run. A part has a cache line of its own, so that what is measured is the lock and
 * not its neighbours, and all contestants lie at the same place in the same kind of memory. */

const CACHE_LINE = 64;
const WORDS_A_LINE = CACHE_LINE / Int32Array.BYTES_PER_ELEMENT;

/** The control words that every run has. Jobs of several steps use those from STEP on for themselves. */
export const CONTROL = Object.freeze({ GO: 0, STOP: 1, STEP: 2, ANSWER: 3 });

/**
 * Byte offsets in a memory. Plain, so it may be posted.
 *
 * @typedef {object} Arena
 * @property {WebAssembly.Memory} memory
 * @property {number} threads
 * @property {number} lock a place of zero bytes, which is any contestant's unlocked lock
 * @property {number} control
 * @property {number} pair the two counters that a section increments
 * @property {number} tallies a line a thread, with what it counted itself
 * @property {number} stamp a time
 */

/**
 * @param {number} threads that count
 * @returns {Arena}
 */
export function makeArena(threads) {
    const space = new LockSpace();
    const line = () => space.alloc(CACHE_LINE, CACHE_LINE);
    return {
        memory: space.memory,
        threads,
        lock: line(),
        control: line(),
        pair: line(),
        tallies: space.alloc(CACHE_LINE * threads, CACHE_LINE),
        stamp: line(),
    };
}

/** @param {Arena} arena */
export function controlOf({ memory, control }) {
    return new Int32Array(memory.buffer, control, WORDS_A_LINE);
}

/** @param {Arena} arena */
export function pairOf({ memory, pair }) {
    return new Int32Array(memory.buffer, pair, 2);
}

/**
 * @param {Arena} arena
 * @param {number} thread
 */
export function tallyOf({ memory, tallies }, thread) {
    return new Int32Array(memory.buffer, tallies + thread * CACHE_LINE, 1);
}

/** @param {Arena} arena */
export function stampOf({ memory, stamp }) {
    return new BigInt64Array(memory.buffer, stamp, 1);
}

/** @param {Arena} arena */
export function lockWordsOf({ memory, lock }) {
    return new Int32Array(memory.buffer, lock, WORDS_A_LINE / 4);
}
