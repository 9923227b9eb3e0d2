/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { listen, unlisten } from './abort.js';
import { TimeoutError } from './errors.js';
import * as keepAlive from './keep-alive.js';

/** The longest delay that setTimeout takes. */
const LONGEST_DELAY = 2 ** 31 - 1;

/**
 * One who waits for a lock through the event loop: what to run with it, the promise of that, and what may end
 * the wait before.
 */
export class Request {
    /** @type {Request | undefined} in its list */
    previous;
    /** @type {Request | undefined} in its list */
    next;
    /** @type {Promise<any>} */
    promise;
    /** @type {() => unknown} */
    #start;
    /** @type {(value: any) => void} */
    #resolve = () => {};
    /** @type {(reason: unknown) => void} */
    #reject = () => {};
    /** @type {import('./options.js').Wait} */
    #wait;
    /** @type {number} */
    #deadline = Infinity;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    #timer;
    /** @type {(() => void) | undefined} */
    #onAbort;

    /**
     * @param {() => unknown} start
     * @param {import('./options.js').Wait} wait
     */
    constructor(start, wait) {
        this.#start = start;
        this.#wait = wait;
        this.promise = new Promise((resolve, reject) => {
            this.#resolve = resolve;
            this.#reject = reject;
        });
    }

    /**
     * The wait begins. From here to `endWait` the process stays alive.
     *
     * @param {(reason: unknown) => void} giveUp called when the time is up, or the signal aborts
     */
    beginWait(giveUp) {
        const { timeout, signal } = this.#wait;
        keepAlive.hold();
        if (timeout !== Infinity) {
            this.#deadline = performance.now() + timeout;
            this.#startTimer(() => giveUp(new TimeoutError(timeout)));
        }
        if (signal !== undefined) {
            this.#onAbort = () => giveUp(signal.reason);
            listen(signal, this.#onAbort);
        }
    }

    /** The wait is over; nothing is left behind. */
    endWait() {
        const { signal } = this.#wait;
        clearTimeout(this.#timer);
        if (signal !== undefined && this.#onAbort !== undefined) {
            unlisten(signal, this.#onAbort);
        }
        keepAlive.release();
    }

    /** Runs what was asked for, which sees to the release of the lock itself. */
    run() {
        try {
            this.#resolve(this.#start());
        } catch (error) {
            this.#reject(error);
        }
    }

    /** @param {unknown} reason */
    reject(reason) {
        this.#reject(reason);
    }

    /** @param {() => void} onEnd */
    #startTimer(onEnd) {
        const left = Math.ceil(this.#deadline - performance.now());
        // Timers may come a little early, and are too short for a deadline of years.
        const look = () => (performance.now() < this.#deadline ? this.#startTimer(onEnd) : onEnd());
        this.#timer = setTimeout(look, Math.min(left, LONGEST_DELAY));
    }
}
