/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Words that the threads of a program write while it runs. The referee reads them, even if a thread hangs. */

/** More than any program needs. */
export const MOST_OBJECTS = 10;
export const MOST_THREADS = 5;
const MOST_REQUESTS = 48;

/** The state of a request. */
const PENDING = 1;
const SETTLED = 2;

/** Four words for each object: the amount held, the sections, the arrivals, and the last arrivals of rounds. */
const HELD = 0;
const SECTIONS = HELD + MOST_OBJECTS;
const ARRIVALS = SECTIONS + MOST_OBJECTS;
const LASTS = ARRIVALS + MOST_OBJECTS;
const REQUESTS = LASTS + MOST_OBJECTS;
const WORDS = REQUESTS + MOST_THREADS * MOST_REQUESTS;

export class SharedWords {
    /** @type {Int32Array<SharedArrayBuffer>} for messages */
    shared;

    constructor(shared = new Int32Array(new SharedArrayBuffer(WORDS * Int32Array.BYTES_PER_ELEMENT))) {
        this.shared = shared;
    }

    /**
     * @param {number} object
     * @param {number} amount
     * @returns {number} how much is held now
     */
    enter(object, amount) {
        Atomics.add(this.shared, SECTIONS + object, 1);
        return Atomics.add(this.shared, HELD + object, amount) + amount;
    }

    /** @param {number} object @param {number} amount */
    leave(object, amount) {
        Atomics.sub(this.shared, HELD + object, amount);
    }

    /** @param {number} object */
    held(object) {
        return Atomics.load(this.shared, HELD + object);
    }

    /** @param {number} object */
    sections(object) {
        return Atomics.load(this.shared, SECTIONS + object);
    }

    /** @param {number} object @param {boolean} wasLast */
    arrived(object, wasLast) {
        Atomics.add(this.shared, ARRIVALS + object, 1);
        Atomics.add(this.shared, LASTS + object, Number(wasLast));
    }

    /** @param {number} object */
    arrivals(object) {
        const arrivals = Atomics.load(this.shared, ARRIVALS + object);
        return { arrivals, lasts: Atomics.load(this.shared, LASTS + object) };
    }

    /** @param {number} thread @param {string} request `r` and a number */
    #placeOf(thread, request) {
        return REQUESTS + thread * MOST_REQUESTS + (Number(request.slice(1)) % MOST_REQUESTS);
    }

    /** @param {number} thread @param {string} request */
    begins(thread, request) {
        Atomics.store(this.shared, this.#placeOf(thread, request), PENDING);
    }

    /** @param {number} thread @param {string} request */
    settles(thread, request) {
        Atomics.store(this.shared, this.#placeOf(thread, request), SETTLED);
    }

    /** @param {number} thread @returns {boolean} whether it has made a request */
    hasBegun(thread) {
        const first = REQUESTS + thread * MOST_REQUESTS;
        return this.shared
            .subarray(first, first + MOST_REQUESTS)
            .some((_, at) => Atomics.load(this.shared, first + at) > 0);
    }

    /** @param {number} thread @returns {string[]} the requests that have begun and not settled */
    pendingOf(thread) {
        const first = REQUESTS + thread * MOST_REQUESTS;
        return Array.from({ length: MOST_REQUESTS }, (_, index) => index)
            .filter((index) => Atomics.load(this.shared, first + index) === PENDING)
            .map((index) => `r${index}`);
    }
}
