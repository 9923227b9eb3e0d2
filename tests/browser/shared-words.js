/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { LockSpace, Mutex } from '../../js-glue/index.js';

/* Words that the page and its workers share besides the mutex, by index. FIRST and SECOND detect broken mutual
 * exclusion: the mutex guards them, they are written without atomics, and they differ only inside a section. */
export const FIRST = 0;
export const SECOND = 1;
/** How many sections saw FIRST and SECOND differ. */
export const TORN = 2;
/** Set once, to end hammering workers or to let the holder release. */
export const STOP = 3;
/** The holder has the mutex. */
export const HELD = 4;
/** The holder has released the mutex. */
export const RELEASED = 5;
/** The iframe's request was given up, and the iframe's own code knows. */
export const GIVEN_UP = 6;
/** The first of the counts of sections, one for each worker. */
export const SECTIONS = 7;
export const WORKERS_AT_MOST = 8;

/** @typedef {{ mutex: import('../../js-glue/index.js').HandleOf<import('../../js-glue/index.js').Mutex>, byteOffset: number }} SharedHandle */

function lingerByClock() {
    for (const end = performance.now() + 0.02; performance.now() < end;) {
        /* goes on */
    }
}

/** One mutex and the words it guards, in one space, as one thread sees them. */
export class Shared {
    mutex;
    words;
    #byteOffset;
    #lockWords;

    /**
     * @param {Mutex} mutex
     * @param {LockSpace} space
     * @param {number} byteOffset
     */
    constructor(mutex, space, byteOffset) {
        this.mutex = mutex;
        this.#byteOffset = byteOffset;
        this.words = new Int32Array(space.buffer, byteOffset, SECTIONS + WORKERS_AT_MOST);
        this.#lockWords = new Int32Array(space.buffer, mutex.byteOffset, Mutex.BYTES / 4);
    }

    static create() {
        const space = new LockSpace();
        return new Shared(new Mutex({ space }), space, space.alloc((SECTIONS + WORKERS_AT_MOST) * 4, 4));
    }

    /** @param {SharedHandle} handle */
    static from({ mutex, byteOffset }) {
        return new Shared(Mutex.from(mutex), LockSpace.attach(mutex.memory), byteOffset);
    }

    /** @returns {SharedHandle} */
    get handle() {
        return { mutex: this.mutex.handle, byteOffset: this.#byteOffset };
    }

    /** The words of the mutex itself, only to be read. */
    lockWords() {
        return Array.from(this.#lockWords, (_, index) => Atomics.load(this.#lockWords, index) >>> 0);
    }

    /**
     * One section: call it with the mutex held.
     *
     * @param {() => unknown} [linger] long enough that a second thread in here would be seen
     */
    section(linger = lingerByClock) {
        const { words } = this;
        if (words[FIRST] !== words[SECOND]) {
            Atomics.add(words, TORN, 1);
        }
        words[FIRST] = this.read(FIRST) + 1;
        linger();
        words[SECOND] = this.read(SECOND) + 1;
    }

    /**
     * Runs a section, and counts it.
     *
     * @param {number} index of the count
     * @param {() => unknown} [linger]
     */
    countedSection(index, linger) {
        this.section(linger);
        this.count(index);
    }

    /** @param {number} index of a count of sections, or of what else a thread counts */
    count(index) {
        Atomics.add(this.words, SECTIONS + index, 1);
    }

    /** The words, for a message. */
    description() {
        return `lock ${this.lockWords().map((word) => word.toString(16))}, words ${this.words}`;
    }

    /** @param {number} index */
    read(index) {
        return Atomics.load(this.words, index);
    }

    /**
     * Stores the value, and wakes its waiters.
     * @param {number} index
     * @param {number} value
     */
    publish(index, value) {
        Atomics.store(this.words, index, value);
        Atomics.notify(this.words, index);
    }
}
