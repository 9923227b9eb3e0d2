/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { blockingAllowed, checkMayBlock } from './thread/capabilities.js';
import { MUTEX_ALIGN, MUTEX_BYTES, RESULT_OK } from './memory/layout.js';
import { checkCallback, checkLimit, checkNoLimit, checkWait } from './options.js';
import { foundFor, Placed } from './memory/placed.js';
import { promised, settled } from './thread/event-loop.js';
import { notOwnerError } from './waiting/about.js';
import { goOnLocking, MUTEX, tryPass } from './waiting/gate.js';
import { queueOf } from './waiting/queue-of.js';
import { recover, recoverAsync } from './waiting/recovery.js';
import { ask } from './waiting/request.js';
import { Guard, heldError, runBlocking, Section, startGuard, startSection } from './waiting/section.js';

/**
 * A lock that at most one thread holds at a time. Workers wait for it by `lock()`, which blocks, and the page
 * by `execAsync()`, which does not. All threads with its handle share it, and so does C code.
 *
 * It has an owner: only the thread that locked it can unlock it. It is not recursive. A running thread may
 * take it ahead of waiting threads, for about a millisecond. Then the lock goes to one of them. If 30 threads
 * block for it while others lock it again at once, most wait for about 30 ms, and some for 150.
 *
 * ```js
 * const mutex = new Mutex();
 * worker.postMessage({ mutex: mutex.handle });
 * await mutex.execAsync(() => {
 *     counter[0] += 1;
 * });
 * ```
 * @extends {Placed<'Mutex'>}
 */
export class Mutex extends Placed {
    static KIND = 'Mutex';
    static BYTES = MUTEX_BYTES;
    static ALIGN = MUTEX_ALIGN;

    /** @type {import('./memory/attachment.js').Attachment} */
    #attachment;
    /** @type {import('./memory/module.js').Exports} */
    #exports;
    /** @type {number} */
    #byteOffset;
    /** @type {number} */
    #self;
    /** @type {import('./waiting/section.js').GateQueue | undefined} */
    #knownQueue;

    /**
     * Makes a new, unlocked mutex. Blocks: never. Callable from: any thread.
     * @overload
     * @param {import('./memory/placed.js').PlaceOptions} [options]
     * @throws {HoldfastError} `HF_NO_SPACE`; `HF_NO_WEBASSEMBLY`; `HF_NO_ALLOCATOR` in another program's memory
     */
    /** @param {any[]} args */
    constructor(...args) {
        super(args);
        const { attachment, byteOffset } = foundFor(this);
        this.#attachment = attachment;
        this.#exports = attachment.exports;
        this.#self = attachment.self;
        this.#byteOffset = byteOffset;
    }

    /**
     * Takes the lock.
     * Blocks: until it is free, without limit (`tryLock(timeout)` has one). Callable from: workers, and Node's main
     * thread.
     * @overload
     * @returns {void}
     * @throws {HoldfastError} `HF_MAY_NOT_BLOCK` where blocking is not allowed, before the lock is touched;
     *     `HF_DEADLOCK` if this thread holds it already; `HF_ABANDONED` if the thread that held it has died
     */
    /** @param {unknown} [limit] */
    lock(limit) {
        if (limit === undefined && blockingAllowed === true && this.#attachment.sections === 0) {
            this.#takeBlocking(); // inlined below: two nanoseconds faster
            return;
        }
        checkNoLimit(limit, 'tryLock(timeout)');
        this.#take();
        this.#queue().takenByLock(); // a section on record has lost the lock
    }

