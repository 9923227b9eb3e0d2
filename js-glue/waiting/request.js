/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { environment } from '../thread/environment.js';
import { LONGEST_DELAY_MS } from '../thread/times.js';
import { endBySignal, endByTime } from './ends.js';

/** @typedef {import('./queue.js').RequestQueue} RequestQueue */

/** @typedef {(held: any, callback: any) => unknown} Start what a request does when it is met */

/**
 * 0 on pages. Not `AsyncLocalStorage.bind`, which takes several microseconds in Node 20 to 24.
 *
 * @type {any}
 */
let AsyncResource;

/**
 * The function in the context of this call, whoever runs it.
 *
 * @param {Start} start
 * @returns {Start}
 */
function inContext(start) {
    const { AsyncContext, process } = /** @type {any} */ (globalThis);
    if (AsyncContext?.Snapshot) {
        return AsyncContext.Snapshot.wrap(start);
    }
    AsyncResource ??= process?.getBuiltinModule?.('node:async_hooks')?.AsyncResource ?? 0;
    if (!AsyncResource) {
        return start;
    }
    const resource = new AsyncResource('holdfast');
    return (held, callback) => resource.runInAsyncScope(start, undefined, held, callback);
}

/* In Node, Bun and Deno a pending waitAsync does not keep the process alive (Node ends with code 13). While requests
 * are pending, one timer of this thread does. */

let pending = 0;
/** @type {ReturnType<typeof environment.setInterval> | undefined} */
let handle;

function keepAlive() {
    pending += 1;
    handle ??= environment.setInterval(() => {}, LONGEST_DELAY_MS);
}

function keepAliveNoMore() {
    pending -= 1;
    if (pending === 0) {
        environment.clearInterval(handle);
        handle = undefined;
    }
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

/** A pending request: its callback, promise, timeout and signal. */
export class Request {
    /** @type {Request | undefined} */
    previous;
    /** @type {Request | undefined} */
    next;
    /** Neither met nor given up. */
    waits = true;
    /** That of tracing, or of recoverAsync(). @type {Promise<unknown> | undefined} */
    standIn;
    /** @type {import('./ends.js').End | undefined} */
    #limit;
    /** @type {import('./ends.js').End | undefined} */
    #abort;
    /** @type {(result: any) => void} */
    #resolve = () => {};
    /** @type {(reason: unknown) => void} */
    reject = () => {};

    /**
     * @param {RequestQueue} queue
     * @param {number} ask
     * @param {any} held
     * @param {Start} start
     * @param {unknown} callback
     * @param {import('../options.js').Wait} wait
     */
    constructor(queue, ask, held, start, callback, { timeout, signal }) {
        this.queue = queue;
        this.ask = ask;
        this.held = held;
        // With what awaits the result: a foreign promise has code of its own.
        this.start = callback ? inContext(start) : start;
        this.callback = callback;
        this.timeout = timeout;
        this.signal = signal;
        /** @type {Promise<any>} */
        this.promise = new Promise((resolve, reject) => {
            this.#resolve = resolve;
            this.reject = reject;
        });
        waiting.set(this.promise, this);
        keepAlive(); // until `endWait`
    }

    watch() {
        if (this.signal !== undefined) {
            this.#abort = endBySignal(this.signal);
            this.#abort.add(this);
        }
        if (this.waits && this.timeout !== Infinity) {
            this.#limit = endByTime(this.timeout);
            this.#limit.add(this); // last: a timer of tests may end it at once
        }
    }

    endWait() {
        this.waits = false;
        waiting.delete(this.promise);
        waiting.delete(this.standIn);
        this.#limit?.remove(this);
        this.#abort?.remove(this);
        this.#limit = this.#abort = undefined;
        keepAliveNoMore();
    }

    /** What it starts releases the lock itself. */
    run() {
        try {
            this.#resolve(this.start(this.held, this.callback));
        } catch (error) {
            this.reject(error);
        }
    }
}

/** In the order made. Taking one out costs the same for any length. */
export class RequestList {
    /** @type {Request | undefined} */
    first;
    /** @type {Request | undefined} */
    #last;

    /** @param {Request} request */
    append(request) {
        request.previous = this.#last;
        if (this.#last === undefined) {
            this.first = request;
        } else {
            this.#last.next = request;
        }
        this.#last = request;
    }

    /** There is a first one. */
    shift() {
        const first = /** @type {Request} */ (this.first);
        this.remove(first);
        return first;
    }

    /** @param {Request} request of the list, whose wait is over */
    remove(request) {
        const { previous, next } = request;
        if (previous === undefined) {
            this.first = next;
        } else {
            previous.next = next;
        }
        if (next === undefined) {
            this.#last = previous;
        } else {
            next.previous = previous;
        }
        // Who keeps its promise keeps no others by it.
        request.previous = undefined;
        request.next = undefined;
        request.endWait();
    }
}
