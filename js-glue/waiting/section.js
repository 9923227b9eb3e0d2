/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
// The type of Symbol.dispose, for programs that are checked for older libraries.
/// <reference lib="esnext.disposable" preserve="true" />
import { HoldfastError } from '../errors.js';
import { lockError } from './about.js';
import { requestOf } from './request.js';

/**
 * @typedef {import('./queue.js').Queue<import('./gate.js').Gate>} GateQueue
 * @typedef {import('./request.js').AnyRequest} AnyRequest
 */

/** True if `await` would treat the value as a promise. @param {any} value */
export function isThenable(value) {
    return typeof value?.then === 'function';
}

/**
 * The type of a callback's result that is not a promise. For an async callback it is a text that no value matches,
 * which compilers show. (Generic code has no known type: `exec<any>(callback)`.)
 * @template T
 * @typedef {T extends PromiseLike<unknown> ? 'an async callback: use execAsync(), recoverAsync() or runAsync()' : T}
 *     NotAsync
 */

/**
 * @template T
 * @param {T} result of a callback that may not be async
 * @param {string} message
 * @returns {T}
 * @throws {HoldfastError} `HF_BAD_CALLBACK`
 */
export function notAsync(result, message) {
    if (isThenable(result)) {
        throw refused(requestOf(result), new HoldfastError('HF_BAD_CALLBACK', message));
    }
    return result;
}

/** @param {() => unknown} predicate */
export function isTrue(predicate) {
    return Boolean(notAsync(predicate(), 'A predicate returns true or false, not a promise.'));
}

/**
 * Code, or a guard, that holds a lock or some permits.
 *
 * STATES
 *
 *   state       meaning                                                      its end
 *   holds       it holds the lock                                            releases
 *   suspended   it has released the lock for a condition's wait, after       fails: HF_NOT_OWNER, and the wait releases
 *               which it holds it again                                      what it gets
 *   lost        that wait has ended without the lock, and its error said so  does nothing
 *   over        it has ended, or other code has released the lock            fails: HF_NOT_OWNER
 *
 * A queue's own section has no end: it begins again.
 */
export class Section {
    /** @type {'holds' | 'suspended' | 'lost' | 'over'} */
    state = 'holds';

    /**
     * @param {GateQueue} queue of the gate that was just passed
     * @param {number} amount
     * @param {number} [dead] of a repair: the dead owner, written back into the lock at the end; 0: the lock is
     *     recovered
     */
    constructor(queue, amount, dead = 0) {
        this.queue = queue;
        this.amount = amount;
        this.dead = dead;
        /**
         * The last request that waited when the section began. Not a count of requests: a count would grow for ever,
         * and with it the number of a model's states.
         */
        this.before = queue.last;
        if (amount === queue.gate.alone) {
            queue.begin(this);
        }
    }

    get isLost() {
        return this.state === 'lost';
    }

    /** Releases. @returns {Error | undefined} if that failed */
    leave() {
        const { queue, amount, dead, state } = this;
        if (queue.own !== this) {
            this.state = 'over';
        }
        if (state !== 'holds' || queue.isFreed) {
            return state === 'lost' ? undefined : lostError(queue);
        }
        const error = dead ? queue.gate.abandon(amount, dead) : queue.gate.leave(amount);
        if (queue.section === this) {
            queue.end();
        }
        return error;
    }

    /**
     * @param {unknown} promise
     * @returns {AnyRequest | undefined} the request with that promise, if it was made in the section and cannot be
     *     granted before the section ends
     */
    ownRequest(promise) {
        const { queue, before } = this;
        let request = queue.last;
        while (request && request !== before && request.promise !== promise) {
            request = request.previous;
        }
        return request !== before && queue.gate.mayNotAwait(this.amount) ? request : undefined;
    }
}

/** @param {GateQueue} queue */
function lostError({ gate }) {
    const message = '% was released by unlock(), free(), or a waitAsync() that was not awaited.';
    return lockError(gate, 'HF_NOT_OWNER', message);
}

/**
 * @typedef {object} Lasting the hold of a lock by a callback or a guard, until its release
 * @property {boolean} isLost whether a condition's wait in it has ended without the lock
 * @property {GateQueue} queue
 * @property {() => Error | undefined} leave releases; returns an error if that failed
 * @property {(promise: unknown) => AnyRequest | undefined} ownRequest
 */

/** @param {Lasting} section whose code succeeded */
function end(section) {
    const error = section.leave();
    if (error !== undefined) {
        throw error;
    }
}

