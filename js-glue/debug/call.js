/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { foundFor } from '../memory/placed.js';
import { peek } from '../options.js';
import { requestOf, standsFor } from '../waiting/request.js';
import { isThenable } from '../waiting/section.js';
import { awaitAs } from './awaiters.js';
import { holding, mayNotAwait, waiting } from './calls.js';
import { explainRejected, explainRequest } from './explain.js';
import { isOwnOrigin, originFor } from './sites.js';
import { lookSoon } from './watch.js';

/**
 * @typedef {import('../memory/placed.js').Placed<any>} Lock
 * @typedef {import('../waiting/request.js').Request} Request
 * @typedef {import('./sites.js').By} By
 */

/** The section whose callback runs, until its first `await`. @type {Call | undefined} */
let running;

/** Shared by all calls that no section is known to await. @type {Call[]} */
const NOBODY = [];

const FORGOTTEN = { stack: '' };

/** A call of a method that takes a lock: it asks, perhaps waits, holds by a callback or a guard, and ends. */
export class Call {
    /** The section whose callback made this call before its first `await`. @type {Call | undefined} */
    within = running;
    /** @type {Request | undefined} */
    request;
    /** The call's number in `holding`, if it holds the lock. */
    number = 0;
    isDowngraded = false;
    isUpgraded = false;
    /** @type {'callback' | 'guard' | undefined} */
    holdsBy;
    /** Sections known to await its promise, the innermost first. @type {Call[]} */
    awaitedBy = NOBODY;
    /** The time when the call was first seen to wait, later to hold; 0: not yet. */
    since = 0;
    isToldOfHold = false;
    /**
     * The queues of its lock: a later lock at the same address has other ones.
     * @type {Map<object, unknown> | undefined}
     */
    #queues;

    /** @param {Lock} lock @param {By} by @param {unknown} [options] of the method */
    constructor(lock, by, options) {
        this.lock = lock;
        this.by = by;
        this.options = options;
        this.origin = originFor(lock, by);
        this.isOwn = isOwnOrigin;
    }

    get kind() {
        return this.by.kind;
    }

    get method() {
        return this.by.method;
    }

    get permits() {
        return peek(this.options, 'permits') ?? 1;
    }

    get isShared() {
        const mode = this.isUpgraded ? undefined : peek(this.options, 'mode');
        return this.kind === 'RwLock' && (this.isDowngraded || mode === 'shared' || mode === 'upgradable');
    }

    /** @param {Call} other whose `#queues` are known: it has waited or held */
    isOfSameLock(other) {
        return this.#queues === other.#queues;
    }

    #queuesThere() {
        const { attachment, byteOffset } = foundFor(this.lock);
        return attachment.queues.get(byteOffset);
    }

    get isFreed() {
        return this.#queues !== this.#queuesThere();
    }

    get waits() {
        return this.request?.waits === true && !this.isFreed;
    }

    /** True if a section or a guard of this thread holds the lock alone, as far as its queue knows. */
    get isHeldAlone() {
        const queues = /** @type {Iterable<{ holds?: boolean }>} */ (this.#queues?.values() ?? []);
        return [...queues].some(({ holds }) => holds);
    }

    /**
     * @template T
     * @param {Promise<any>} original of the method
     * @param {Promise<T>} [result] the promise that the caller gets, if not the original
     * @returns {Promise<T>} what the caller gets
     */
    asked(original, result = original) {
        this.request = requestOf(original);
        if (this.request === undefined) {
            const mayBeLate =
                peek(this.options, 'timeout') <= 0 || peek(this.options, 'deadline') !== undefined;
            return mayBeLate ? explainRejected(result, this) : result;
        }
        this.#queues = this.#queuesThere();
        explainRequest(this.request, this);
        waiting.add(this);
        lookSoon(this);
        standsFor(result, original);
        return result;
    }

    /** @param {'callback' | 'guard'} by */
    hold(by) {
        this.#queues ??= this.#queuesThere();
        this.holdsBy = by;
        this.since = 0;
        if (this.request) {
            waiting.delete(this);
        }
        holding.add(this);
        lookSoon();
    }

    end() {
        holding.delete(this);
        // Unlink, so that ended calls form no growing chain: an unread stack retains all that its frames hold.
        this.within = undefined;
        this.origin = FORGOTTEN;
        this.request = undefined;
        this.awaitedBy = NOBODY;
    }

    /** @param {unknown} callback @returns {unknown} what is to be called instead */
    around(callback) {
        return typeof callback === 'function' ? () => this.#runWatchedSection(callback) : callback;
    }

    /** origin.js cuts stacks at this function's name. @param {Function} callback */
    #runWatchedSection(callback) {
        const before = running;
        running = this;
        this.hold('callback');
        /** @type {Promise<unknown> | undefined} */
        let settled;
        try {
            const result = callback();
            if (isThenable(result) && !this.#isRefused(result)) {
                settled = awaitAs(this, Promise.resolve(result)); // the `then` of a thenable may be called only once
            }
            return settled ?? result;
        } finally {
            running = before;
            if (settled === undefined) {
                this.end();
            }
        }
    }

    /**
     * True if the result is a request for the same lock that can only be granted after this section: the method
     * rejects it.
     * @param {unknown} result
     */
    #isRefused(result) {
        const queue = requestOf(result)?.queue;
        const isOwn = queue && [...(this.#queues?.values() ?? [])].includes(queue);
        return isOwn && mayNotAwait(/** @type {any} */ (queue), this.permits);
    }
}
