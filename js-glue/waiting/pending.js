/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { endByTime } from './ends.js';

/**
 * What each class of requests has besides.
 *
 * @typedef {object} Answers
 * @property {(result: number) => void} run it is granted (RESULT_OK), or its lock was abandoned: what it starts releases the lock
 *     itself
 * @property {(reason: any) => void} reject why it was not granted
 * @property {() => { reason: unknown } | undefined} endedBy what has ended it, though nobody has said so yet
 * @property {() => unknown} timeoutError the reason when its time is up
 * @property {() => unknown} whyNoWait the reason when nothing may wait any more
 *
 * @typedef {PendingRequest & Answers} AnyRequest
 */

/** A queued request with a time limit. Subclasses settle it. */
export class PendingRequest {
    /** @type {AnyRequest | undefined} */
    previous;
    /** @type {AnyRequest | undefined} */
    next;
    /** Still pending. */
    waits = true;
    /** @type {import('./ends.js').End | undefined} */
    #limit;

    /**
     * @param {import('./queue.js').Queue} queue
     * @param {number} ask
     * @param {number} timeout milliseconds
     */
    constructor(queue, ask, timeout) {
        this.queue = queue;
        this.ask = ask;
        this.timeout = timeout;
    }

    /** From now on its time may end it, at once too: by a timer of tests. */
    watch() {
        if (this.waits && this.timeout !== Infinity) {
            this.#limit = endByTime(this.timeout);
            this.#limit.add(/** @type {any} */ (this));
        }
    }

    /** Takes away its listener and its timers. */
    endWait() {
        this.#limit?.remove(/** @type {any} */ (this));
    }
}
