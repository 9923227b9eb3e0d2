/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { environment } from './environment.js';
import { LONGEST_DELAY_MS } from './times.js';

/**
 * A timer that is never early, and takes any time. setTimeout is early in Node: it counts from the beginning of
 * the running job, so that one of 1 ms may end at once after a job of 1 ms.
 */
export class Timer {
    /** @type {(() => void) | undefined} */
    #stop;

    /**
     * @param {number} milliseconds
     * @param {() => void} onEnd
     * @param {import('./environment.js').Timers} [timers]
     */
    start(milliseconds, onEnd, timers = environment) {
        const deadline = timers.now() + milliseconds;
        let handle = 0;
        const sleep = () => {
            const left = Math.ceil(deadline - timers.now());
            handle = timers.setTimeout(look, Math.min(left, LONGEST_DELAY_MS));
        };
        const stop = () => timers.clearTimeout(handle);
        const look = () => {
            if (this.#stop !== stop) {
                return; // it was not cleared by what set it: only one of the two was replaced
            }
            if (timers.now() < deadline) {
                sleep();
            } else {
                this.stop();
                onEnd();
            }
        };
        this.#stop = stop;
        sleep();
    }

    stop() {
        this.#stop?.();
        this.#stop = undefined;
    }
}
