/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { attachmentFor, offsetFor } from '../memory/placed.js';
import { environment } from '../thread/environment.js';
import { isThenable } from '../waiting/section.js';
import { requestOf, standsFor } from '../waiting/request.js';
import { awaitAs, findAwaiters, forgetSections } from './awaiters.js';
import { runIn, sectionHere } from './context.js';
import { explainRejected, explainRequest } from './explain.js';

/**
 * @typedef {import('../memory/placed.js').Placed<any>} Lock
 * @typedef {import('../waiting/request.js').Request} Request
 *
 * @typedef {object} Asked
 * @property {Lock} lock
 * @property {import('./watched-methods.js').ClassName} kind the class that has the method: that of the lock may be the program's own
 * @property {string} method
 * @property {{ stack?: string | undefined }} origin
 * @property {boolean} isOwn whether that is this call's: else it is of one before
 */

/** Calls that wait. @type {Set<Call>} */
export const waiting = new Set();

/** Sections, and guards that are not released. @type {Set<Call>} */
export const holding = new Set();

/** Requests whose wait was reported. @type {WeakSet<Request>} */
const told = new WeakSet();

export function forgetCalls() {
    waiting.clear();
    holding.clear();
    forgetSections();
}

/** @param {Call | undefined} call @returns {Call | undefined} the innermost section around it that has not ended */
function lasting(call) {
    let section = call;
    while (section?.isOver) {
        section = section.within;
    }
    return section;
}

/**
 * Reads an option without running a getter, which is the method's to run.
 *
 * @param {any} options
 * @param {string} name
 */
export function valueIn(options, name) {
    try {
        return options && Object.getOwnPropertyDescriptor(options, name)?.value;
    } catch {
        return undefined; // a proxy
    }
}

/**
 * True if a section that holds so many permits waits for itself by a request there; other threads may give other
 * permits back.
 *
 * @param {{ gate?: { mayNotAwait?: (amount: number) => boolean } }} queue
 * @param {number} permits
 */
export function mayNotAwait(queue, permits) {
    return queue.gate?.mayNotAwait?.(permits) ?? true;
}

/** Shared, since each call has one. @type {Call[]} */
const NOBODY = [];

const FORGOTTEN = { stack: '' };

/** A call of a method that takes a lock: it asks, perhaps waits, holds by a callback or a guard, and is over. */
export class Call {
    /** The section whose code has called. @type {Call | undefined} */
    within = lasting(sectionHere());
    /** @type {Request | undefined} */
    request;
    /** @type {'callback' | 'guard' | undefined} */
    holdsBy;
    isOver = false;
    /** Sections that await its promise, the innermost first, as far as is known. @type {Call[]} */
    awaitedBy = NOBODY;
    /** The time when it asked, and then when it got the lock. */
    since = environment.now();
    /** Its lock's queues; a later lock at a freed one's address has others. @type {Map<object, unknown> | undefined} */
    #queues;

    /**
     * @param {Asked} asked
     * @param {unknown} [options] of the method
     */
    constructor({ lock, kind, method, origin, isOwn }, options) {
        this.lock = lock;
        this.kind = kind;
        this.method = method;
        this.origin = origin;
        this.isOwn = isOwn;
        this.permits = valueIn(options, 'permits') ?? 1;
        /** It asks, but does not wait. */
        this.isNow = valueIn(options, 'timeout') <= 0;
        this.isShared = kind === 'RwLock' && valueIn(options, 'mode') === 'shared';
    }

    /** @param {Call} other that has waited, or held */
    isOfSameLock(other) {
        return this.#queues === other.#queues;
    }

    #queuesThere() {
        return attachmentFor(this.lock).queues.get(offsetFor(this.lock));
    }

    /** True if this thread has freed the lock, which it has waited for or held. */
    get isFreed() {
        return this.#queues !== this.#queuesThere();
    }

    get waits() {
        return this.request?.waits === true && !this.isFreed;
    }

    /** True if its wait was reported. recoverAsync() waits by a request that another method of the lock has made. */
    get isTold() {
        return this.request !== undefined && told.has(this.request);
    }

    tell() {
        if (this.request !== undefined) {
            told.add(this.request);
        }
    }

    /** True if a section or a guard of this thread holds the lock alone, as far as its queue knows. */
    get isHeldAlone() {
        const queues = /** @type {Iterable<{ holds?: boolean }>} */ (this.#queues?.values() ?? []);
        return [...queues].some(({ holds }) => holds);
    }

    /**
     * @template T
     * @param {Promise<unknown>} original of the method
     * @param {Promise<T>} result of it, for the caller
     * @param {(call: Call) => void} onwait
     * @param {(call: Call) => void} onawait
     * @returns {Promise<T>} what the caller gets
     */
    asked(original, result, onwait, onawait) {
        this.request = requestOf(original);
        if (this.request === undefined) {
            return this.isNow ? explainRejected(result, this) : result;
        }
        this.#queues = this.#queuesThere();
        explainRequest(this.request, this);
        waiting.add(this);
        onwait(this);
        const given = findAwaiters(result, (sections) => {
            this.awaitedBy = sections;
            onawait(this);
        });
        standsFor(given, original);
        return given;
    }

    /** @param {'callback' | 'guard'} by */
    #hold(by) {
        this.#queues ??= this.#queuesThere();
        this.holdsBy = by;
        this.since = environment.now();
        waiting.delete(this);
        holding.add(this);
    }

    end() {
        this.isOver = true;
        holding.delete(this);
        // Else chains of ended calls would grow: a stack that nobody has read retains what its frames hold.
        this.within = lasting(this.within);
        this.origin = FORGOTTEN;
        this.request = undefined;
        this.awaitedBy = NOBODY;
    }

    holdGuard() {
        this.#hold('guard');
    }

    /**
     * @param {unknown} callback
     * @returns {unknown} what is to be called instead
     */
    around(callback) {
        return typeof callback === 'function'
            ? () => runIn(this, () => this.#runWatchedSection(callback))
            : callback;
    }

    /** Stacks end at this name (origin.js). @param {Function} callback */
    #runWatchedSection(callback) {
        this.#hold('callback');
        /** @type {Promise<unknown> | undefined} */
        let settled;
        try {
            const result = callback();
            if (isThenable(result) && !this.#isRefused(result)) {
                settled = this.#untilSettled(result);
            }
            return settled ?? result;
        } finally {
            if (settled === undefined) {
                this.end(); // even if inspecting the result throws or overflows the stack
            }
        }
    }

    /**
     * True if the result is a request for the same lock that only the section's end can grant: the method rejects it.
     *
     * @param {unknown} result
     */
    #isRefused(result) {
        const queue = requestOf(result)?.queue;
        const own = this.#queues?.values() ?? [];
        return [...own].some((one) => one === queue && mayNotAwait(/** @type {any} */ (one), this.permits));
    }

    /** @param {unknown} result */
    #untilSettled(result) {
        // The `then` of a thenable may be called only once.
        return awaitAs(this, Promise.resolve(result), () => this.end());
    }
}
