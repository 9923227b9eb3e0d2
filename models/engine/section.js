/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* The data that the lock guards: plain words, read after locking and written right before the release. They
 * reveal two threads inside at once without the models. */

const INSIDE = 0;
const OVERLAPS = 1;
const COUNT = 2;
const OWN_COUNTS = 3;

/** @param {number} threads */
export function sectionWordsFor(threads) {
    return new SharedArrayBuffer((OWN_COUNTS + threads) * Int32Array.BYTES_PER_ELEMENT);
}

/** A thread's view. */
export class Section {
    #words;
    #at;
    #seen = 0;
    isIn = false;

    /** @param {SharedArrayBuffer} words @param {number} at */
    constructor(words, at) {
        this.#words = new Int32Array(words);
        this.#at = at;
    }

    #add(/** @type {number} */ index) {
        this.#words[index] = (this.#words[index] ?? 0) + 1;
    }

    enter() {
        if (this.#words[INSIDE] !== 0) {
            this.#add(OVERLAPS);
        }
        this.#words[INSIDE] = this.#at + 1;
        this.#seen = this.#words[COUNT] ?? 0;
        this.isIn = true;
    }

    leave() {
        if (this.#words[INSIDE] !== this.#at + 1) {
            this.#add(OVERLAPS);
        }
        this.#words[INSIDE] = 0;
        this.#words[COUNT] = this.#seen + 1;
        this.#add(OWN_COUNTS + this.#at);
        this.isIn = false;
    }
}

/** The controller's view. */
export class SectionRecord {
    #words;

    /** @param {SharedArrayBuffer} words */
    constructor(words) {
        this.#words = new Int32Array(words);
    }

    reset() {
        this.#words.fill(0);
    }

    get hadTwoInside() {
        return this.#words[OVERLAPS] !== 0;
    }

    /** The sections that have ended, and the updates of the shared counter: fewer if an update was lost. */
    get counts() {
        const left = this.#words.subarray(OWN_COUNTS).reduce((sum, count) => sum + count, 0);
        return { left, counted: this.#words[COUNT] ?? 0 };
    }
}
