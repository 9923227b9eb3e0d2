/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { work } from './board.js';

/** A pair of counters that only sections of one lock touch, without atomics: they differ if two overlap. */
export class Detector {
    /** @type {Int32Array} */
    #pair;
    /** How often this thread saw another thread inside a section. */
    torn = 0;
    /** How many sections this thread ran. */
    sections = 0;

    static BYTES = 2 * Int32Array.BYTES_PER_ELEMENT;

    /**
     * @param {SharedArrayBuffer} buffer
     * @param {number} index of the lock's pair
     */
    constructor(buffer, index) {
        this.#pair = new Int32Array(buffer, index * Detector.BYTES, 2);
    }

    /** The number of sections of all threads, by the counters. */
    get total() {
        return this.#pair[0] ?? 0;
    }

    /** @param {number} milliseconds */
    begin(milliseconds) {
        const before = this.total;
        if (this.#pair[1] !== before) {
            this.torn += 1;
        }
        this.#pair[0] = before + 1;
        work(milliseconds);
    }

    end() {
        this.#pair[1] = (this.#pair[1] ?? 0) + 1;
        if (this.#pair[0] !== this.#pair[1]) {
            this.torn += 1;
        }
        this.sections += 1;
    }

    /**
     * Repairs the counters after a thread has died in a section.
     *
     * @param {number} sections of all threads
     * @returns {number} the sections that were half done, 0 or 1; NaN if one death alone cannot have left
     *     this state
     */
    repair(sections) {
        const [first = 0, second = 0] = this.#pair;
        const undone = first - second;
        this.#pair.fill(sections);
        return (undone === 0 || undone === 1) && sections >= second && sections <= first ? undone : NaN;
    }

    /** @param {number} milliseconds */
    section(milliseconds) {
        this.begin(milliseconds);
        this.end();
    }
}
