/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { LONGEST_DELAY_MS } from './times.js';

/**
 * A timer that is never early, and takes any time. setTimeout is early in Node: it counts from the beginning of
 * the running job, so that one of 1 ms may end at once after a job of 1 ms.
 */
export class Timer {
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    #handle;

    /**
     * @param {number} milliseconds
     * @param {() => void} onEnd
     */
    start(milliseconds, onEnd) {
        const deadline = performance.now() + milliseconds;
        const sleep = () => {
            const left = Math.ceil(deadline - performance.now());
            this.#handle = setTimeout(look, Math.min(left, LONGEST_DELAY_MS));
        };
        const look = () => (performance.now() < deadline ? sleep() : onEnd());
        sleep();
    }

    stop() {
        clearTimeout(this.#handle);
    }
}
