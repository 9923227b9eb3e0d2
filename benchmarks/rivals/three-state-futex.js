/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

const FREE = 0;
const HELD = 1;
const CONTENDED = 2;

/**
 * The third mutex of Ulrich Drepper, "Futexes Are Tricky" (2011, https://www.akkadia.org/drepper/futex.pdf),
 * which is also musl's and, in older versions, Rust's. One word: 0 free, 1 held, 2 held and perhaps waited
 * for; only an unlock of the third state notifies. The paper's unlock is a decrement and then a store; here
 * it is one exchange, which is what later versions use, and faster.
 */
class ThreeStateFutex {
    #words;
    #index;

    /**
     * @param {Int32Array} words a view on a SharedArrayBuffer
     * @param {number} index of the word that is the lock; 0 there is unlocked
     */
    constructor(words, index) {
        this.#words = words;
        this.#index = index;
    }

    /**
     * Blocks: until the lock is free, without limit.
     * Agents: workers; Node's main thread.
     */
    lock() {
        const found = Atomics.compareExchange(this.#words, this.#index, FREE, HELD);
        if (found === FREE) {
            return;
        }
        /* A thread that has waited cannot know whether others still wait, so it takes the lock as contended. */
        while (Atomics.exchange(this.#words, this.#index, CONTENDED) !== FREE) {
            Atomics.wait(this.#words, this.#index, CONTENDED);
        }
    }

    /**
     * Blocks: never.
     * Agents: all.
     */
    unlock() {
        const found = Atomics.exchange(this.#words, this.#index, FREE);
        if (found === FREE) {
            throw new Error('ThreeStateFutex: unlock() of a lock that nobody holds');
        }
        if (found === CONTENDED) {
            Atomics.notify(this.#words, this.#index, 1);
        }
    }
}

/** @type {import('../contestants.js').Contestant} */
export const threeState = {
    title: 'three-state futex',
    waits: 'it has no async form',
    open: ({ memory, lock }) =>
        new ThreeStateFutex(new Int32Array(memory.buffer), lock / Int32Array.BYTES_PER_ELEMENT),
};