    /**
     * Takes the lock if it is or comes free within the timeout.
     * Blocks: for `timeout` at most, so never by default. Callable from: any thread, an audio worklet too; with a
     * timeout the same as `lock()`.
     * @param {number | import('./options.js').TimeLimit} [timeout] milliseconds; 0 or less: do not wait
     * @returns {boolean} whether this call took it; false too if this thread holds it and `timeout` is 0
     * @throws {HoldfastError} `HF_MAY_NOT_BLOCK`; `HF_DEADLOCK` if it would wait for itself; `HF_BAD_TIMEOUT`;
     *     `HF_ABANDONED`
     */
    tryLock(timeout = 0) {
        const taken = this.#tryFor(checkLimit(timeout));
        if (taken && this.#attachment.sections !== 0) {
            this.#queue().takenByLock();
        }
        return taken;
    }

    /**
     * Releases the lock. Does nothing if a condition's wait has just ended without the lock, as its error said.
     * Blocks: never. Callable from: the thread that locked it.
     * @throws {HoldfastError} `HF_NOT_OWNER` if this thread does not hold it, or holds it by a guard or for a
     *     callback, which release it themselves; nothing changes then
     */
    unlock() {
        if (this.#attachment.sections !== 0) {
            const queue = this.#queue();
            if (queue.takesLoss()) {
                return;
            }
            if (queue.holds) {
                throw heldError(queue);
            }
        }
        const result = this.#exports.mutex_unlock(this.#byteOffset, this.#self);
        if (result !== RESULT_OK) {
            throw notOwnerError(this.#queue().gate);
        }
    }

    /**
     * Runs the callback with the lock held, and releases it whatever the callback does.
     * Blocks: until it is free, without limit. Callable from: the same as `lock()`.
     * @template T
     * @overload
     * @param {() => import('./waiting/section.js').NotAsync<T>} callback not async: use `execAsync` for that
     * @returns {T} what the callback returns
     * @throws {HoldfastError} as `lock()`; `HF_BAD_CALLBACK` if the callback is not a function, or returns a promise;
     *     `HF_NOT_OWNER` if the lock was released before the callback ended; and whatever the callback throws
     */
    /** @param {() => any} callback @param {unknown} [limit] */
    exec(callback, limit) {
        checkNoLimit(limit, 'tryAcquire(timeout)');
        checkCallback(callback);
        this.#take();
        return runBlocking(this.#section(), callback, 'execAsync()');
    }

    /**
     * Takes the lock and returns a guard.
     *
     * Do not `await` it, as one would `acquire()` of async-mutex: it stops the whole thread, including code that
     * would release the lock. Write `await acquireAsync()`.
     * Blocks: until it is free, without limit (`tryAcquire(timeout)` has one). Callable from: the same as `lock()`.
     * @overload
     * @returns {Guard}
     * @throws {HoldfastError} as `lock()`
     */
    /** @param {unknown} [limit] */
    acquire(limit) {
        checkNoLimit(limit, 'tryAcquire(timeout)');
        this.#take();
        return new Guard(this.#section());
    }

    /**
     * Takes the lock if it is or comes free within the timeout, and returns a guard.
     * Blocks: as `tryLock()`. Callable from: the same as `tryLock()`.
     * @param {number | import('./options.js').TimeLimit} [timeout] as of `tryLock()`
     * @returns {Guard | null} null: not acquired
     * @throws {HoldfastError} as `tryLock()`
     */
    tryAcquire(timeout = 0) {
        return this.#tryFor(checkLimit(timeout)) ? new Guard(this.#section()) : null;
    }

    /**
     * Runs the callback with the lock held: before this call returns if the lock is free, otherwise as soon as it is
     * granted. If the callback returns a promise, the lock is held until the promise settles. The lock is released
     * whatever the callback does. The requests of one thread run in the order made, each in its caller's async
     * context.
     *
     * Not recursive: a callback that waits for a request of its own for the same lock waits for itself. If it returns
     * the request's promise, that is an error, which ends both. If it awaits the promise, nothing ends the wait but
     * the request's timeout or signal.
     * Blocks: never. Callable from: any thread; an audio worklet only while the lock is free.
     * @template T
     * @param {() => T | PromiseLike<T>} callback
     * @param {import('./options.js').WaitOptions} [options]
     * @returns {Promise<T>} the callback's result. Rejects with what the callback throws, with a `TimeoutError`, with
     *     the signal's reason, with an `AbandonedError` if the holder has died, or with `HF_DEADLOCK`,
     *     `HF_NO_TIMERS`, `HF_NOT_OWNER` if the lock was released before the callback ended, or the code for a bad
     *     argument.
     */
    execAsync(callback, options) {
        try {
            checkCallback(callback);
            return ask(this.#queue(), this.#self, startSection, callback, checkWait(options));
        } catch (error) {
            return settled(Promise.reject(error));
        }
    }

    /**
     * `execAsync()` by the name that it has in the articles on `Atomics`.
     * Blocks: never. Callable from: the same as `execAsync()`.
     * @template T
     * @param {() => T | PromiseLike<T>} callback
     * @param {import('./options.js').WaitOptions} [options]
     * @returns {Promise<T>} as of `execAsync`
     */
    executeLocked(callback, options) {
        return this.execAsync(callback, options);
    }

    /**
     * Takes the lock without blocking, and resolves with a guard: what async-mutex calls `acquire()`.
     * Blocks: never. Callable from: the same as `execAsync()`.
     * @param {import('./options.js').WaitOptions} [options]
     * @returns {Promise<Guard>} rejects as `execAsync` does
     */
    acquireAsync(options) {
        return promised(() => ask(this.#queue(), this.#self, startGuard, undefined, checkWait(options)));
    }

    /**
     * Takes a lock whose holder has died, runs the callback to repair the data, and makes the lock usable again. If
     * the lock is not abandoned when this thread gets it, nothing runs. If the callback throws, the lock stays
     * abandoned.
     * Blocks: until it is free or found to be abandoned, without limit. Callable from: the same as `lock()`.
     * @template T
     * @overload
     * @param {() => import('./waiting/section.js').NotAsync<T>} repair runs with the lock held; not async: use
     *     `recoverAsync` for that
     * @returns {boolean} whether this call ran it
     * @throws {HoldfastError} as `exec()`, but no `AbandonedError`
     */
    /** @param {() => any} repair @param {unknown} [limit] */
    recover(repair, limit) {
        checkNoLimit(limit, 'recoverAsync()');
        return recover(this.#queue(), this, repair);
    }

    /**
     * Repairs what an abandoned lock protects, as `recover()` does, without blocking. If the callback returns a
     * promise, the lock is held until the promise settles.
     * Blocks: never. Callable from: the same as `execAsync()`.
     * @param {() => unknown} repair
     * @param {import('./options.js').WaitOptions} [options] end the wait, never the callback
     * @returns {Promise<boolean>} whether this call ran it. Rejects as `execAsync`, but with no `AbandonedError`.
     */
    recoverAsync(repair, options) {
        return recoverAsync(this.#queue(), repair, options);
    }

    /** Made on demand: most locks are only locked and unlocked. */
    #queue() {
        if (this.#knownQueue === undefined || this.#knownQueue.isFreed) {
            this.#knownQueue = queueOf(this, MUTEX);
        }
        return this.#knownQueue;
    }

    /** @param {number} limit milliseconds */
    #tryFor(limit) {
        // A free lock needs no queue.
        return (
            (limit === 0 && this.#exports.mutex_trylock(this.#byteOffset, this.#self) === RESULT_OK) ||
            tryPass(this.#queue().gate, this.#self, limit)
        );
    }

    #takeBlocking() {
        const result = this.#exports.mutex_lock_for_a_time(this.#byteOffset, this.#self);
        if (result !== RESULT_OK) {
            goOnLocking(this.#queue().gate, result);
        }
    }

    #take() {
        checkMayBlock(MUTEX.instead);
        this.#takeBlocking();
    }

    /** Makes the section of a held lock. */
    #section() {
        return new Section(this.#queue(), this.#self);
    }
}
