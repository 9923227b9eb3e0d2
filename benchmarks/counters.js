/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { controlOf, lockWordsOf, pairOf, tallyOf } from './arena.js';

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

    /** @param {import('./arena.js').Arena} arena @param {number} thread */
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
 * @param {import('./arena.js').Arena} arena @param {number} thread
 */
export function sectionsOf(arena, thread) {
    const tally = tallyOf(arena, thread);
    return Atomics.load(tally, TALLY.COUNTED) + Atomics.load(tally, TALLY.OTHERS);
}

/** Returns the longest wait of a worker for a section so far, in ms, and forgets it. @param {import('./arena.js').Arena} arena */
export function takeLongest(arena) {
    const waits = Array.from({ length: arena.threads }, (_, thread) =>
        Atomics.exchange(tallyOf(arena, thread), TALLY.LONGEST, 0),
    );
    return Math.max(...waits) / 1000;
}

/** Call when all threads have ended. @param {import('./arena.js').Arena} arena @throws {LostUpdateError} */
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

/** Describes a run that hangs. @param {import('./arena.js').Arena} arena @returns {string[]} lines */
export function describeArena(arena) {
    const tallies = Array.from({ length: arena.threads }, (_, thread) => sectionsOf(arena, thread));
    return [
        `  lock      ${hexadecimal(lockWordsOf(arena))}`,
        `  control   ${hexadecimal(controlOf(arena))}`,
        `  counters  ${pairOf(arena).join(' ')}`,
        `  sections  ${tallies.join(' ')}`,
    ];
}
