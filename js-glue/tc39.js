/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
// The type of Symbol.dispose, for programs that are checked for older libraries.
/// <reference lib="esnext.disposable" preserve="true" />
// The specifier that programs use: the built entry imports the built package (scripts/build-dist.mjs).
import {
    AbandonedError,
    Condition as HoldfastCondition,
    HoldfastError,
    Mutex as HoldfastMutex,
} from './index.js';

/* Atomics.Mutex and Atomics.Condition of the TC39 proposal for shared structs
 * (github.com/tc39/proposal-structs), with lockAsync and waitAsync of its ASYNC-LOCKING-WAITING.md. Methods
 * are static, as in the proposal. A separate entry on top of the package's public API. docs/shapes.md says
 * how it differs from an engine's. */

/** WebKit has no Symbol.dispose; compilers of `using` call this name there. @type {typeof Symbol.dispose} */
const dispose = /** @type {any} */ (Symbol.dispose ?? Symbol.for('Symbol.dispose'));

/** The largest count that holdfast's `notify` takes. */
const MOST_NOTIFIED = 2 ** 32 - 1;

/**
 * The proposal throws a TypeError for a wrong call; this one also has a `code`.
 * @param {string} code
 * @param {string} message
 * @param {unknown} [cause]
 */
function typeError(code, message, cause) {
    return Object.assign(new TypeError(message, { cause }), { code });
}

/** @param {unknown} value */
const kindOf = (value) => (value === null ? 'null' : `of type ${typeof value}`);

/** Renames methods in a message to those of this entry. @param {string} message */
function byNamesHere(message) {
    return message
        .replace(/(execAsync\(\), )?acquireAsync\(\)/, 'Mutex.lockAsync()')
        .replace('tryLock()', 'Mutex.lockIfAvailable() with a timeout of 0');
}

/** @param {unknown} error of a call of holdfast */
function inProposal(error) {
    return error instanceof HoldfastError && !(error instanceof AbandonedError)
        ? typeError(error.code, byNamesHere(error.message), error)
        : error;
}

/**
 * @template T
 * @param {() => T} call that runs no code of the program
 * @returns {T}
 */
function withTypeErrors(call) {
    try {
        return call();
    } catch (error) {
        throw inProposal(error);
    }
}

/**
 * Turns errors into TypeErrors, as `withTypeErrors()` does, for a wait with the token's mutex. Errors of the
 * predicate pass unchanged.
 * @template T
 * @param {UnlockToken} token
 * @param {(predicate: () => any) => T} wait
 * @param {() => any} [predicate]
 * @returns {T}
 */
function waitWith(token, wait, predicate) {
    let isInside = false;
    const asked = () => {
        isInside = true;
        const answer = predicate?.();
        isInside = false;
        return answer;
    };
    try {
        return wait(asked);
    } catch (error) {
        if (isInside) {
            throw error;
        }
        if (error instanceof AbandonedError || /** @type {any} */ (error).code === 'HF_DEADLOCK') {
            token.unlock(); // the mutex was not locked again, so this only empties the token
        }
        throw inProposal(error);
    }
}

/** @param {unknown} timeout @returns {number} milliseconds */
function limitOf(timeout) {
    if (typeof timeout !== 'number') {
        throw typeError(
            'HF_BAD_TIMEOUT',
            `The timeout must be a number of milliseconds; this is ${kindOf(timeout)}.`,
        );
    }
    return Number.isNaN(timeout) ? Infinity : timeout;
}

/** @param {unknown} callback */
function checkFunction(callback) {
    if (typeof callback !== 'function') {
        throw typeError('HF_BAD_CALLBACK', `Pass a function as the callback; this is ${kindOf(callback)}.`);
    }
}

/**
 * @typedef {object} Asked
 * @property {HoldfastMutex} lock that a promise of lockAsync() waits for, or holds
 * @property {TypeError} [refusal] the error with which the request ends in place of its callback: no code has its
 *     promise
 */

/** @type {WeakMap<object, Asked>} */
const requests = new WeakMap();

/**
 * Refuses a callback's result that waits for the section itself. `holdfast` does not see it, since a section begins
 * in a later microtask.
 * @param {HoldfastMutex} held
 * @param {any} result of the callback of a section
 */
function checkIsForeign(held, result) {
    const asked = Object(result) === result ? requests.get(result) : undefined;
    if (asked && asked.lock.byteOffset === held.byteOffset && asked.lock.memory === held.memory) {
        result.catch(() => {}); // no other code handles its rejection
        asked.refusal = typeError(
            'HF_DEADLOCK',
            'The callback returned a request for the lock that it holds: each would wait for the other.',
        );
        throw asked.refusal;
    }
}

