/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { HoldfastError, TimeoutError } from '../errors.js';
import { RESULT_ABANDONED } from '../memory/layout.js';
import { afterTurn, hasTimers, isTurnDue, nextTurn, NO_TIMERS } from '../thread/event-loop.js';
import { endBySignal } from './ends.js';
import { PendingRequest } from './pending.js';

/** @typedef {import('./queue.js').Queue} Queue */

/** @typedef {(queue: any, callback: any, ask: number) => unknown} Start what a request does when it is granted */

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

/** Links a promise to its request. A Map of all that wait, and a WeakMap more so, costs the collector much. */
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
     * @param {Queue} queue
     * @param {number} ask
     * @param {Start} start
     * @param {unknown} callback
     * @param {import('../options.js').Wait} wait
     */
    constructor(queue, ask, start, callback, { timeout, signal }) {
        super(queue, ask, timeout);
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

    /** The reason that has ended it before its next step, though its listener has not run. */
    endedBy() {
        return this.signal?.aborted ? { reason: this.signal.reason } : undefined;
    }

    /** @param {number} result RESULT_OK, or RESULT_ABANDONED */
    run(result) {
        const { queue, resource, start, callback, ask } = this;
        try {
            if (result === RESULT_ABANDONED) {
                throw queue.gate.abandonedError();
            }
            this.#resolve(
                resource
                    ? resource.runInAsyncScope(start, undefined, queue, callback, ask)
                    : start(queue, callback, ask),
            );
        } catch (error) {
            this.#reject(error);
        }
    }

    /** @param {unknown} reason */
    reject(reason) {
        this.#reject(reason);
    }

    timeoutError() {
        return timeoutError(this.queue, this.timeout);
    }

    whyNoWait() {
        return whyNoWait(this.queue);
    }
}

/**
 * @param {Queue} queue
 * @param {number} timeout milliseconds
 */
export function timeoutError({ gate }, timeout) {
    return new TimeoutError(gate.late, timeout, gate.isMine(), gate.held());
}

/** @param {Queue} queue */
function whyNoWait({ isFreed }) {
    return isFreed
        ? new HoldfastError('HF_FREED', 'This thread has freed it.')
        : new HoldfastError('HF_NO_TIMERS', NO_TIMERS);
}

/**
 * @param {Queue} queue
 * @throws {HoldfastError} `HF_FREED`, `HF_NO_TIMERS`
 */
export function checkMayWait(queue) {
    if (queue.isFreed || !hasTimers()) {
        throw whyNoWait(queue);
    }
}

/**
 * @template C
 * @param {Queue} queue
 * @param {number} ask
 * @param {(queue: any, callback: C, ask: number) => any} start with a callback in the caller's context
 * @param {C} callback
 * @param {import('../options.js').Wait} wait
 * @returns {Promise<any>}
 */
export function request(queue, ask, start, callback, wait) {
    if (wait.timeout === 0) {
        throw timeoutError(queue, 0);
    }
    checkMayWait(queue);
    const made = new Request(queue, ask, start, callback, wait);
    queue.add(made);
    return made.promise;
}

/**
 * Other work first, if a turn is due: a request may be served, or refused, by microtasks alone.
 *
 * @template T
 * @param {Promise<T>} promise
 */
function inTurn(promise) {
    if (!isTurnDue()) {
        return promise;
    }
    const later = afterTurn(promise);
    standsFor(later, promise);
    return later;
}

/**
 * Passes a gate at once if it can, and no request of this thread was made before; else by a request.
 *
 * @template C
 * @param {import('./queue.js').Queue<import('./gate.js').Gate>} queue
 * @param {number} amount
 * @param {(queue: any, callback: C, ask: number) => any} start
 * @param {C} callback
 * @param {import('../options.js').Wait} wait
 * @returns {Promise<any>}
 */
export function ask(queue, amount, start, callback, wait) {
    const { timeout } = wait;
    if (callback === undefined && isTurnDue()) {
        // The lock is taken after the turn: others need not wait for that.
        if (timeout === 0) {
            return nextTurn().then(() => ask(queue, amount, start, callback, wait));
        }
        queue.rest();
    }
    const passes =
        queue.admits && (timeout === 0 ? queue.gate.tryWithoutWait(amount) : queue.gate.tryNow(amount));
    const promise = passes
        ? Promise.resolve(start(queue, callback, amount))
        : request(queue, amount, start, callback, wait);
    return callback === undefined ? promise : inTurn(promise);
}