/**
 * Runs the callback with the lock held, and releases it whatever the callback does.
 * @template T
 * @param {Lasting} section
 * @param {() => T | PromiseLike<T>} callback
 * @returns {T | Promise<T>} a promise settles after the release
 */
export function runSection(section, callback) {
    let result;
    try {
        result = callback();
        if (isThenable(result)) {
            checkIsForeign(section, result);
            section.queue.own = undefined;
            section.queue.lasting += 1;
            return settle(section, result);
        }
    } catch (error) {
        section.leave();
        throw error;
    }
    end(section);
    return /** @type {T} */ (result);
}

/** @param {Lasting} section @param {any} promise that a callback returned @throws {HoldfastError} `HF_DEADLOCK` */
export function checkIsForeign(section, promise) {
    const request = section.ownRequest(promise);
    if (request) {
        const message = 'The callback returned a request for %, which it holds.';
        throw refused(request, lockError(request.queue.gate, 'HF_DEADLOCK', message));
    }
}

/**
 * Ends a request that a callback returned. No other code has the promise, so what the request acquires would never be
 * released.
 * @param {AnyRequest | undefined} request
 * @param {HoldfastError} error the reason
 */
function refused(request, error) {
    if (request) {
        request.promise?.catch(() => {});
        request.queue.giveUp(request, error);
    }
    return error;
}

/**
 * @template T
 * @param {Lasting} section
 * @param {T | PromiseLike<T>} promise that its callback returned
 */
async function settle(section, promise) {
    let value;
    try {
        value = await promise; // not promise.then(), which the promise may define itself
    } catch (error) {
        section.leave();
        throw error;
    } finally {
        section.queue.lasting -= 1;
    }
    end(section);
    return value;
}

/**
 * @template T
 * @param {Lasting} section
 * @param {() => T} callback not async
 * @param {string} instead the method for async callbacks
 * @returns {T}
 */
export function runBlocking(section, callback, instead) {
    return /** @type {T} */ (
        runSection(section, () => notAsync(callback(), `The callback returned a promise. Use ${instead}.`))
    );
}

/** The error of unlock(), which cannot end a section. @param {GateQueue} queue */
export function heldError({ gate }) {
    return lockError(gate, 'HF_NOT_OWNER', 'A guard or a callback holds %, and releases it itself.');
}

/** WebKit has no Symbol.dispose; compilers of `using` call this name there. @type {typeof Symbol.dispose} */
const dispose = /** @type {any} */ (Symbol.dispose ?? Symbol.for('Symbol.dispose'));

/**
 * A held lock, or held permits, as an object: for code that releases in another place than it takes, and for `using`,
 * where the runtime has it.
 */
export class Guard {
    /** @type {Lasting} */
    #section;
    #isOver = false;

    /** @param {any} section that ends as the guard is released */
    constructor(section) {
        section.queue.lasting += 1;
        this.#section = section;
    }

    /** True if it was released, or a condition's wait has ended without its mutex. */
    get released() {
        return this.#isOver || this.#section.isLost;
    }

    /**
     * Releases the lock, or gives the permits back. Does nothing if a condition's wait has ended without the mutex,
     * as its error said.
     * Blocks: never. Callable from: the thread that got the guard.
     * @throws {HoldfastError} `HF_NOT_OWNER` if it was released before, or other code has released the lock;
     *     `HF_OVERFLOW` if other code has called a semaphore's leave() too often, so that the permits cannot be given
     *     back
     */
    release() {
        const { queue } = this.#section;
        if (this.#isOver) {
            throw lockError(queue.gate, 'HF_NOT_OWNER', 'This guard of % is already released.');
        }
        this.#isOver = true;
        queue.lasting -= 1;
        end(this.#section);
    }

    /** Releases it if still held; `using` calls this at the end of its block. */
    [dispose]() {
        if (!this.#isOver) {
            this.release();
        }
    }
}

/* Starts of granted requests. */

/** @type {<T>(queue: GateQueue, callback: () => T | PromiseLike<T>, amount: number) => T | Promise<T>} */
export const startSection = (queue, callback, amount) => {
    let section = queue.own;
    if (section?.amount === amount) {
        section.before = queue.last;
        queue.begin(section);
    } else {
        section = new Section(queue, amount);
        if (amount === queue.gate.alone) {
            queue.own = section;
        }
    }
    return runSection(section, callback);
};

/** @type {(queue: GateQueue, callback: undefined, amount: number) => Guard} */
export const startGuard = (queue, _, amount) => new Guard(new Section(queue, amount));
