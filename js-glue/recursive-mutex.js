/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { addDepths } from './memory/depths.js';
import {
    RECURSIVE_MUTEX_ALIGN,
    RECURSIVE_MUTEX_BYTES,
    RECURSIVE_MUTEX_MOST,
    RESULT_OK,
    RESULT_OVERFLOW,
} from './memory/layout.js';
import { attachmentFor, offsetFor, Placed, sameAs } from './memory/placed.js';
import { Mutex } from './mutex.js';
import { checkCallback, checkLimit, checkNoLimit } from './options.js';
import { checkMayBlock } from './thread/capabilities.js';
import { lockError, notOwnerError } from './waiting/about.js';
import { levelsOf } from './waiting/levels.js';
import { MUTEX } from './waiting/gate.js';
import { queueOf } from './waiting/queue-of.js';
import { Guard, runBlocking } from './waiting/section.js';

/** For errors: the methods for threads that may not block. */
const INSTEAD = 'the methods that try without a timeout, or a Mutex and its execAsync()';

/**
 * The era of each queue. A new one begins when a condition's wait ends without the mutex.
 * @type {WeakMap<object, object>}
 */
const eras = new WeakMap();

/** One nested hold, by a callback or a guard. */
class Level {
    /** The least depth at which leave() may unlock: a callback's own depth; 1 for guards, which end in any order. */
    least = 1;
    #mutex;
    #era;

    /** @param {RecursiveMutex} mutex */
    constructor(mutex) {
        this.#mutex = mutex;
        this.queue = queueOf(mutex, MUTEX);
        this.#era = eras.get(this.queue);
    }

    /**
     * True if a condition's wait has ended without the mutex: the wait had depth 1, so all levels of that time are
     * lost.
     */
    get isLost() {
        return this.#era !== eras.get(this.queue);
    }

    leave() {
        const isMine = !this.queue.isFreed && this.#mutex.depth >= this.least;
        if (this.isLost) {
            this.queue.takesLoss();
        } else if (isMine) {
            this.#mutex.unlock();
        } else {
            return notOwnerError(this.queue.gate);
        }
        return undefined;
    }

    ownRequest() {
        return undefined; // a recursive mutex has no requests
    }
}

/** @param {Level} level */
function newGuard(level) {
    return new Guard(level);
}

/**
 * A mutex that its owner may lock again. It is free once it was unlocked as often as it was locked. For code
 * that calls itself, or that locks and calls other code that locks. C's `hf_recursive_mutex`.
 *
 * Its owner is a thread, so all callbacks of one event loop are the same owner and would get in at once. That
 * is why it has no methods that wait without blocking: the page uses a `Mutex`. For the same reason, release
 * it before a turn of the event loop ends.
 *
 * ```js
 * const mutex = new RecursiveMutex();
 * worker.postMessage({ mutex: mutex.handle });
 *  // in a worker
 * mutex.exec(() => {
 *     mutex.exec(() => {}); // does not wait for itself
 * });
 * ```
 * @extends {Placed<'RecursiveMutex'>}
 */
export class RecursiveMutex extends Placed {
    static KIND = 'RecursiveMutex';
    static BYTES = RECURSIVE_MUTEX_BYTES;
    static ALIGN = RECURSIVE_MUTEX_ALIGN;

    /** The mutex inside: threads wait for it, own it and recover it. @type {Mutex} */
    #mutex;
    /** @type {import('./memory/depths.js').DepthExports} */
    #exports;
    /** @type {number} */
    #byteOffset;
    /** @type {number} */
    #self;

