/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { HoldfastError, TimeoutError } from '../errors.js';
import { LATCH_ALIGN } from '../memory/layout.js';
import { hasTimers, NO_TIMERS } from '../thread/event-loop.js';
import { abortOf } from './ends.js';
import { Request, requestOf } from './request.js';
import { WaitQueue } from './wait-queue.js';

/**
 * @typedef {import('../memory/attachment.js').Attachment} Attachment
 * @typedef {import('./wait-queue.js').Waitable} Waitable
 */

/** One thread's requests for one primitive, each with a promise. */
export class RequestQueue extends WaitQueue {
    #waitable;

    /** @param {Waitable} waitable */
    constructor(waitable) {
        super(waitable);
        this.#waitable = waitable;
    }

    /** @throws {HoldfastError} `HF_FREED`, `HF_NO_TIMERS` */
    checkMayWait() {
        if (this.isFreed || !hasTimers()) {
            throw this.whyNoWait();
        }
    }

    /**
     * @template T
     * @template C
     * @param {number} ask
     * @param {any} held for `start`
     * @param {(held: any, callback: C) => T | PromiseLike<T>} start with a callback in the caller's context
     * @param {C} callback
     * @param {import('../options.js').Wait} wait
     * @returns {Promise<T>}
     */
    request(ask, held, start, callback, wait) {
        if (wait.timeout === 0) {
            throw this.timeoutError(0);
        }
        this.checkMayWait();
        const request = new Request(this, ask, held, start, callback, wait);
        this.add(request);
        return request.promise;
    }

    /**
     * Whether that is a pending request of this queue: a section that waits for it waits for itself.
     *
     * @param {unknown} promise
     */
    awaits(promise) {
        return requestOf(promise)?.queue === this;
    }

    /** Whether this thread holds it, by code that a request of its own waits for. */
    isMine() {
        return false;
    }

    /** @param {number} timeout */
    timeoutError(timeout) {
        return new TimeoutError(this.#waitable.late, timeout, this.isMine(), this.#waitable.held?.());
    }

    /**
     * A signal's listeners may not have run yet, and one of them may have released the lock.
     *
     * @param {Request} request
     */
    endOf({ signal }) {
        return signal && abortOf(signal);
    }

    whyNoWait() {
        return this.isFreed
            ? new HoldfastError('HF_FREED', 'This thread has freed it.')
            : new HoldfastError('HF_NO_TIMERS', NO_TIMERS);
    }
}

/** Each lock is at a multiple of this. */
const LEAST_ALIGN = LATCH_ALIGN;

/**
 * The class of a lock's queues, and what that needs to know.
 *
 * @template Queue
 * @typedef {{ Queue: new (attachment: Attachment, byteOffset: number, kind: any) => Queue }} Kind
 */

/**
 * This thread's one queue for the lock there.
 *
 * @template {RequestQueue} Queue
 * @param {Attachment} attachment
 * @param {number} byteOffset
 * @param {Kind<Queue>} kind
 * @returns {Queue}
 */
export function queueAt(attachment, byteOffset, kind) {
    let queues = attachment.queues.get(byteOffset);
    if (queues === undefined) {
        attachment.queues.set(byteOffset, (queues = new Map()));
    }
    let queue = /** @type {Queue | undefined} */ (queues.get(kind));
    if (queue === undefined) {
        queues.set(kind, (queue = new kind.Queue(attachment, byteOffset, kind)));
    }
    return queue;
}

/**
 * The locks in these bytes were freed. Waits that are pending there come back to queues that nobody else knows.
 *
 * @param {Attachment} attachment
 * @param {number} begin
 * @param {number} end
 */
export function freeQueues({ queues }, begin, end) {
    for (let place = begin; place < end; place += LEAST_ALIGN) {
        const there = queues.get(place);
        queues.delete(place); // first: the code of signals may make the next lock there
        there?.forEach((queue) => queue.free());
    }
}
