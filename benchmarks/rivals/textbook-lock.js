/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

const FREE = 0;
const HELD = 1;

/**
 * The lock that tutorials teach: compare-exchange, wait, retry. Written after the mutex and the async lock
 * of "Atomics.wait, Atomics.notify, Atomics.waitAsync" (https://v8.dev/features/atomics), which says that it is not fair. One
 * word: 0 is free, 1 is held. Unlock always notifies, as in the article.
 */
export class TextbookLock {
    #words;
    #index;

    /**
     * @param {Int32Array} words a view on a SharedArrayBuffer @param {number} index of the lock's word; 0 is unlocked
     */
    constructor(words, index) {
        this.#words = words;
        this.#index = index;
    }

    #tryLock() {
        return Atomics.compareExchange(this.#words, this.#index, FREE, HELD) === FREE;
    }

    /** Blocks until the lock is free. */
    lock() {
        while (!this.#tryLock()) {
            Atomics.wait(this.#words, this.#index, HELD);
        }
    }

    unlock() {
        if (Atomics.compareExchange(this.#words, this.#index, HELD, FREE) !== HELD) {
            throw new Error('TextbookLock: unlock() of a lock that nobody holds');
        }
        Atomics.notify(this.#words, this.#index, 1);
    }

    /**
     * Runs the callback with the lock held, and settles with what it returns or throws.
     * @template T
     * @param {() => T} callback is run synchronously @returns {Promise<T>}
     */
    async execAsync(callback) {
        while (!this.#tryLock()) {
            await Atomics.waitAsync(this.#words, this.#index, HELD).value;
        }
        try {
            return callback();
        } finally {
            this.unlock();
        }
    }
}

/** @type {import('../contestants.js').Contestant} */
export const textbook = {
    title: 'textbook',
    open: ({ memory, lock }) =>
        new TextbookLock(new Int32Array(memory.buffer), lock / Int32Array.BYTES_PER_ELEMENT),
};