/* The private state of tokens and mutexes, for the static methods. */
/** @type {(token: UnlockToken) => Mutex | undefined} */
let mutexOf;
/** @type {(token: UnlockToken, mutex: Mutex | undefined) => void} */
let fill;
/** @type {(mutex: Mutex) => HoldfastMutex} */
let lockOf;

/** The right to unlock a mutex once. A token may be used again for a later lock, of any mutex. */
class UnlockToken {
    /** @type {Mutex | undefined} */
    #mutex;

    static {
        mutexOf = (token) => {
            if (!(Object(token) === token && #mutex in token)) {
                throw typeError(
                    'HF_BAD_TOKEN',
                    `The token must be a Mutex.UnlockToken; this is ${kindOf(token)}.`,
                );
            }
            return token.#mutex;
        };
        fill = (token, mutex) => {
            token.#mutex = mutex;
        };
    }

    /** `true` if the token holds a mutex. */
    get locked() {
        return this.#mutex !== undefined;
    }

    /**
     * Unlocks its mutex, if it holds one, and is empty then.
     * Blocks: never. Callable from: the thread that locked it.
     * @returns {boolean} whether it held a mutex
     */
    unlock() {
        const mutex = this.#mutex;
        if (mutex === undefined) {
            return false;
        }
        try {
            lockOf(mutex).unlock();
        } catch (error) {
            if (error instanceof HoldfastError) {
                this.#mutex = undefined; // the mutex was not held by this thread
            }
            throw inProposal(error);
        }
        this.#mutex = undefined;
        return true;
    }

    /** Releases the lock; `using` calls this at the end of its block. */
    [dispose]() {
        this.unlock();
    }
}

/** @param {UnlockToken | undefined} token @throws {TypeError} */
function checkEmpty(token) {
    if (token !== undefined && mutexOf(token) !== undefined) {
        throw typeError('HF_BAD_TOKEN', 'This token holds a mutex. Unlock it first, or use another token.');
    }
}

/** @param {UnlockToken} token @returns {HoldfastMutex} the mutex that it unlocks */
function heldBy(token) {
    const mutex = mutexOf(token);
    if (mutex === undefined) {
        throw typeError('HF_BAD_TOKEN', 'This token holds no mutex. Lock a mutex with it first.');
    }
    return lockOf(mutex);
}

/** @param {Mutex} mutex that this thread has locked @param {UnlockToken} [token] */
function tokenFor(mutex, token = new UnlockToken()) {
    fill(token, mutex);
    return token;
}

/**
 * `Atomics.Mutex` of the proposal: a lock that is not recursive, with static methods.
 *
 * ```js
 * const mutex = new Mutex();
 * worker.postMessage({ mutex: mutex.handle });
 * using token = Mutex.lock(mutex);
 * ```
 */
export class Mutex {
    static UnlockToken = UnlockToken;

    #lock;

