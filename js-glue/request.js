/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { listen, unlisten } from './abort.js';
import * as keepAlive from './keep-alive.js';
import { Timer } from './timer.js';

/** @typedef {import('./request-queue.js').RequestQueue} Owner */

/** @typedef {(queue: any, callback: any) => unknown} Start what a request runs when it is met */

/**
 * A promise with the request that it is of as a private field: nobody sees it, and it costs less than a map of all
 * that are pending.
 */
class Marked
    extends /** @type {new (promise: Promise<unknown>) => any} */ (
        /** @type {unknown} */ (
            function (/** @type {Promise<unknown>} */ promise) {
                return promise;
            }
        )
    )
{
    /** @type {Request} */
    #request;

    /**
     * @param {Promise<unknown>} promise
     * @param {Request} request
     */
    constructor(promise, request) {
        super(promise);
        this.#request = request;
    }

    /**
     * @param {Owner} owner
     * @param {any} promise
     */
    static isOfWait(owner, promise) {
        return #request in promise && promise.#request.isWaitFor(owner);
    }
}

/**
 * Whether that object is the promise of a request of that owner that still waits.
 *
 * @param {Owner} owner
 * @param {unknown} promise
 */
export function isPromiseOfWait(owner, promise) {
    return Marked.isOfWait(owner, promise);
}

/**
 * One who waits through the event loop: what to run then, the promise of that, and what may end the wait before.
 */
export class Request {
    /** @type {Request | undefined} in its list */
    previous;
    /** @type {Request | undefined} in its list */
    next;
    #owner;
    #start;
    #callback;
    /** @type {((value: any) => void) | undefined} */
    #resolve;
    /** @type {((reason: unknown) => void) | undefined} */
    #reject;
    #wait;
    #waits = false;
    /** @type {Timer | undefined} */
    #timer;
    /** @type {(() => void) | undefined} */
    #onAbort;

    /**
     * @param {Owner} owner
     * @param {number} ask
     * @param {Start} start
     * @param {unknown} callback
     * @param {import('./options.js').Wait} wait
     */
    constructor(owner, ask, start, callback, wait) {
        this.#owner = owner;
        /** What it asks for. */
        this.ask = ask;
        this.#start = start;
        this.#callback = callback;
        this.#wait = wait;
        /** @type {Promise<any>} */
        this.promise = new Promise((resolve, reject) => {
            this.#resolve = resolve;
            this.#reject = reject;
        });
        new Marked(this.promise, this);
    }

    /** @param {Owner} owner */
    isWaitFor(owner) {
        return this.#waits && this.#owner === owner;
    }

    /** The wait begins. From here to `endWait` the process stays alive. */
    beginWait() {
        const { timeout, signal } = this.#wait;
        this.#waits = true;
        keepAlive.hold();
        if (timeout !== Infinity) {
            this.#timer = new Timer();
            this.#timer.startForCaller(timeout, () =>
                this.#owner.giveUp(this, this.#owner.timeoutError(timeout)),
            );
        }
        if (signal !== undefined) {
            this.#onAbort = () => this.#owner.giveUp(this, signal.reason);
            listen(signal, this.#onAbort);
        }
    }

    /** The wait is over; nothing is left behind. */
    endWait() {
        const { signal } = this.#wait;
        this.#waits = false;
        this.#timer?.stop();
        if (signal && this.#onAbort) {
            unlisten(signal, this.#onAbort);
        }
        keepAlive.release();
    }

    /** What may end the wait before. */
    get signal() {
        return this.#wait.signal;
    }

    /** Runs what was asked for, which sees to the release of the lock itself. */
    run() {
        try {
            this.#resolve?.(this.#start(this.#owner, this.#callback));
        } catch (error) {
            this.#reject?.(error);
        }
    }

    /** @param {unknown} reason */
    reject(reason) {
        this.#reject?.(reason);
    }
}
