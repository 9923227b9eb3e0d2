/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Words that a thread of the stress shares with the thread that ends it. A doomed thread has no open section
 * and opens no more, so it may die at any time. A thread with a LINGER order stays in its next section, to
 * die there. */

/** The number of open sections, or DOOMED. */
const HOLDS = 0;
/** The kind of its wait, and the locks it waits for. */
const AT = 1;
/** The member's identity in the words of locks. */
const SELF = 2;
/** Set to end its work. */
const STOP = 3;
/** Sections in which it saw another thread inside. */
const TORN = 4;
/** How often it acquired a lock while doomed, and released it. */
const GIVEN_BACK = 5;
/** Requests that ended by a timeout or an abort. */
const ENDED = 6;
/** The member's sections. */
const SECTIONS = 7;
/** LINGER: the place and manner in which to linger, or 0. LINGERS: the number of the lock it lingers with, plus 1. */
const LINGER = 8;
const LINGERS = 9;
const WORDS = 10;

export const MOST_LOCKS = 3;

const DOOMED = -1;

/** A thread's kinds of wait: none, blocking, through its idle event loop, through a busy one. */
export const BETWEEN = 0;
export const BLOCKED = 1;
export const IN_LOOP = 2;
export const BUSY = 3;
const KINDS = 4;

/**
 * Places to linger: before the first counter; between the two, before or after its own count; after the
 * second.
 */
export const PLACES = ['before', 'half', 'counted', 'after'];
/** Manners of lingering: blocked, computing, or with an event loop that does other things meanwhile. */
export const MANNERS = ['blocked', 'computing', 'idle'];

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

    /** Opens a section; close() must follow the release. @returns {boolean} false: the thread is doomed */
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

    /** True while a section is open; it may close at any time. */
    get isInside() {
        return this.#read(HOLDS) > 0;
    }

    /** @param {string} place @param {string} manner */
    linger(place, manner) {
        const order = 1 + PLACES.indexOf(place) + PLACES.length * MANNERS.indexOf(manner);
        Atomics.store(this.shared, LINGER, order);
    }

    /** The place and manner in which to linger, if any. */
    get order() {
        const order = this.#read(LINGER) - 1;
        return order < 0
            ? undefined
            : {
                  place: PLACES[order % PLACES.length],
                  manner: MANNERS[Math.floor(order / PLACES.length)],
              };
    }

    /** The lock in whose section it lingers. */
    get lingersWith() {
        const lock = this.#read(LINGERS) - 1;
        return lock < 0 ? undefined : lock;
    }

    /**
     * Stays for ever, or lets the event loop do other work. Stays only once: after a termination Chromium still runs
     * other promises of the thread, which would stay too.
     *
     * @param {number} lock
     * @param {string | undefined} manner
     */
    stay(lock, manner) {
        if (Atomics.compareExchange(this.shared, LINGERS, 0, lock + 1) !== 0) {
            return;
        }
        if (manner === 'blocked') {
            Atomics.wait(this.shared, LINGERS, lock + 1);
        }
        while (manner === 'computing') {
            Atomics.load(this.shared, LINGERS);
        }
    }

    /** Dooms the thread. @returns {boolean} false: a section is open */
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

    get sections() {
        return this.#read(SECTIONS);
    }

    countSection() {
        Atomics.add(this.shared, SECTIONS, 1);
    }

    /** @param {number} torn */
    countTorn(torn) {
        Atomics.add(this.shared, TORN, torn);
    }

    describe() {
        const { kind, sections, givenBack } = this;
        const holds = this.#read(HOLDS);
        const state = ['between', 'blocked', 'in its loop', 'busy'][kind];
        const locks = (this.#read(AT) >>> 0).toString(16);
        const place = this.lingersWith === undefined ? '' : `, lingers with lock ${this.lingersWith}`;
        return `${this.self.toString(16)}: ${state} (${locks}), holds ${holds}, ${sections} sections, gave back ${givenBack}${place}`;
    }
}
