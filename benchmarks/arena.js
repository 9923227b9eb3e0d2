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

/** The size of a channel's ring. The largest batch has 64 KiB. */
export const RING_BYTES = 2 ** 18;

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
function tallyOf({ memory, tallies }, thread) {
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

/* ---- Counters ---- */

/** Indices of a thread's tallies: sections that increment the counters, other sections, and the longest wait in µs. */
const TALLY = Object.freeze({ COUNTED: 0, OTHERS: 1, LONGEST: 2 });

/* Shows that a lock excludes: two counters without atomics, which only sections touch. They must be equal at the start of every
 * section, and equal the threads' own counts at the end. Otherwise the run fails. */

export class LostUpdateError extends Error {
    /** @override */
    name = 'LostUpdateError';
}

export class Counters {
    #pair;
    #tally;

    /** @param {Arena} arena @param {number} thread */
    constructor(arena, thread) {
        this.#pair = pairOf(arena);
        this.#tally = tallyOf(arena, thread);
    }

    /** At a section's start. */
    enter() {
        const pair = /** @type {{ [index: number]: number }} */ (this.#pair);
        if (pair[0] !== pair[1]) {
            throw new LostUpdateError(`two threads are in the section: counters ${pair[0]} and ${pair[1]}`);
        }
        /** @type {any} */ (pair)[0] += 1;
    }

    /** At a section's end. */
    leave() {
        /** @type {any} */ (this.#pair)[1] += 1;
        /** @type {any} */ (this.#tally)[TALLY.COUNTED] += 1;
    }

    /** At the start and at the end of a section that reads. */
    look() {
        const [entered, left] = this.#pair;
        if (entered !== left) {
            throw new LostUpdateError(`a thread reads while another writes: counters ${entered} and ${left}`);
        }
    }

    /** Between two sections. @param {number} ms */
    waited(ms) {
        const tally = /** @type {any} */ (this.#tally);
        if (ms * 1000 > tally[TALLY.LONGEST]) {
            tally[TALLY.LONGEST] = ms * 1000;
        }
    }

    /** Counts a section that does not increment the counters. */
    tally() {
        /** @type {any} */ (this.#tally)[TALLY.OTHERS] += 1;
    }
}

/**
 * How many sections the thread has had so far; a moment late while it runs.
 * @param {Arena} arena @param {number} thread
 */
export function sectionsOf(arena, thread) {
    const tally = tallyOf(arena, thread);
    return Atomics.load(tally, TALLY.COUNTED) + Atomics.load(tally, TALLY.OTHERS);
}

/** Returns the longest wait of a worker for a section so far, in ms, and forgets it. @param {Arena} arena */
export function takeLongest(arena) {
    const waits = Array.from({ length: arena.threads }, (_, thread) =>
        Atomics.exchange(tallyOf(arena, thread), TALLY.LONGEST, 0),
    );
    return Math.max(...waits) / 1000;
}

/** Call when all threads have ended. @param {Arena} arena @throws {LostUpdateError} */
export function checkCounters(arena) {
    const [entered, left] = pairOf(arena);
    let counted = 0;
    for (let thread = 0; thread < arena.threads; thread += 1) {
        counted += Atomics.load(tallyOf(arena, thread), TALLY.COUNTED);
    }
    if (entered !== counted || left !== counted) {
        throw new LostUpdateError(
            `updates were lost: after ${counted} sections the counters are ${entered} and ${left}`,
        );
    }
}

/** @param {Int32Array} words */
function hexadecimal(words) {
    return Array.from(words, (word) => (word >>> 0).toString(16).padStart(8, '0')).join(' ');
}

/** Describes a run that hangs. @param {Arena} arena @returns {string[]} lines */
export function describeArena(arena) {
    const tallies = Array.from({ length: arena.threads }, (_, thread) => sectionsOf(arena, thread));
    return [
        `  lock      ${hexadecimal(lockWordsOf(arena))}`,
        `  control   ${hexadecimal(controlOf(arena))}`,
        `  counters  ${pairOf(arena).join(' ')}`,
        `  sections  ${tallies.join(' ')}`,
    ];
}
