/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { mayBlock } from './agent.js';
import { blockFor } from './blocking.js';
import { errorOf, HoldfastError, mayNotBlockError, scopeHoldsError } from './errors.js';
import { Guard } from './guard.js';
import { MUTEX_ALIGN, MUTEX_BYTES, RESULT_OK, RESULT_TIMEOUT } from './layout.js';
import { MutexWaitable } from './mutex-waitable.js';
import { checkCallback, checkTimeout, checkWait } from './options.js';
import { handleOf, Placement } from './placement.js';
import { queueOf } from './request-queue.js';
import { isThenable, runSection } from './section.js';

/** @typedef {import('./request-queue.js').RequestQueue} RequestQueue */

/**
 * What another thread needs to use the same mutex. Plain: it may be posted, alone or in any message.
 *
 * @typedef {object} MutexHandle
 * @property {'Mutex'} holdfast
 * @property {WebAssembly.Memory} memory
 * @property {number} byteOffset
 */

const SHAPE = Object.freeze({ name: 'Mutex', bytes: MUTEX_BYTES, align: MUTEX_ALIGN });

/**
 * A lock that at most one thread holds at a time: workers wait for it by `lock()`, which blocks, and the page
 * by `executeLocked()`, which does not. All threads that have its handle share it, and C code too.
 *
 * It has an owner: only the thread that locked it unlocks it. It is not recursive. A thread that is running
 * may take it ahead of those that wait, but none is overtaken for much longer than a millisecond.
 *
 * ```js
 * const mutex = new Mutex();
 * worker.postMessage({ mutex: mutex.handle });
 * await mutex.executeLocked(() => {
 *     counter[0] += 1;
 * });
 * ```
 */
export class Mutex {
    /** Bytes of shared memory that a mutex takes. */
    static BYTES = SHAPE.bytes;
    /** The address of a mutex is a multiple of this. */
    static ALIGN = SHAPE.align;

    /** @type {import('./attachment.js').Attachment} */
    #attachment;
    /** @type {import('./module.js').Exports} */
    #exports;
    /** @type {number} */
    #byteOffset;
    /** @type {number} */
    #self;
    /** @type {RequestQueue | undefined} */
    #knownQueue;

    /**
     * Makes a new, unlocked mutex.
     *
     * Blocks: never. Agents: any.
     *
     * @param {import('./lock-space.js').LockSpace} [space] where it lives; by default a space of this thread's
     * @throws {HoldfastError} `HF_NO_SPACE`, or `HF_NO_ALLOCATOR` for a space that is another program's memory
     */
    constructor(space) {
        const { attachment, byteOffset } = Placement.of(space, SHAPE);
        this.#attachment = attachment;
        this.#exports = attachment.exports;
        this.#self = attachment.self;
        this.#byteOffset = byteOffset;
    }

    /**
     * The mutex at an address of a program's own shared memory. 16 zero bytes there are an unlocked mutex, and
     * an `hf_mutex` of a C program is one.
     *
     * Give the same WebAssembly.Memory object each time in one thread: one that was posted twice arrives as two
     * objects that look unrelated, and this thread's requests by the one then do not queue behind the other's.
     *
     * Blocks: never. Agents: any.
     *
     * @param {WebAssembly.Memory} memory shared
     * @param {number} byteOffset a multiple of `Mutex.ALIGN`, not 0
     * @returns {Mutex}
     * @throws {HoldfastError} `HF_BAD_ADDRESS`, `HF_NOT_SHARED`, `HF_BAD_MEMORY`
     */
    static at(memory, byteOffset) {
        return new Mutex(/** @type {any} */ (Placement.at(memory, byteOffset, SHAPE)));
    }

    /**
     * The mutex of a handle that another thread posted.
     *
     * Blocks: never. Agents: any.
     *
     * @param {MutexHandle} handle
     * @returns {Mutex}
     * @throws {HoldfastError} `HF_BAD_HANDLE`, and as `at`
     */
    static from(handle) {
        return new Mutex(/** @type {any} */ (Placement.from(handle, SHAPE)));
    }

