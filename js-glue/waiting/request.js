/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { RESULT_ABANDONED } from '../memory/layout.js';
import { checkAborted } from '../errors.js';
import { callersTimers, isTimeFaked } from '../thread/environment.js';
import { afterTurn, hasTimers, isTurnDue, nextTurn, NO_TIMERS, schedule } from '../thread/event-loop.js';
import { LONGEST_DELAY_MS, MOST_AT_ONCE } from '../thread/times.js';
import { abandonedError, lockError, timeoutError } from './about.js';

/**
 * @typedef {import('./queue.js').Queue} Queue
 *
 * Each class of requests also has these.
 * @typedef {object} Answers
 * @property {(result: number) => void} run ends the wait with RESULT_OK or RESULT_ABANDONED. A section that it starts
 *     releases the lock itself
 * @property {(reason: any) => void} reject ends it, with the reason
 * @property {() => void} check throws what has ended it, if that is not yet reported
 * @property {() => unknown} timeoutError the reason if its time is up
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
    /** The caller's promise, if the request has one. @type {Promise<any> | undefined} */
    promise;
    /** @type {any} */
    timer;

    /** @param {Queue} queue @param {number} ask @param {number} timeout milliseconds */
    constructor(queue, ask, timeout) {
        this.queue = queue;
        this.ask = ask;
        this.timeout = timeout;
    }

    /** Starts the time limit, by the global timers, which a program's tests may have faked. */
    watch() {
        if (this.timeout <= LONGEST_DELAY_MS) {
            const end = () => schedule(/** @type {any} */ (this));
            const early = isTimeFaked() ? 0 : 1; // Node's timers may fire up to a millisecond early
            this.timer = callersTimers.setTimeout(end, Math.ceil(this.timeout) + early);
        }
    }

    /** Called when the request's time is up. */
    work() {
        const request = /** @type {AnyRequest} */ (/** @type {unknown} */ (this));
        if (this.waits) {
            this.queue.giveUp(request, request.timeoutError());
        }
    }

    endWait() {
        callersTimers.clearTimeout(this.timer);
    }
}

/** @type {WeakMap<AbortSignal, Abort>} */
const aborts = new WeakMap();

/** One listener for all requests of a signal: each removal of a listener searches the signal's whole list. */
class Abort {
    /** @type {Set<Request>} */
    #requests = new Set();
    #signal;
    #listener = () => schedule(this);