    /**
     * Makes a new, unlocked mutex. Blocks: never. Callable from: any thread.
     * @overload
     * @param {import('./memory/placed.js').PlaceOptions} [options]
     * @throws {HoldfastError} `HF_NO_SPACE`; `HF_NO_WEBASSEMBLY`; `HF_NO_ALLOCATOR` in another program's memory
     */
    /** @param {any[]} args */
    constructor(...args) {
        super(args, undefined, addDepths);
        const { exports, self } = attachmentFor(this);
        this.#exports = /** @type {import('./memory/depths.js').DepthExports} */ (
            /** @type {unknown} */ (exports)
        );
        this.#self = self;
        this.#byteOffset = offsetFor(this);
        this.#mutex = sameAs(Mutex, this);
        levelsOf.set(this, {
            depth: () => this.depth,
            begin: () => this.#begin(),
            lose: () => eras.set(queueOf(this, MUTEX), {}),
        });
    }

    /** How often this thread has locked it and not yet unlocked it; 0: not held by this thread. */
    get depth() {
        return this.#exports.recursive_mutex_depth(this.#byteOffset, this.#self);
    }

    /**
     * Locks it, or adds 1 to the depth if this thread holds it.
     * Blocks: until it is free, without limit (`tryLock(timeout)` has one); not if this thread holds it. Callable
     * from: workers, and Node's main thread.
     * @overload
     * @returns {void}
     * @throws {HoldfastError} `HF_MAY_NOT_BLOCK` where blocking is not allowed, before the lock is touched;
     *     `HF_OVERFLOW` if its depth is 2,147,483,647; `HF_ABANDONED` if the thread that held it has died
     */
    /** @param {unknown} [limit] */
    lock(limit) {
        checkNoLimit(limit, 'tryLock(timeout)');
        this.#lock();
    }

    /**
     * Locks it if it is or comes free within the timeout, or adds 1 to the depth if this thread holds it.
     * Blocks: for `timeout` at most, so never by default; not if this thread holds it. Callable from: any thread, an
     * audio worklet too; with a timeout the same as `lock()`.
     * @param {number | import('./options.js').TimeLimit} [timeout] milliseconds; 0 or less: do not wait
     * @returns {boolean} whether this call took it
     * @throws {HoldfastError} `HF_MAY_NOT_BLOCK`; `HF_BAD_TIMEOUT`; `HF_OVERFLOW`; `HF_ABANDONED`
     */
    tryLock(timeout = 0) {
        return this.#tryFor(checkLimit(timeout));
    }

    /**
     * Undoes one lock; the last one releases the mutex. Blocks: never. Callable from: the thread that locked it.
     * @throws {HoldfastError} `HF_NOT_OWNER` if this thread does not hold it, or only for a repair, which releases it
     *     itself; nothing changes then
     */
    unlock() {
        if (!this.#exports.recursive_mutex_surface(this.#byteOffset, this.#self)) {
            this.#mutex.unlock();
        }
    }

    /**
     * Runs the callback with the mutex held, and unlocks once, whatever the callback does.
     * Blocks: until it is free, without limit; not if this thread holds it. Callable from: the same as `lock()`.
     * @template T
     * @overload
     * @param {() => import('./waiting/section.js').NotAsync<T>} callback not async: use a `Mutex` and its `execAsync`
     *     for that
     * @returns {T} what the callback returns
     * @throws {HoldfastError} as `lock()`; `HF_BAD_CALLBACK` if the callback is not a function, or returns a promise;
     *     `HF_NOT_OWNER` if the callback has unlocked more often than it has locked; and whatever the callback throws
     */
    /** @param {() => any} callback @param {unknown} [limit] */
    exec(callback, limit) {
        checkNoLimit(limit, 'tryAcquire(timeout)');
        checkCallback(callback);
        return this.#hold((level) => {
            level.least = this.depth;
            return runBlocking(level, callback, 'a Mutex and its execAsync()');
        });
    }

    /**
     * Locks it, or adds 1 to the depth if this thread holds it, and returns a guard.
     * Blocks: until it is free, without limit; not if this thread holds it. Callable from: the same as `lock()`.
     * @overload
     * @returns {import('./waiting/section.js').Guard} whose `release()` unlocks once
     * @throws {HoldfastError} as `lock()`
     */
    /** @param {unknown} [limit] */
    acquire(limit) {
        checkNoLimit(limit, 'tryAcquire(timeout)');
        return this.#hold(newGuard);
    }

    /**
     * Locks the mutex, as `acquire()` does, if it is or comes free within the timeout.
     * Blocks: as `tryLock()`. Callable from: the same as `tryLock()`.
     * @param {number | import('./options.js').TimeLimit} [timeout] as of `tryLock()`
     * @returns {import('./waiting/section.js').Guard | null} null: not acquired
     * @throws {HoldfastError} as `tryLock()`
     */
    tryAcquire(timeout = 0) {
        return this.#hold(newGuard, checkLimit(timeout));
    }

    /**
     * Takes a mutex whose holder has died, with depth 1, runs the callback to repair the data, and makes the mutex
     * usable again. If the mutex is not abandoned when this thread gets it, or this thread holds it, nothing runs. If
     * the callback throws, the mutex stays abandoned.
     * Blocks: until it is free or found to be abandoned, without limit. Callable from: the same as `lock()`.
     * @template T
     * @overload
     * @param {() => import('./waiting/section.js').NotAsync<T>} repair runs with the lock held, and may lock it
     *     again; not async
     * @returns {boolean} whether this call ran it
     * @throws {HoldfastError} as `exec()`, but no `AbandonedError`
     */
    /** @param {() => any} repair @param {unknown} [limit] */
    recover(repair, limit) {
        checkNoLimit(limit, 'tryLock(timeout), then recover()');
        checkCallback(repair);
        checkMayBlock(INSTEAD);
        if (this.depth > 0) {
            return false;
        }
        return this.#mutex.recover(() => {
            this.#begin();
            return repair();
        });
    }

    /**
     * @template T
     * @param {(level: Level) => T} start
     * @param {number} [limit] milliseconds; without limit by default
     * @returns {any} the result of `start`; null: not acquired within the limit
     */
    #hold(start, limit) {
        if (limit === undefined) {
            this.#lock();
        } else if (!this.#tryFor(limit)) {
            return null;
        }
        return start(new Level(this));
    }

    #lock() {
        checkMayBlock(INSTEAD);
        if (!this.#isTakenAgain()) {
            this.#mutex.lock();
            this.#begin();
        }
    }

    /** @param {number} limit milliseconds */
    #tryFor(limit) {
        if (limit > 0) {
            checkMayBlock(INSTEAD);
        }
        if (this.#isTakenAgain()) {
            return true;
        }
        const taken = this.#mutex.tryLock(limit);
        if (taken) {
            this.#begin();
        }
        return taken;
    }

    /** Sets this thread's depth to 1; a dead thread may have left another. */
    #begin() {
        this.#exports.recursive_mutex_begin(this.#byteOffset);
    }

    /** @returns {boolean} whether this thread held it and has added 1 to the depth */
    #isTakenAgain() {
        const result = this.#exports.recursive_mutex_again(this.#byteOffset, this.#self);
        if (result === RESULT_OVERFLOW) {
            throw lockError(
                queueOf(this, MUTEX).gate,
                'HF_OVERFLOW',
                `This thread has locked % ${RECURSIVE_MUTEX_MOST} times, the maximum. Call unlock() once for each lock().`,
            );
        }
        return result === RESULT_OK;
    }
}
