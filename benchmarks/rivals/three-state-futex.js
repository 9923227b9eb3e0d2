/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

const FREE = 0;
const HELD = 1;
const CONTENDED = 2;

/**
 * The third mutex of Ulrich Drepper, "Futexes Are Tricky" (2011, https://www.akkadia.org/drepper/futex.pdf), which is
 * also musl's and, in older versions, Rust's. One word: 0 free, 1 held, 2 held and perhaps waited for; only an
 * unlock in the third state notifies. The paper's unlock is a decrement and then a store. Here it is one exchange,
 * as in later versions, which is faster.
 * @type {import('../contestants.js').Contestant}
 */
export const threeState = {
    title: 'three-state futex',
    waits: 'it has no async form',
    open({ memory, lock }) {
        const words = new Int32Array(memory.buffer);
        const index = lock / Int32Array.BYTES_PER_ELEMENT;
        return {
            lock() {
                if (Atomics.compareExchange(words, index, FREE, HELD) === FREE) {
                    return;
                }
                /* A thread that has waited cannot know whether others still wait, so it takes the lock as contended. */
                while (Atomics.exchange(words, index, CONTENDED) !== FREE) {
                    Atomics.wait(words, index, CONTENDED);
                }
            },
            unlock() {
                const found = Atomics.exchange(words, index, FREE);
                if (found === FREE) {
                    throw new Error('three-state futex: unlock() of a lock that nobody holds');
                }
                if (found === CONTENDED) {
                    Atomics.notify(words, index, 1);
                }
            },
        };
    },
};
