/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { listen, unlisten } from './abort.js';
import * as keepAlive from './keep-alive.js';
import { Timer } from './timer.js';

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
    /** @type {Timer | undefined} */
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
     * @param {() => unknown} timeoutError the reason when the time is up
     */
    beginWait(giveUp, timeoutError) {
        const { timeout, signal } = this.#wait;
        keepAlive.hold();
        if (timeout !== Infinity) {
            this.#timer = new Timer();
            this.#timer.start(timeout, () => giveUp(timeoutError()));
        }
        if (signal !== undefined) {
            this.#onAbort = () => giveUp(signal.reason);
            listen(signal, this.#onAbort);
        }
    }

    /** The wait is over; nothing is left behind. */
    endWait() {
        const { signal } = this.#wait;
        this.#timer?.stop();
        if (signal !== undefined && this.#onAbort !== undefined) {
            unlisten(signal, this.#onAbort);
        }
        keepAlive.release();
    }

    /**
     * The signal that has aborted, if it has: its listeners may not all have run yet, and one of them may have
     * released the lock.
     */
    get abortedSignal() {
        const { signal } = this.#wait;
        return signal?.aborted ? signal : undefined;
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
}
