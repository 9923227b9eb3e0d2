/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { environment } from '../thread/environment.js';
import { LONGEST_DELAY_MS } from '../thread/times.js';
import { turns } from '../thread/turns.js';
import { AT_ONCE, endByTime } from './ends.js';

/** @typedef {import('./wait-queue.js').WaitQueue} WaitQueue */

/* In Node, Bun and Deno a pending waitAsync does not keep the process alive (Node ends with code 13). While requests
 * are pending, one timer of this thread does. */

let pending = 0;
/** @type {ReturnType<typeof environment.setInterval> | undefined} */
let handle;

function keepAlive() {
    if (pending === 0) {
        // Not here, at the end of the stack perhaps: engines keep a timer that they have made by half.
        environment.queueMicrotask(setTimer);
    }
    pending += 1;
}

function keepAliveNoMore() {
    pending -= 1;
    if (pending === 0) {
        setTimer();
    }
}

function setTimer() {
    if (pending > 0) {
        handle ??= environment.setInterval(() => {}, LONGEST_DELAY_MS);
    } else {
        environment.clearInterval(handle);
        handle = undefined;
    }
}

/** What waits in a queue, with a time limit. Of what follows for its caller a class of its own knows. */
export class PendingRequest {
    /** @type {PendingRequest | undefined} */
    previous;
    /** @type {PendingRequest | undefined} */
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
            this.#limit.add(this);
        }
    }

    endWait() {
        this.waits = false;
        this.#limit?.remove(this);
        this.#limit = undefined;
        keepAliveNoMore();
    }

    /** It is met: what it starts releases the lock itself. */
    run() {}

    /** @param {unknown} _reason why it was not met */
    reject(_reason) {}
}

/** In the order made. Taking one out costs the same for any length. */
export class RequestList {
    /** @type {PendingRequest | undefined} */
    first;
    /** @type {PendingRequest | undefined} */
    #last;

    /** @param {PendingRequest} request */
    append(request) {
        keepAlive(); // until its `endWait`
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
        const first = /** @type {PendingRequest} */ (this.first);
        this.remove(first);
        return first;
    }

    /** @param {PendingRequest} request of the list, whose wait is over */
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

    /** Their lock was freed: they are rejected, in turns. @returns {boolean} whether there are more */
    hear() {
        for (let left = AT_ONCE; left > 0 && this.first; left -= 1) {
            const request = this.shift();
            request.reject(request.queue.whyFreed());
        }
        return this.first !== undefined;
    }
}