    static {
        lockOf = (mutex) => {
            if (!(Object(mutex) === mutex && #lock in mutex)) {
                throw typeError(
                    'HF_BAD_MUTEX',
                    `Pass a Mutex of holdfast/tc39; this is ${kindOf(mutex)}. In another thread, get it by Mutex.from(handle).`,
                );
            }
            return mutex.#lock;
        };
    }

    /**
     * Returns the mutex of a handle that another thread posted, which may also be the handle of a `Mutex` of
     * `holdfast`. (An engine's mutex is posted directly. A program for both posts `mutex.handle ?? mutex` and reads
     * `Mutex.from?.(data) ?? data`.)
     * Blocks: never. Callable from: any thread.
     * @param {import('./memory/placed.js').Handle<'Mutex'>} handle
     * @returns {Mutex}
     * @throws {HoldfastError} `HF_BAD_HANDLE`, and as `Mutex.at` of `holdfast`
     */
    static from(handle) {
        return madeOf(handle);
    }

    /**
     * Takes the lock. Blocks: until it is free, without limit. Callable from: workers, and Node's main thread.
     * @param {Mutex} mutex
     * @param {UnlockToken} [token] an empty token; by default a new one
     * @returns {UnlockToken} the token, which unlocks the mutex
     * @throws {TypeError} with a `code`: `HF_BAD_MUTEX`, `HF_BAD_TOKEN`; `HF_MAY_NOT_BLOCK` where blocking is not
     *     allowed; `HF_DEADLOCK` if this thread holds it already
     * @throws {AbandonedError} `HF_ABANDONED` if the thread that held it has died
     */
    static lock(mutex, token) {
        const lock = lockOf(mutex);
        checkEmpty(token);
        withTypeErrors(() => lock.lock());
        return tokenFor(mutex, token);
    }

    /**
     * Takes the lock if it is or comes free within the timeout.
     * Blocks: for `timeout` at most, so never if it is 0. Callable from: any thread; with a timeout the same as
     * `lock()`.
     * @param {Mutex} mutex
     * @param {number} timeout milliseconds, fractions allowed; 0 or less: do not wait; NaN or Infinity: without limit
     * @param {UnlockToken} [token] an empty token; by default a new one
     * @returns {UnlockToken | null} null: not acquired; also if this thread holds it and `timeout` is 0
     * @throws {TypeError} as `lock()`; `HF_BAD_TIMEOUT`
     * @throws {AbandonedError}
     */
    static lockIfAvailable(mutex, timeout, token) {
        const lock = lockOf(mutex);
        checkEmpty(token);
        const limit = limitOf(timeout);
        return withTypeErrors(() => lock.tryLock(limit)) ? tokenFor(mutex, token) : null;
    }

    /**
     * Runs the callback with the lock held: in a later microtask if the lock is free, otherwise as soon as it is
     * granted. If the callback returns a promise, the lock is held until the promise settles. The lock is released
     * whatever the callback does.
     * Blocks: never. Callable from: any thread; an audio worklet only while the lock is free.
     * @template T
     * @param {Mutex} mutex
     * @param {() => T | PromiseLike<T>} callback
     * @returns {Promise<T>} the callback's result, once the lock is released. Rejects with what the callback throws,
     *     with an `AbandonedError`, or with a `TypeError` that has a `code` (`HF_DEADLOCK` if the callback returns a
     *     request for its own lock; `HF_NOT_OWNER` if it lost the lock; `HF_NO_TIMERS`)
     * @throws {TypeError} `HF_BAD_MUTEX`, `HF_BAD_CALLBACK`
     */
    static lockAsync(mutex, callback) {
        const lock = lockOf(mutex);
        checkFunction(callback);
        /** @type {Asked} */
        const asked = { lock };
        /** @type {unknown} */
        let thrown;
        const section = async () => {
            await undefined; // the callback never runs before this call returns
            try {
                if (asked.refusal) {
                    throw asked.refusal;
                }
                const result = callback();
                checkIsForeign(lock, result);
                return await result;
            } catch (error) {
                thrown = error; // thrown unchanged
                throw error;
            } finally {
                requests.delete(promise);
            }
        };
        const promise = lock.execAsync(section).catch((error) => {
            throw error === thrown ? error : inProposal(error);
        });
        requests.set(promise, asked);
        return promise;
    }

    /** @param {HoldfastMutex} [lock] @internal */
    constructor(lock) {
        this.#lock = lock instanceof HoldfastMutex ? lock : new HoldfastMutex();
    }

    /**
     * For `postMessage` and `from`. It is also a handle for `Mutex` of `holdfast`, whose methods the proposal lacks,
     * such as `recover()`.
     * @throws {HoldfastError} `HF_NOT_ISOLATED` on a page that cannot share memory
     */
    get handle() {
        return this.#lock.handle;
    }
}

/** Outside the class, since bundlers rename a class that refers to itself. @param {any} handle */
function madeOf(handle) {
    return new Mutex(HoldfastMutex.from(handle));
}

/** @type {(condition: Condition) => HoldfastCondition} */
let waitersOf;

/**
 * `Atomics.Condition` of the proposal: threads that hold a mutex wait until another thread has changed the
 * data that it guards.
 *
 * ```js
 * {
 *     using token = Mutex.lock(mutex);
 *     Condition.waitFor(notEmpty, token, Infinity, () => length[0] > 0);
 * }
 * ```
 */
export class Condition {
    #condition;

