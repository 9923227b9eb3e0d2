/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { endBy, watchOf } from './abort.js';
import * as keepAlive from '../thread/keep-alive.js';
import { limitIn } from './time-limit.js';

/** @typedef {import('./queue.js').RequestQueue} Owner */

/** @typedef {(held: any, callback: any) => unknown} Start what a request does when it is met */

/** @type {{ bind: (callback: any) => any } | undefined} */
let storage;

/**
 * The callback in the context of this call: whoever releases the lock runs it, within the same job, in which nothing else
 * of this thread can be held up by what it holds.
 *
 * @param {any} callback
 */
function inContext(callback) {
    const { AsyncContext, process } = /** @type {any} */ (globalThis);
    if (AsyncContext?.Snapshot) {
        return AsyncContext.Snapshot.wrap(callback);
    }
    // Node, Bun and Deno; pages have no context that code could see.
    storage ??= process?.getBuiltinModule?.('node:async_hooks')?.AsyncLocalStorage ?? {
        bind: (same) => same,
    };
    // As a method: Bun's needs its class as `this`.
    return storage?.bind(callback);
}

/** Each promise's request. Nobody sees it at the promise. @type {WeakMap<object, Request>} */
const requests = new WeakMap();

/**
 * Marks a promise that is given to a caller in the place of a request's own: for tracing.
 *
 * @param {Promise<unknown>} promise
 * @param {Promise<unknown>} original
 */
export function standsFor(promise, original) {
    const request = requests.get(original);
    if (request !== undefined) {
        requests.set(promise, request);
    }
}

/**
 * Whether that object is the promise of a request of that owner that still waits.
 *
 * @param {Owner} owner
 * @param {any} promise
 */
export function isPromiseOfWait(owner, promise) {
    const request = requests.get(promise);
    return request?.owner === owner && request.waits;
}

/**
 * One who waits through the event loop: what to run then, the promise of that, and what may end the wait before.
 */
export class Request {
    /** @type {Request | undefined} in its list */
    previous;
    /** @type {Request | undefined} in its list */
    next;
    /** @type {AbortSignal | undefined} what may end the wait before */
    signal;
    /** Whether it has neither been met nor given up. */
    waits = false;
    /** @type {[group: import('./end-group.js').EndGroup, call: () => void][]} what may end the wait before */
    #ends = [];
    /** It is met: runs what was asked for, which sees to the release of the lock itself. */
    run = () => {};
    /** @type {(reason: unknown) => void} */
    reject = () => {};

    /**
     * @param {Owner} owner
     * @param {number} ask
     * @param {any} held what a section of it holds
     * @param {Start} start
     * @param {unknown} callback
     */
    constructor(owner, ask, held, start, callback) {
        this.owner = owner;
        /** What it asks for. */
        this.ask = ask;
        const begin = () => start(held, callback);
        // With what awaits the result: a promise that is none of the engine's has code of its own.
        const bound = callback ? inContext(begin) : begin;
        /** @type {Promise<any>} */
        this.promise = new Promise((resolve, reject) => {
            this.reject = reject;
            this.run = () => {
                try {
                    resolve(bound());
                } catch (error) {
                    reject(error);
                }
            };
        });
        requests.set(this.promise, this);
    }

    /**
     * The wait begins. From here to `endWait` the process stays alive.
     *
     * @param {import('../options.js').Wait} wait
     */
    beginWait({ timeout, signal }) {
        this.signal = signal;
        this.waits = true;
        keepAlive.hold();
        if (timeout !== Infinity) {
            this.#endBy(limitIn(timeout), () => this.owner.timeoutError(timeout));
        }
        if (signal !== undefined) {
            this.#endBy(watchOf(signal), () => endBy(signal)?.reason);
        }
    }

    /**
     * @param {import('./end-group.js').EndGroup} group
     * @param {() => unknown} reasonOf
     */
    #endBy(group, reasonOf) {
        const call = () => this.owner.giveUp(this, reasonOf());
        group.add(call);
        this.#ends.push([group, call]);
    }

    /** The wait is over; nothing is left behind. */
    endWait() {
        this.waits = false;
        for (const [group, call] of this.#ends) {
            group.remove(call);
        }
        keepAlive.release();
    }
}