    /**
     * For `postMessage` and `Mutex.from`.
     *
     * @returns {Readonly<MutexHandle>}
     * @throws {HoldfastError} `HF_NOT_ISOLATED` on a page that cannot share memory
     */
    get handle() {
        return handleOf('Mutex', this.#attachment, this.#byteOffset);
    }

    /** Where it is in its memory. */
    get byteOffset() {
        return this.#byteOffset;
    }

    /** The memory that it is in. */
    get memory() {
        return this.#attachment.memory;
    }

    /**
     * Takes the lock.
     *
     * Blocks: until it is free, without limit. Agents: workers, and Node's main thread.
     *
     * @throws {HoldfastError} `HF_MAY_NOT_BLOCK` where blocking is not allowed, before the lock is touched;
     *     `HF_DEADLOCK` if this thread holds it already
     */
    lock() {
        this.#lockFor('lock()');
        this.#forgetTakes();
    }

    /**
     * Takes the lock if it is to be had within the timeout.
     *
     * Blocks: for `timeout` at most, so never by default. Agents: any, an audio worklet too; with a timeout
     * those of `lock()`.
     *
     * @param {number} [timeout] milliseconds, fractions allowed; 0 or less: do not wait
     * @returns {boolean} whether this call took it; false too if this thread holds it and `timeout` is 0
     * @throws {HoldfastError} `HF_MAY_NOT_BLOCK`; `HF_DEADLOCK` if it would wait for itself; `HF_BAD_TIMEOUT`
     */
    tryLock(timeout = 0) {
        const limit = checkTimeout(timeout);
        if (limit === 0) {
            const taken = this.#takesWithoutWait();
            if (taken) {
                this.#forgetTakes();
            }
            return taken;
        }
        if (!mayBlock()) {
            throw mayNotBlockError(`tryLock(${timeout})`);
        }
        const result = blockFor(
            (token, limitMicroseconds) =>
                this.#exports.mutex_wait(this.#byteOffset, this.#self, token, limitMicroseconds),
            (token) => this.#exports.mutex_give_up(this.#byteOffset, this.#self, token),
            limit,
        );
        if (result === RESULT_OK || (result === RESULT_TIMEOUT && this.#takesWithoutWait())) {
            this.#forgetTakes();
            return true;
        }
        if (result !== RESULT_TIMEOUT) {
            throw errorOf(result, 'mutex');
        }
        return false;
    }

    /**
     * Releases the lock.
     *
     * Blocks: never. Agents: the one that locked it.
     *
     * @throws {HoldfastError} `HF_NOT_OWNER` if this thread does not hold it, or holds it by a guard or for a
     *     callback, which release it themselves; nothing is changed then
     */
    unlock() {
        if (this.#attachment.takes !== 0 && this.#queue().holds) {
            throw scopeHoldsError();
        }
        const result = this.#exports.mutex_unlock(this.#byteOffset, this.#self);
        if (result !== RESULT_OK) {
            throw errorOf(result, 'mutex');
        }
    }

    /**
     * Runs the callback with the lock held, and releases it whatever the callback does.
     *
     * Blocks: until it is free, without limit. Agents: those of `lock()`.
     *
     * @template T
     * @param {() => T} callback not async: use `executeLocked` for that
     * @returns {T} what the callback returns
     * @throws {HoldfastError} as `lock()`; `HF_BAD_CALLBACK` if the callback is no function or returns a promise
     */
    exec(callback) {
        checkCallback(callback);
        this.#lockFor('exec()');
        const take = this.#queue().take();
        let result;
        try {
            result = callback();
        } catch (error) {
            this.#queue().leave(take);
            throw error; // and not that of the release
        }
        const error = this.#queue().leave(take);
        if (error !== undefined) {
            throw error;
        }
        if (isThenable(result)) {
            throw new HoldfastError(
                'HF_BAD_CALLBACK',
                'The callback of exec() returned a promise, so its section was over before its work was. ' +
                    'Use executeLocked(), which holds the lock until the promise settles.',
            );
        }
        return result;
    }

    /**
     * Takes the lock, and gives it as an object.
     *
     * Blocks: until it is free, without limit. Agents: those of `lock()`.
     *
     * @returns {Guard}
     * @throws {HoldfastError} as `lock()`
     */
    acquire() {
        this.#lockFor('acquire()');
        const take = this.#queue().take();
        return new Guard(() => this.#queue().leave(take));
    }

    /**
     * Runs the callback with the lock held: before this call returns if the lock is free, else as soon as it
     * is got. If the callback returns a promise, the lock is held until that settles. It is released whatever
     * the callback does. The requests of one thread run in the order made.
     *
     * Not recursive: a callback that asks for the same lock again and waits for that before it ends waits for
     * itself. Where this can be known (the callback returns that very promise), it is an error; where it
     * cannot (it awaits it), it never ends, unless the request has a timeout or a signal.
     *
     * Blocks: never. Agents: any; an audio worklet only while the lock is free.
     *
     * @template T
     * @param {() => T | PromiseLike<T>} callback
     * @param {import('./options.js').WaitOptions} [options]
     * @returns {Promise<T>} of the callback's result. Rejects with what the callback throws, with a
     *     `TimeoutError`, with the signal's reason, or with a `HoldfastError` (`HF_BAD_CALLBACK`,
     *     `HF_BAD_TIMEOUT`, `HF_BAD_SIGNAL`, `HF_BAD_OPTION`, `HF_DEADLOCK`, `HF_NO_TIMERS`).
     */
    executeLocked(callback, options) {
        try {
            checkCallback(callback);
            const wait = checkWait(options);
            const queue = this.#queue();
            if (this.#takesAtOnce(queue, wait)) {
                return Promise.resolve(runSection(queue, callback));
            }
            return queue.request(runSection, callback, wait);
        } catch (error) {
            return Promise.reject(error);
        }
    }

    /**
     * Takes the lock without blocking, and gives it as an object.
     *
     * Blocks: never. Agents: those of `executeLocked()`.
     *
     * @param {import('./options.js').WaitOptions} [options]
     * @returns {Promise<Guard>} rejects as `executeLocked` does
     */
    lockAsync(options) {
        try {
            const wait = checkWait(options);
            const queue = this.#queue();
            if (this.#takesAtOnce(queue, wait)) {
                return Promise.resolve(enterWithGuard(queue));
            }
            return queue.request(enterWithGuard, undefined, wait);
        } catch (error) {
            return Promise.reject(error);
        }
    }

    /** Made when it is needed: most locks of a program that has many are only locked and unlocked. */
    #queue() {
        this.#knownQueue ??= queueOf(this.#attachment, this.#byteOffset, MutexWaitable);
        return this.#knownQueue;
    }

    /** This thread has just taken the lock, so no take that it began before lasts. */
    #forgetTakes() {
        if (this.#attachment.takes !== 0) {
            this.#queue().forget();
        }
    }

    /** @param {string} method whose error it is where blocking is not allowed */
    #lockFor(method) {
        if (!mayBlock()) {
            throw mayNotBlockError(method);
        }
        const result = this.#exports.mutex_lock(this.#byteOffset, this.#self);
        if (result !== RESULT_OK) {
            throw errorOf(result, 'mutex');
        }
    }

    #takesNow() {
        return this.#exports.mutex_trylock(this.#byteOffset, this.#self) === RESULT_OK;
    }

    /** Takes the lock if it is free, or if its reservation is over: for callers that will not wait for that. */
    #takesWithoutWait() {
        return (
            this.#takesNow() ||
            this.#queue().clock.attempt((watched) =>
                this.#exports.mutex_try_after(this.#byteOffset, this.#self, watched),
            )
        );
    }

    /**
     * Takes the lock if that is possible without a wait and no request of this thread was made before.
     *
     * @param {RequestQueue} queue
     * @param {import('./options.js').Wait} wait
     */
    #takesAtOnce(queue, { timeout }) {
        return queue.admitsAtOnce() && (timeout === 0 ? this.#takesWithoutWait() : this.#takesNow());
    }
}

/** @param {RequestQueue} queue */
function enterWithGuard(queue) {
    const section = queue.enter();
    return new Guard(() => queue.leave(section));
}