    static {
        waitersOf = (condition) => {
            if (!(Object(condition) === condition && #condition in condition)) {
                throw typeError(
                    'HF_BAD_OPTION',
                    `Pass a Condition of holdfast/tc39; this is ${kindOf(condition)}. In another thread, get it by Condition.from(handle).`,
                );
            }
            return condition.#condition;
        };
    }

    /**
     * Returns the condition of a handle that another thread posted, as `Mutex.from` does.
     * Blocks: never. Callable from: any thread.
     * @param {import('./memory/placed.js').Handle<'Condition'>} handle
     * @returns {Condition}
     * @throws {HoldfastError} `HF_BAD_HANDLE`, and as `Condition.at` of `holdfast`
     */
    static from(handle) {
        return conditionOf(handle);
    }

    /**
     * Unlocks the token's mutex, waits for a notify, and locks the mutex again.
     * Blocks: until the notify, and until the mutex is locked again, without limit. Callable from: workers, and
     * Node's main thread.
     * @param {Condition} condition
     * @param {UnlockToken} token of a mutex
     * @throws {TypeError} with a `code`: `HF_BAD_OPTION`; `HF_BAD_TOKEN` if the token is missing or empty;
     *     `HF_MAY_NOT_BLOCK`; `HF_OVERFLOW` if 262,143 wait
     * @throws {AbandonedError} if a thread died with the mutex meanwhile; then the token is empty
     */
    static wait(condition, token) {
        const waiters = waitersOf(condition);
        const lock = heldBy(token);
        waitWith(token, () => waiters.wait(lock));
    }

    /**
     * Waits, as `wait()` does, until a predicate is true or the time is up.
     * Blocks: for `timeout` at most, and until the mutex is locked again. Callable from: the same as `wait()`.
     * @template T
     * @param {Condition} condition
     * @param {UnlockToken} token
     * @param {number} timeout milliseconds, fractions allowed; 0 or less: do not wait; NaN or Infinity: without limit
     * @param {() => import('./waiting/section.js').NotAsync<T>} [predicate] called with the mutex held: before the
     *     first wait and after each; not async
     * @returns {boolean} the predicate's last result; without a predicate, whether it was notified
     * @throws {TypeError} as `wait()`; `HF_BAD_TIMEOUT`; `HF_BAD_CALLBACK` if the predicate is not a function, or is
     *     async
     * @throws {AbandonedError} and what the predicate throws
     */
    static waitFor(condition, token, timeout, predicate) {
        const waiters = waitersOf(condition);
        const lock = heldBy(token);
        const limit = limitOf(timeout);
        if (predicate === undefined) {
            return waitWith(token, () => waiters.waitFor(lock, { timeout: limit }));
        }
        checkFunction(predicate);
        return waitWith(
            token,
            (isTrue) => waiters.waitFor(lock, { timeout: limit, predicate: isTrue }),
            predicate,
        );
    }

    /**
     * Unlocks the mutex, waits for a notify, and locks the mutex again, without blocking. Await it in the code that
     * holds the mutex.
     * Blocks: never. Callable from: any thread.
     * @param {Condition} condition
     * @param {Mutex} mutex that this thread holds
     * @returns {Promise<void>} rejects with a `TypeError` that has a `code` (`HF_NOT_OWNER` if this thread does not
     *     hold the mutex; `HF_NO_TIMERS`), or with an `AbandonedError`
     * @throws {TypeError} `HF_BAD_OPTION`, `HF_BAD_MUTEX` if an argument is not a condition or a mutex
     */
    static waitAsync(condition, mutex) {
        const waiters = waitersOf(condition);
        const lock = lockOf(mutex);
        return waiters.waitAsync(lock).catch((error) => {
            throw inProposal(error);
        });
    }

    /**
     * Releases threads that wait now: the longest waiters first. A waiter that wakes late may lose its place.
     * Blocks: never. Callable from: any thread.
     * @param {Condition} condition
     * @param {number} [count] a whole number or Infinity, the default; less than 1: none
     * @returns {number} how many waits it has ended, as counted by `notify` of `holdfast`
     * @throws {TypeError} with a `code`: `HF_BAD_OPTION`, `HF_BAD_COUNT`
     */
    static notify(condition, count = Infinity) {
        const waiters = waitersOf(condition);
        if (count !== Infinity && !Number.isInteger(count)) {
            throw typeError(
                'HF_BAD_COUNT',
                `The number of waiters to notify must be a whole number or Infinity; this is ${kindOf(count)}.`,
            );
        }
        return waiters.notify(count > MOST_NOTIFIED ? Infinity : Math.max(count, 0));
    }

    /** @param {HoldfastCondition} [condition] @internal */
    constructor(condition) {
        this.#condition = condition instanceof HoldfastCondition ? condition : new HoldfastCondition();
    }

    /**
     * For `postMessage` and `from`. It is also a handle for `Condition` of `holdfast`.
     * @throws {HoldfastError} `HF_NOT_ISOLATED` on a page that cannot share memory
     */
    get handle() {
        return this.#condition.handle;
    }
}

/** As `madeOf`. @param {any} handle */
function conditionOf(handle) {
    return new Condition(HoldfastCondition.from(handle));
}
