/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { CONTROL, controlOf } from './arena.js';

/**
 * Waits until a control word has a value, without blocking this thread.
 *
 * @param {Int32Array} control
 * @param {number} word
 * @param {number} value
 */
async function reached(control, word, value) {
    for (let found = Atomics.load(control, word); found !== value; found = Atomics.load(control, word)) {
        await Atomics.waitAsync(control, word, found).value;
    }
}

/**
 * Asks many times while the lock is held, lets it go, and waits for all answers. A worker holds the lock
 * (jobs/hold.js), or, if it locks within one thread only, a section that waits.
 */
export class Drain {
    #control;
    #executeLocked;
    #counters;
    #isHeldByWorker;
    #time = 0;

    /**
     * @param {import('./contestants.js').Lock} lock
     * @param {import('./counters.js').Counters} counters
     * @param {import('./arena.js').Arena} arena
     * @param {boolean} isHeldByWorker
     */
    constructor(lock, counters, arena, isHeldByWorker) {
        const { executeLocked } = /** @type {Required<typeof lock>} */ (lock);
        this.#control = controlOf(arena);
        this.#executeLocked = executeLocked.bind(lock);
        this.#counters = counters;
        this.#isHeldByWorker = isHeldByWorker;
    }

    /**
     * @param {number} size
     * @returns {Promise<number>} µs a request: to ask, and from the first section to the last. The time to
     *     wake this thread is left out, for it comes once however many wait.
     */
    async run(size) {
        const release = await this.#hold();
        let first = 0;
        let last = 0;
        const section = () => {
            this.#counters.enter();
            last = performance.now();
            first ||= last;
            this.#counters.leave();
        };
        const start = performance.now();
        const requests = Array.from({ length: size }, () => this.#executeLocked(section));
        const asked = performance.now();
        release();
        await Promise.all(requests);
        this.#step();
        return ((asked - start + (last - first)) * 1000) / size;
    }

    /** @returns {Promise<() => void>} when the lock is held: what releases it */
    async #hold() {
        this.#time += 1;
        if (this.#isHeldByWorker) {
            await reached(this.#control, CONTROL.ANSWER, this.#time);
            return () => this.#step();
        }
        return new Promise((resolve) => {
            void this.#executeLocked(() => new Promise((release) => resolve(() => release(undefined))));
        });
    }

    #step() {
        Atomics.add(this.#control, CONTROL.STEP, 1);
        Atomics.notify(this.#control, CONTROL.STEP);
    }
}