    /** @param {AbortSignal} signal */
    constructor(signal) {
        this.#signal = signal;
        aborts.set(signal, this);
        signal.addEventListener('abort', this.#listener);
    }

    /** @param {Request} request */
    add(request) {
        this.#requests.add(request);
    }

    /** @param {Request} request */
    remove(request) {
        if (this.#requests.delete(request) && this.#requests.size === 0) {
            aborts.delete(this.#signal);
            this.#signal.removeEventListener('abort', this.#listener);
        }
    }

    /** @returns {boolean} whether more requests are to end */
    work() {
        let left = MOST_AT_ONCE;
        for (const request of this.#requests) {
            request.queue.giveUp(request, this.#signal.reason);
            left -= 1;
            if (left === 0) {
                break;
            }
        }
        return this.#requests.size > 0;
    }
}

/** Node's AsyncResource; 0 on pages. `AsyncLocalStorage.bind` takes several µs in Node 20 to 24. @type {any} */
let AsyncResource;

/** A resource that keeps this call's async context; undefined if the runtime has none. */
function newResource() {
    const { process } = /** @type {any} */ (globalThis);
    AsyncResource ??= process?.getBuiltinModule?.('node:async_hooks')?.AsyncResource ?? 0;
    return AsyncResource ? new AsyncResource('holdfast') : undefined;
}

/** The request that this thread made last, while it is pending. @type {Request | undefined} */
let newest;

/**
 * Links the newest request to another promise, which its caller gets instead.
 * @param {Promise<unknown>} promise
 * @param {Promise<unknown> | undefined} original
 */
export function standsFor(promise, original) {
    if (newest && newest.promise === original) {
        newest.promise = promise;
    }
}

/**
 * @param {unknown} promise
 * @returns {Request | undefined} the newest request of this thread, if it is pending and has that promise
 */
export function requestOf(promise) {
    return newest?.promise === promise ? newest : undefined;
}

/** A request with a callback, a promise and a signal. */
export class Request extends PendingRequest {
    /**
     * @param {Queue} queue
     * @param {number} ask
     * @param {(queue: any, callback: any, ask: number) => unknown} start called when the request is granted
     * @param {unknown} callback
     * @param {import('../options.js').Wait} wait
     */
    constructor(queue, ask, start, callback, { timeout, signal }) {
        super(queue, ask, timeout);
        // Both the callback and the await of its result run in this call's async context: to await a foreign
        // thenable runs the thenable's own code.
        const snapshot = callback && /** @type {any} */ (globalThis).AsyncContext?.Snapshot;
        this.start = snapshot ? snapshot.wrap(start) : start;
        this.resource = callback && !snapshot ? newResource() : undefined;
        this.callback = callback;
        this.signal = signal;
        this.promise = new Promise((resolve, reject) => {
            /** `holdfast/debug` uses it to find the awaiters of the promise. @type {any} */
            this.resolve = resolve;
            /** Rejects the promise. `holdfast/debug` replaces this function. @type {any} */
            this.reject = reject;
        });
        newest = this;
    }

    watch() {
        const { signal } = this;
        if (signal) {
            (aborts.get(signal) ?? new Abort(signal)).add(this);
        }
        super.watch();
    }

    endWait() {
        super.endWait();
        aborts.get(/** @type {AbortSignal} */ (this.signal))?.remove(this);
        if (newest === this) {
            newest = undefined;
        }
    }

    /** Throws the reason to end before the next step: a signal's listeners may not have run yet. */
    check() {
        checkMayWait(this.queue);
        checkAborted(this.signal);
    }

    /** @param {number} result RESULT_OK, or RESULT_ABANDONED */
    run(result) {
        const { queue, resource, start, callback, ask } = this;
        try {
            if (result === RESULT_ABANDONED) {
                throw abandonedError(queue.gate);
            }
            this.resolve(
                resource
                    ? resource.runInAsyncScope(start, undefined, queue, callback, ask)
                    : start(queue, callback, ask),
            );
        } catch (error) {
            this.reject(error);
        }
    }

    timeoutError() {
        return timeoutError(this.queue, this.timeout);
    }
}

/**
 * Throws if this thread cannot wait. In a window that is gone, nothing would end a section.
 * @param {Queue} queue
 * @throws {HoldfastError} `HF_FREED`, `HF_NO_TIMERS`
 */
export function checkMayWait({ isFreed, gate }) {
    if (isFreed) {
        throw lockError(gate, 'HF_FREED', 'This thread has freed %.');
    }
    if (!hasTimers()) {
        throw lockError(gate, 'HF_NO_TIMERS', NO_TIMERS);
    }
}

/**
 * @template C
 * @param {Queue} queue
 * @param {number} ask
 * @param {(queue: any, callback: C, ask: number) => any} start called with the callback bound to the caller's context
 * @param {C} callback
 * @param {import('../options.js').Wait} wait
 * @param {boolean} [isDue] whether other work of this thread runs first, since the wait may end by microtasks alone
 * @returns {Promise<any>}
 */
export function request(queue, ask, start, callback, wait, isDue = false) {
    if (wait.timeout === 0 && !queue.isFreed) {
        throw timeoutError(queue, 0);
    }
    checkMayWait(queue);
    const made = new Request(queue, ask, start, callback, wait);
    queue.add(made, isDue);
    return /** @type {Promise<any>} */ (made.promise);
}

/**
 * Passes a gate at once if there is room and no earlier request of this thread waits; otherwise makes a request.
 * @template C
 * @param {import('./queue.js').Queue<import('./gate.js').Gate>} queue
 * @param {number} amount
 * @param {(queue: any, callback: C, ask: number) => any} start
 * @param {C} callback
 * @param {import('../options.js').Wait} wait
 * @returns {Promise<any>}
 */
export function ask(queue, amount, start, callback, wait) {
    const isDue = isTurnDue();
    return !isDue && queue.admits && queue.gate.tryNow(amount)
        ? Promise.resolve(start(queue, callback, amount))
        : askSlowly(queue, amount, start, callback, wait, isDue);
}

/**
 * Apart from ask(), which engines compile into its callers only while it is short.
 * @type {<C>(queue: import('./queue.js').Queue<import('./gate.js').Gate>, amount: number, start: (queue: any,
 *     callback: C, ask: number) => any, callback: C, wait: import('../options.js').Wait, isDue: boolean) =>
 *     Promise<any>}
 */
function askSlowly(queue, amount, start, callback, wait, isDue) {
    const { gate } = queue;
    const isShort = wait.timeout === 0;
    // If a turn is due, a guard is granted only after it: otherwise the guard would keep others out meanwhile.
    // Exception: a reader's section may return a request to read.
    const isLater = isDue && !callback && !(gate.alone && amount !== gate.alone && gate.mayNotAwait(amount));
    if (isLater && isShort) {
        return nextTurn().then(() => {
            checkAborted(wait.signal);
            return ask(queue, amount, start, callback, wait);
        });
    }
    // `admits` comes first: it forgets a section that has lost the lock, behind which a request would wait.
    if (queue.admits && !isLater && (gate.tryNow(amount) || (isShort && gate.tryLate(amount)))) {
        const promise = Promise.resolve(start(queue, callback, amount));
        return isDue ? afterTurn(promise) : promise;
    }
    return request(queue, amount, start, callback, wait, isDue);
}
