/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { LockSpace } from 'holdfast';

/* The shared memory of one run. Each part has a cache line of its own, so that the lock is measured and not its neighbours. All
 * contestants lie at the same address in the same kind of memory. */

/** A cache line. */
const LINE_BYTES = 64;
const WORDS_A_LINE = LINE_BYTES / Int32Array.BYTES_PER_ELEMENT;

/** The control words that every run has. Jobs with several steps use the words from STEP on as they like. */
export const CONTROL = Object.freeze({ GO: 0, STOP: 1, STEP: 2, ANSWER: 3 });

/**
 * Byte offsets in a memory. Plain data, so it can be posted.
 * @typedef {object} Arena
 * @property {WebAssembly.Memory} memory
 * @property {number} threads
 * @property {number} lock zero bytes: an unlocked lock of any contestant
 * @property {number} locks how many locks there are, LOCK_BYTES apart
 * @property {number} condition zero bytes for the condition of the lock
 * @property {number} control
 * @property {number} pair the two counters that a section increments
 * @property {number} tallies one line per thread, with its own counts
 * @property {number} stamp a time
 * @property {SharedArrayBuffer} words zeroed, for contestants that place themselves
 * @property {SharedArrayBuffer} moreWords for those that need two
 * @property {string} name unique to the run, for contestants that go by name
 */

const WORDS_BYTES = 1024;

/** Bytes of a holdfast mutex; smaller locks get as much room. */
export const LOCK_BYTES = 16;

const PAGE_BYTES = 65536;

/** @param {number} threads that count @param {number} [locks] @returns {Arena} */
export function makeArena(threads, locks = 1) {
    const space = new LockSpace({ pages: 1 + Math.ceil((locks * LOCK_BYTES) / PAGE_BYTES) });
    const line = () => space.alloc(LINE_BYTES, LINE_BYTES);
    return {
        memory: space.memory,
        threads,
        lock: space.alloc(Math.max(LINE_BYTES, locks * LOCK_BYTES), LINE_BYTES),
        locks,
        condition: line(),
        control: line(),
        pair: line(),
        tallies: space.alloc(LINE_BYTES * threads, LINE_BYTES),
        stamp: line(),
        words: new SharedArrayBuffer(WORDS_BYTES),
        moreWords: new SharedArrayBuffer(WORDS_BYTES),
        name: crypto.randomUUID(),
    };
}

/** @param {Arena} arena */
export function controlOf({ memory, control }) {
    return new Int32Array(memory.buffer, control, WORDS_A_LINE);
}

/** Starts the waiting threads. @param {Arena} arena */
export function letGo(arena) {
    const control = controlOf(arena);
    Atomics.store(control, CONTROL.GO, 1);
    Atomics.notify(control, CONTROL.GO);
}

/** @param {Arena} arena */
export function pairOf({ memory, pair }) {
    return new Int32Array(memory.buffer, pair, 2);
}

/** @param {Arena} arena @param {number} thread */
export function tallyOf({ memory, tallies }, thread) {
    return new Int32Array(memory.buffer, tallies + thread * LINE_BYTES, 3);
}

/** @param {Arena} arena */
export function stampOf({ memory, stamp }) {
    return new BigInt64Array(memory.buffer, stamp, 1);
}

/** @param {Arena} arena */
export function lockWordsOf({ memory, lock }) {
    return new Int32Array(memory.buffer, lock, WORDS_A_LINE / 4);
}
