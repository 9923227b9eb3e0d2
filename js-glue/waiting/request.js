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

/** By their promises. A WeakMap of all requests would cost the collector much. @type {Map<unknown, Request>} */
const waiting = new Map();

/**
 * The caller gets another promise. Nothing is done where one of the two is not there yet.
 *
 * @param {Promise<unknown> | undefined} promise
 * @param {Promise<unknown> | undefined} original
 */
export function standsFor(promise, original) {
    const request = waiting.get(original);
    if (request && promise) {
        if (request.standIn === original) {
            waiting.delete(original); // of another copy of that: nobody has it
        }
        request.standIn = promise;
        waiting.set(promise, request);
    }
}

/**
 * @param {RequestQueue} queue
 * @param {unknown} promise
 */
export function isPromiseOfWait(queue, promise) {
    return waiting.get(promise)?.queue === queue;
}

/**
 * For `holdfast/debug`.
 *
 * @param {unknown} promise
 * @returns {Request | undefined} undefined: no request of this thread waits that gave it
 */
export function requestOf(promise) {
    return waiting.get(promise);
}

/** One with a callback, a promise and a signal. */
export class Request extends PendingRequest {
    /** That of tracing, or of recoverAsync(). @type {Promise<unknown> | undefined} */
    standIn;
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
        waiting.set(this.promise, this);
    }

    watch() {
        if (this.signal !== undefined) {
            this.#abort = endBySignal(this.signal);
            this.#abort.add(this);
        }
        super.watch();
    }

    endWait() {
        waiting.delete(this.promise);
        waiting.delete(this.standIn);
        this.#abort?.remove(this);
        this.#abort = undefined;
        super.endWait();
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
