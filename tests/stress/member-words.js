/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* The words by which a thread of the stress and the one that ends it at random come to terms: who is doomed has
 * no section open and opens none any more. So it may die at any time, and no section with it. */

/** How many sections are open, or DOOMED. */
const HOLDS = 0;
/** What it waits in, and for which locks. */
const AT = 1;
/** Its identity in the words of locks. */
const SELF = 2;
/** Set when it shall end its work. */
const STOP = 3;
/** Sections that it saw half done. */
const TORN = 4;
/** How often it got a lock when it was doomed, and gave it back. */
const GIVEN_BACK = 5;
/** Requests that ended by a timeout or an abort. */
const ENDED = 6;
/** From here on: its sections, a word a lock. */
const SECTIONS = 7;

export const MOST_LOCKS = 3;
const WORDS = SECTIONS + MOST_LOCKS;

const DOOMED = -1;

/** What a thread is in: nothing, a blocking wait, a wait through its idle event loop, or through a busy one. */
export const BETWEEN = 0;
export const BLOCKED = 1;
export const IN_LOOP = 2;
export const BUSY = 3;
const KINDS = 4;

export class MemberWords {
    /** @type {Int32Array} for messages */
    shared;

    constructor(shared = new Int32Array(new SharedArrayBuffer(WORDS * Int32Array.BYTES_PER_ELEMENT))) {
        this.shared = shared;
    }

    /** @param {number} word */
    #read(word) {
        return Atomics.load(this.shared, word);
    }

    /** @returns {boolean} whether a section may begin; if so, close() follows when the lock is released again */
    open() {
        for (let holds = this.#read(HOLDS); holds !== DOOMED; holds = this.#read(HOLDS)) {
            if (Atomics.compareExchange(this.shared, HOLDS, holds, holds + 1) === holds) {
                return true;
            }
        }
        Atomics.add(this.shared, GIVEN_BACK, 1);
        return false;
    }

    close() {
        Atomics.sub(this.shared, HOLDS, 1);
    }

    /** @returns {boolean} whether that could be: no section is open, and none will be */
    doom() {
        return Atomics.compareExchange(this.shared, HOLDS, 0, DOOMED) === 0;
    }

    get isDoomed() {
        return this.#read(HOLDS) === DOOMED;
    }

    get givenBack() {
        return this.#read(GIVEN_BACK);
    }

    /**
     * @param {number} kind
     * @param {number[]} locks
     */
    enter(kind, locks) {
        Atomics.store(
            this.shared,
            AT,
            locks.reduce((bits, lock) => bits | (KINDS << lock), kind),
        );
    }

    get kind() {
        return this.#read(AT) % KINDS;
    }

    /** @param {number} lock */
    waitsFor(lock) {
        return this.kind !== BETWEEN && (this.#read(AT) & (KINDS << lock)) !== 0;
    }

    get self() {
        return this.#read(SELF);
    }

    set self(self) {
        Atomics.store(this.shared, SELF, self);
    }

    get stopped() {
        return this.#read(STOP) !== 0;
    }

    set stopped(stopped) {
        Atomics.store(this.shared, STOP, Number(stopped));
    }

    get ended() {
        return this.#read(ENDED);
    }

    countEnded() {
        Atomics.add(this.shared, ENDED, 1);
    }

    get torn() {
        return this.#read(TORN);
    }

    /** @param {number} lock */
    sectionsOf(lock) {
        return this.#read(SECTIONS + lock);
    }

    get sections() {
        return Array.from({ length: MOST_LOCKS }, (_, lock) => this.sectionsOf(lock)).reduce((a, b) => a + b);
    }

    /**
     * @param {number} lock
     * @param {number} torn
     */
    countSection(lock, torn) {
        Atomics.add(this.shared, SECTIONS + lock, 1);
        Atomics.add(this.shared, TORN, torn);
    }

    describe() {
        const { kind, sections, givenBack } = this;
        const holds = this.#read(HOLDS);
        const state = ['between', 'blocked', 'in its loop', 'busy'][kind];
        const locks = (this.#read(AT) >>> 0).toString(16);
        return `${this.self.toString(16)}: ${state} (${locks}), holds ${holds}, ${sections} sections, gave back ${givenBack}`;
    }
}
