/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/** A semaphore on a buffer, with the names that articles on threads in JavaScript use: for docs/migration.md. */
export class CountingSemaphore {
    #counter;

    /**
     * @param {SharedArrayBuffer} buffer
     * @param {number} [offset] of the counter
     * @param {number} [initial] set by one thread only
     */
    constructor(buffer, offset = 0, initial) {
        this.#counter = new Int32Array(buffer, offset, 1);
        if (initial !== undefined) {
            Atomics.store(this.#counter, 0, initial);
        }
    }

    enter() {
        for (;;) {
            const free = Atomics.load(this.#counter, 0);
            if (free > 0 && Atomics.compareExchange(this.#counter, 0, free, free - 1) === free) {
                return;
            }
            Atomics.wait(this.#counter, 0, 0);
        }
    }

    leave() {
        Atomics.add(this.#counter, 0, 1);
        Atomics.notify(this.#counter, 0, 1);
    }
}
