/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { environment } from '../thread/environment.js';
import { LONGEST_DELAY_MS } from '../thread/times.js';
import { turns } from '../thread/turns.js';
import { AT_ONCE, endByTime } from './ends.js';

/**
 * @typedef {import('./wait-queue.js').AnyQueue} WaitQueue
 *
 * What each class of requests has besides.
 *
 * @typedef {object} Answers
 * @property {() => void} run it is met: what it starts releases the lock itself
 * @property {(reason: unknown) => void} reject why it was not met
 *
 * @typedef {PendingRequest & Answers} AnyRequest
 */

/* In Node, Bun and Deno a pending waitAsync does not keep the process alive (Node ends with code 13). While requests
 * are pending, one timer of this thread does. */

let pending = 0;
/** @type {ReturnType<typeof environment.setInterval> | undefined} */
let handle;

function keepAlive() {
    if (pending === 0) {
        handle = environment.setInterval(() => {}, LONGEST_DELAY_MS);
    }
    pending += 1;
}

/** What waits in a queue, with a time limit. Of what follows for its caller a class of its own knows. */
export class PendingRequest {
    /** @type {AnyRequest | undefined} */
    previous;
    /** @type {AnyRequest | undefined} */
    next;
    /** Neither met nor given up. */
    waits = true;
    /** @type {import('./ends.js').End | undefined} */
    #limit;

    /**
     * @param {WaitQueue} queue
     * @param {number} ask
     * @param {number} timeout milliseconds
     */
    constructor(queue, ask, timeout) {
        this.queue = queue;
        this.ask = ask;
        this.timeout = timeout;
        const all = turns();
        /** Which of this thread's it is; 0 where only this package has requests. */
        this.order = all.stand ? (all.asked += 1) : 0;
    }

    /** From now on its time may end it, at once too: by a timer of tests. */
    watch() {
        if (this.waits && this.timeout !== Infinity) {
            this.#limit = endByTime(this.timeout);
            this.#limit.add(/** @type {any} */ (this));
        }
    }

    /** Takes away its listener and its timers, which may run foreign code, or throw. May be called again. */
    endWait() {
        this.#limit?.remove(/** @type {any} */ (this));
        // No other request of this thread waits.
        if (pending === Number(this.waits)) {
            environment.clearInterval(handle);
            handle = undefined;
        }
    }
}

/** In the order made. Taking one out costs the same for any length. */
export class RequestList {
    /** @type {AnyRequest | undefined} */
    first;
    /** @type {AnyRequest | undefined} */
    #last;

    /** @param {AnyRequest} request */
    append(request) {
        keepAlive(); // until it is dropped
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
        const first = /** @type {AnyRequest} */ (this.first);
        this.remove(first);
        return first;
    }

    /** @param {AnyRequest} request of the list, whose wait is over; where this throws, it still is of the list */
    remove(request) {
        request.endWait();
        if (request.waits) {
            this.drop(request); // unless foreign code in endWait() has done so
        }
    }

    /** @param {AnyRequest} request of the list, which does not wait any more */
    drop(request) {
        pending -= 1;
        request.waits = false;
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
    }

    /** Their lock was freed: they are rejected, in turns. @returns {boolean} whether there are more */
    hear() {
        for (let left = AT_ONCE; left > 0 && this.first; left -= 1) {
            const request = this.shift();
            request.reject(request.queue.whyNoWait());
        }
        return this.first !== undefined;
    }
}
