/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/** The longest delay that setTimeout takes. */
const LONGEST_DELAY = 2 ** 31 - 1;

/**
 * A timer that is never early, and takes any time. setTimeout is early in Node: it counts from the beginning of
 * the running job, so that one of 1 ms may end at once after a job of 1 ms.
 */
export class Timer {
    #deadline = 0;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    #handle;

    /**
     * @param {number} milliseconds
     * @param {() => void} onEnd
     */
    start(milliseconds, onEnd) {
        this.#deadline = performance.now() + milliseconds;
        this.#wait(onEnd);
    }

    stop() {
        clearTimeout(this.#handle);
    }

    /** @param {() => void} onEnd */
    #wait(onEnd) {
        const left = Math.ceil(this.#deadline - performance.now());
        const look = () => (performance.now() < this.#deadline ? this.#wait(onEnd) : onEnd());
        this.#handle = setTimeout(look, Math.min(left, LONGEST_DELAY));
    }
}
