/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { AGENTS_MOST } from '../../js-glue/memory/layout.js';
import { Detector } from '../support/detector.js';
import { MOST_LOCKS } from './member-words.js';

/* Data that each lock of the stress protects: the two counters of a detector, the thread inside, and the
 * number of sections each thread has run. A thread may die between any two of its steps; a repair corrects
 * the counters by the sections. Also notes: which thread got an error for a death, and which thread repaired
 * which lock. */

/** For each lock: the thread inside, then the number of sections by the slot of their thread. */
const LOCK_WORDS = 1 + AGENTS_MOST;
const LOCKS_AT = (MOST_LOCKS * Detector.BYTES) / 4;
/** The number of notes, then the notes. */
const NOTES_AT = LOCKS_AT + MOST_LOCKS * LOCK_WORDS;
const NOTE_WORDS = 4;
/** More than an episode can have: at most one for each death and request. */
const MOST_NOTES = 4096;
const WORDS = NOTES_AT + 1 + MOST_NOTES * NOTE_WORDS;

const TOLD = 0;
const REPAIRED = 1;

/** @typedef {{ kind: number, lock: number, whom: number, by: number }} Note whom: 0 if no section of it was open */

export class Protected {
    #words;
    /** The shared bytes, for messages and detectors. */
    buffer;

    constructor(buffer = new SharedArrayBuffer(WORDS * Int32Array.BYTES_PER_ELEMENT)) {
        this.buffer = buffer;
        this.#words = new Int32Array(buffer);
    }

    /** @param {number} lock */
    #at(lock) {
        return LOCKS_AT + lock * LOCK_WORDS;
    }

    /** @param {number} lock @param {number} self @returns {number} who was inside, 0 for nobody */
    enter(lock, self) {
        const inside = this.#words[this.#at(lock)] ?? 0;
        this.#words[this.#at(lock)] = self;
        return inside;
    }

    /** @param {number} lock */
    leave(lock) {
        this.#words[this.#at(lock)] = 0;
    }

    /** @param {number} lock @param {number} self */
    count(lock, self) {
        const at = this.#at(lock) + (self & AGENTS_MOST);
        this.#words[at] = (this.#words[at] ?? 0) + 1;
    }

    /** The sections of all threads. @param {number} lock */
    sections(lock) {
        const begin = this.#at(lock) + 1;
        return this.#words.subarray(begin, begin + AGENTS_MOST).reduce((sum, each) => sum + each, 0);
    }

    /** @param {number} lock @param {number} whom @param {number} by */
    noteTold(lock, whom, by) {
        this.#note(TOLD, lock, whom, by);
    }

    /** @param {number} lock @param {number} whom @param {number} by */
    noteRepair(lock, whom, by) {
        this.#note(REPAIRED, lock, whom, by);
    }

    /** @param {number[]} note */
    #note(...note) {
        const number = Atomics.add(this.#words, NOTES_AT, 1);
        this.#words.set(note, NOTES_AT + 1 + number * NOTE_WORDS);
    }

    /** The notes since the last call. Requires: no thread uses the locks. */
    takeNotes() {
        const begin = NOTES_AT + 1;
        const count = Atomics.exchange(this.#words, NOTES_AT, 0);
        if (count > MOST_NOTES) {
            throw new Error(`${count} notes`);
        }
        const notes = Array.from({ length: count }, (_, number) => {
            const [kind, lock, whom, by] = this.#words.subarray(begin + number * NOTE_WORDS);
            return /** @type {Note} */ ({ kind, lock, whom, by });
        });
        return {
            told: notes.filter(({ kind }) => kind === TOLD),
            repaired: notes.filter(({ kind }) => kind === REPAIRED),
        };
    }
}
