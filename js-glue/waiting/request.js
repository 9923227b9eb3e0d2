/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { endBySignal } from './ends.js';
import { PendingRequest } from './pending.js';

/** @typedef {import('./queue.js').RequestQueue} RequestQueue */

/** @typedef {(held: any, callback: any) => unknown} Start what a request does when it is met */

/**
 * 0 on pages. Not `AsyncLocalStorage.bind`, which takes several microseconds in Node 20 to 24.
 *
 * @type {any}
 */
let AsyncResource;

/** What keeps the context of this call, if Node does that; else undefined. */
function newResource() {
    const { process } = /** @type {any} */ (globalThis);
    AsyncResource ??= process?.getBuiltinModule?.('node:async_hooks')?.AsyncResource ?? 0;
    return AsyncResource ? new AsyncResource('holdfast') : undefined;
}

/** Its constructor gives back what it gets, to which a class derived from it adds private fields. */
class Given {
    /** @param {any} object */
    constructor(object) {
        return object;
    }
}

/** What a promise knows of its request. A Map of all that wait, and a WeakMap more so, costs the collector much. */
class Stamp extends Given {
    /** All promises of one request have the same. @type {{ request: Request | undefined } | undefined} */
    #wait;

    /**
     * @param {any} promise
     * @param {{ request: Request | undefined }} wait
     */
    static set(promise, wait) {
        (#wait in promise ? promise : new Stamp(promise)).#wait = wait;
    }

    /** @param {any} promise or another value */
    static get(promise) {
        return #wait in Object(promise) ? promise.#wait : undefined;
    }
}

/**
 * The caller gets another promise. Nothing is done where one of the two is not there yet.
 *
 * @param {Promise<unknown> | undefined} promise
 * @param {Promise<unknown> | undefined} original
 */
export function standsFor(promise, original) {
    const wait = Stamp.get(original);
    if (wait && promise) {
        Stamp.set(promise, wait);
    }
}

/**
 * @param {unknown} promise
 * @returns {Request | undefined} undefined: no request of this thread waits that gave it
 */
export function requestOf(promise) {
    return Stamp.get(promise)?.request;
}

/** One with a callback, a promise and a signal. */
export class Request extends PendingRequest {
    /** @type {{ request: Request | undefined }} `request`: none when it is over */
    #wait = { request: this };
    /** @type {import('./ends.js').End | undefined} */
    #abort;
    /** @type {any} */
    #resolve;
    /** @type {any} */
    #reject;

    /**
     * @param {RequestQueue} queue
     * @param {number} ask
     * @param {any} held
     * @param {Start} start
     * @param {unknown} callback
     * @param {import('../options.js').Wait} wait
     */
    constructor(queue, ask, held, start, callback, { timeout, signal }) {
        super(queue, ask, timeout);
        this.held = held;
        // In the context of this call, with what awaits the result: a foreign promise has code of its own.
        const snapshot = callback && /** @type {any} */ (globalThis).AsyncContext?.Snapshot;
        this.start = snapshot ? snapshot.wrap(start) : start;
        this.resource = callback && !snapshot ? newResource() : undefined;
        this.callback = callback;
        this.signal = signal;
        /** @type {Promise<any>} */
        this.promise = new Promise((resolve, reject) => {
            this.#resolve = resolve;
            this.#reject = reject;
        });
        Stamp.set(this.promise, this.#wait);
    }

    watch() {
        if (this.signal) {
            this.#abort = endBySignal(this.signal);
            this.#abort.add(this);
        }
        super.watch();
    }

    endWait() {
        this.#abort?.remove(this);
        super.endWait();
        this.#wait.request = undefined;
    }

    run() {
        try {
            const { resource, start, held, callback } = this;
            this.#resolve(
                resource ? resource.runInAsyncScope(start, undefined, held, callback) : start(held, callback),
            );
        } catch (error) {
            this.reject(error);
        }
    }

    /** @param {unknown} reason */
    reject(reason) {
        this.#reject(reason);
    }
}
