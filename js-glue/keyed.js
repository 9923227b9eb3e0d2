/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { HoldfastError } from './errors.js';
import { Table, TABLE_BYTES } from './keyed/table.js';
import { LockSpace } from './lock-space.js';
import { MUTEX_ALIGN } from './memory/layout.js';
import { foundFor, isPlaced, Placed } from './memory/placed.js';
import { checkLimit, checkNoLimit, checkWait, deadlineIn, valueError } from './options.js';
import { checkMayBlock, mayBlock } from './thread/capabilities.js';
import { promised, settled } from './thread/event-loop.js';
import { isMemory, tagOf } from './thread/tag.js';
import { standsFor } from './waiting/request.js';

/* Mutexes by keys, in an entry of its own: other programs do not load it. */

/**
 * @typedef {import('./mutex.js').Mutex} Mutex
 * @typedef {import('./waiting/section.js').Guard} Guard
 * @typedef {import('./options.js').WaitOptions} WaitOptions
 * @typedef {import('./options.js').TimeLimit} TimeLimit
 * @typedef {import('./memory/placed.js').PlaceOptions} PlaceOptions
 */

/** The methods to call if a thread may not block. */
const INSTEAD = 'execAsync(), acquireAsync() or tryLock() without a timeout';

/** Room for 40,000 keys of 20 characters. Memory that is not used costs an address range only. */
const PAGES = 64;

/** How long a lookup waits for a stripe, which other threads hold for a few microseconds. */
const LOOKUP = { timeout: 10 };

/** @param {any[]} args of the constructor */
function withSpace([options = {}, ...others]) {
    const isOptions = tagOf(options) === '[object Object]' && !isMemory(options.memory);
    const needsSpace = isOptions && (options.space ?? undefined) === undefined;
    return [needsSpace ? { ...options, space: new LockSpace({ pages: PAGES }) } : options, ...others];
}

/** @param {unknown} key @returns {asserts key is string} */
function checkKey(key) {
    if (typeof key !== 'string') {
        throw valueError('HF_BAD_KEY', 'A key must be a string (convert others by String(key))', key);
    }
}

/**
 * Any number of mutexes, each known by a key. Sections of different keys run at the same time; sections of
 * one key run one after the other, in whichever threads. The methods are those of a `Mutex`, and keep its
 * promises, for each key alone.
 *
 * A key takes memory of its space while a thread uses it: holds it, waits for it, or has died holding it and
 * nobody has recovered it. That is 48 bytes and 2 for each character, rounded up to a multiple of 16, and 32
 * for each thread that waits beside the first. The memory of other keys comes back when a new key needs it.
 *
 * ```js
 * const accounts = new KeyedMutex();
 * worker.postMessage({ accounts: accounts.handle });
 * await accounts.execAsync('account 42', async () => {});
 * ```
 * @extends {Placed<'KeyedMutex'>}
 */
export class KeyedMutex extends Placed {
    static KIND = 'KeyedMutex';
    static BYTES = TABLE_BYTES;
    static ALIGN = MUTEX_ALIGN;

    /** @type {Table} */
    #table;

    /**
     * Makes a new object, without keys. Blocks: never. Callable from: any thread.
     * @overload
     * @param {PlaceOptions} [options] `space`: where it and its keys live, by default a space of its own, of 4 MiB,
     *     with room for about 40,000 keys at a time; `name`: for `inspect()` and `named()`
     * @throws {HoldfastError} `HF_NO_SPACE`; `HF_NO_WEBASSEMBLY`; `HF_NO_ALLOCATOR` in another program's memory
     */
    /** @param {any[]} args */
    constructor(...args) {
        super(isPlaced(new.target) ? args : withSpace(args), undefined, Table.adapt);
        this.#table = Table.of(foundFor(this));
    }

    /**
     * Takes the lock of a key.
     * Blocks: until it is free, without limit (`tryLock(key, timeout)` has one). Callable from: workers, and Node's
     * main thread.
     * @overload
     * @param {string} key of any length
     * @returns {void}
     * @throws {HoldfastError} `HF_MAY_NOT_BLOCK` where blocking is not allowed; `HF_DEADLOCK` if this thread holds it
     *     already; `HF_ABANDONED` if the thread that held it has died; `HF_BAD_KEY`; `HF_NO_SPACE` if the space has
     *     no room for one more key
     */
    /** @param {string} key @param {unknown} [limit] */
    lock(key, limit) {
        checkNoLimit(limit, 'tryLock(key, timeout)');
        this.#block(key, (mutex) => {
            mutex.lock();
            this.#keep(key);
        });
    }

    /**
     * Takes the lock of a key if it is or comes free within the timeout.
     * Blocks: for `timeout` at most, so never by default. Exception: while another thread looks up a key of the same
     * hash, a thread that may block waits for some microseconds, and one that may not block gets false, though the
     * key is free. Callable from: any thread; with a timeout the same as `lock()`.
     * @param {string} key
     * @param {number | TimeLimit} [timeout] milliseconds; 0 or less: do not wait
     * @returns {boolean} whether this call took it; false too if this thread holds it and `timeout` is 0
     * @throws {HoldfastError} as `lock()`; `HF_BAD_TIMEOUT`
     */
    tryLock(key, timeout = 0) {
        const take = (/** @type {Mutex} */ mutex, /** @type {TimeLimit} */ limit) => {
            const isTaken = mutex.tryLock(limit);
            if (isTaken) {
                this.#keep(key);
            }
            return isTaken;
        };
        return this.#try(key, timeout, take) ?? false;
    }

    /**
     * Releases the lock of a key. Blocks: never. Callable from: the thread that locked it.
     * @param {string} key
     * @throws {HoldfastError} `HF_NOT_OWNER` if this thread does not hold it, or holds it by a guard or for a
     *     callback, which release it themselves; nothing is changed then. `HF_BAD_KEY`
     */
    unlock(key) {
        checkKey(key);
        const use = this.#table.useOf(key);
        if (use === undefined) {
            throw new HoldfastError('HF_NOT_OWNER', `This thread does not hold KeyedMutex '${key}'.`);
        }
        use.mutex.unlock();
        this.#table.end(use);
    }

    /**
     * Runs the callback with the lock of a key held, and releases it whatever the callback does.
     * Blocks: until it is free, without limit. Callable from: the same as `lock()`.
     * @template T
     * @overload
     * @param {string} key
     * @param {() => import('./waiting/section.js').NotAsync<T>} callback not async: use `execAsync` for that
     * @returns {T} what the callback returns
     * @throws {HoldfastError} as `lock()`; `HF_BAD_CALLBACK` if the callback is no function, or returns a promise;
     *     `HF_NOT_OWNER` if the lock was released before it ended; and what the callback throws
     */
    /** @param {string} key @param {() => any} callback @param {unknown} [limit] */
    exec(key, callback, limit) {
        checkNoLimit(limit, 'tryAcquire(key, timeout)');
        return this.#block(key, (mutex) => mutex.exec(callback));
    }

    /**
     * Takes the lock of a key, and gives it as an object. It blocks: `acquireAsync()` is the one to await.
     * Blocks: until it is free, without limit (`tryAcquire(key, timeout)` has one). Callable from: the same as
     * `lock()`.
     * @overload
     * @param {string} key
     * @returns {Guard}
     * @throws {HoldfastError} as `lock()`
     */
    /** @param {string} key @param {unknown} [limit] */
    acquire(key, limit) {
        checkNoLimit(limit, 'tryAcquire(key, timeout)');
        return this.#block(key, (mutex) => mutex.acquire());
    }

    /**
     * Takes the lock of a key if it is or comes free within the timeout, and gives it as an object.
     * Blocks: as `tryLock()`. Callable from: the same as `tryLock()`.
     * @param {string} key
     * @param {number | TimeLimit} [timeout] as of `tryLock()`
     * @returns {Guard | null} null: not acquired
     * @throws {HoldfastError} as `tryLock()`
     */
    tryAcquire(key, timeout = 0) {
        return this.#try(key, timeout, (mutex, limit) => mutex.tryAcquire(limit)) ?? null;
    }

    /**
     * Runs the callback with the lock of a key held: before this call returns if the lock is free and no other thread
     * looks up a key of the same hash, otherwise as soon as it is granted. As `execAsync()` of a `Mutex` in all else:
     * the lock is held until a promise of the callback settles, and the requests of one thread for one key run in the
     * order made.
     * Blocks: never. Callable from: any thread; an audio worklet only while the lock is free.
     * @template T
     * @param {string} key
     * @param {() => T | PromiseLike<T>} callback
     * @param {WaitOptions} [options]
     * @returns {Promise<T>} of the callback's result. Rejects with what the callback throws, with a `TimeoutError`,
     *     with the signal's reason, or with a `HoldfastError`, as `execAsync()` of a `Mutex`; `HF_BAD_KEY`,
     *     `HF_NO_SPACE`.
     */
    execAsync(key, callback, options) {
        return this.#ask(key, options, (mutex, limits) => mutex.execAsync(callback, limits));
    }

    /**
     * Takes the lock of a key without blocking, and gives it as an object.
     * Blocks: never. Callable from: the same as `execAsync()`.
     * @param {string} key
     * @param {WaitOptions} [options]
     * @returns {Promise<Guard>} rejects as `execAsync` does
     */
    acquireAsync(key, options) {
        return this.#ask(key, options, (mutex, limits) => mutex.acquireAsync(limits));
    }

    /**
     * Takes the lock of a key whose holder has died, runs the callback to repair the data, and makes the lock usable
     * again. If the lock is not abandoned, nothing runs. If the callback throws, the lock stays abandoned.
     * Blocks: until it is free or found to be abandoned, without limit. Callable from: the same as `lock()`.
     * @template T
     * @overload
     * @param {string} key
     * @param {() => import('./waiting/section.js').NotAsync<T>} repair runs with the lock held; not async: use
     *     `recoverAsync`
     * @returns {boolean} whether this call ran it
     * @throws {HoldfastError} as `exec()`, but no `AbandonedError`
     */
    /** @param {string} key @param {() => any} repair @param {unknown} [limit] */
    recover(key, repair, limit) {
        checkNoLimit(limit, 'recoverAsync()');
        return this.#block(key, (mutex) => mutex.recover(repair));
    }

    /**
     * Repairs what the lock of a key protects, as `recover()` does, without blocking. If the callback returns a
     * promise, the lock is held until that settles.
     * Blocks: never. Callable from: the same as `execAsync()`.
     * @param {string} key
     * @param {() => unknown} repair
     * @param {WaitOptions} [options] end the wait, never the callback
     * @returns {Promise<boolean>} of whether this call ran it. Rejects as `execAsync`, but with no `AbandonedError`.
     */
    recoverAsync(key, repair, options) {
        return this.#ask(key, options, (mutex, limits) => mutex.recoverAsync(repair, limits));
    }

    /**
     * Gives the memory of unused keys back to the space. Keys in a stripe that another thread holds just now are left
     * out. A new key that needs memory does the same by itself. Call this before `space.free(keyed)`, which frees no
     * keys. It takes some microseconds for each key.
     * Blocks: never. Callable from: any thread.
     */
    reclaim() {
        this.#table.reclaim();
    }

    /** Keeps the key in use until this thread unlocks it. @param {string} key */
    #keep(key) {
        this.#table.begin(key);
    }

    /**
     * @template T
     * @param {string} key
     * @param {(mutex: Mutex) => T} run
     * @returns {T}
     */
    #block(key, run) {
        checkKey(key);
        checkMayBlock(INSTEAD);
        return /** @type {T} */ (this.#with(key, { timeout: Infinity }, run));
    }

    /**
     * @template T
     * @param {string} key
     * @param {number | TimeLimit} timeout
     * @param {(mutex: Mutex, limit: TimeLimit) => T} run
     * @returns {T | undefined} undefined: the time is up
     */
    #try(key, timeout, run) {
        checkKey(key);
        const limit = checkLimit(timeout);
        if (limit > 0) {
            checkMayBlock(INSTEAD);
        }
        const time = { deadline: deadlineIn(limit) };
        return this.#with(key, limit === 0 && mayBlock() ? LOOKUP : time, (mutex) => run(mutex, time));
    }

    /**
     * @template T
     * @param {string} key
     * @param {TimeLimit} limit of the lookup
     * @param {(mutex: Mutex) => T} run
     * @returns {T | undefined} undefined: the key could not be looked up in that time
     */
    #with(key, limit, run) {
        const use = this.#table.begin(key, limit);
        try {
            return use && run(use.mutex);
        } finally {
            this.#table.end(use);
        }
    }

    /**
     * @template T
     * @param {string} key
     * @param {WaitOptions | undefined} options
     * @param {(mutex: Mutex, limits: WaitOptions | undefined) => Promise<T>} request
     * @returns {Promise<T>}
     */
    #ask(key, options, request) {
        return promised(() => {
            checkKey(key);
            const use = this.#table.waiting === 0 ? this.#table.begin(key) : undefined;
            if (use === undefined) {
                return settled(this.#askLater(key, checkWait(options), request));
            }
            return this.#endWith(use, request(use.mutex, options));
        });
    }

    /**
     * Makes the request after the lookup, when another thread holds the key's stripe.
     * @template T
     * @param {string} key
     * @param {import('./options.js').Wait} wait
     * @param {(mutex: Mutex, limits: WaitOptions) => Promise<T>} request
     */
    async #askLater(key, { timeout, signal }, request) {
        const limits = { deadline: deadlineIn(timeout), signal };
        this.#table.waiting += 1;
        try {
            const use = await this.#table.beginAsync(key, limits);
            return this.#endWith(use, request(use.mutex, limits));
        } finally {
            this.#table.waiting -= 1;
        }
    }

    /**
     * @template T
     * @param {import('./keyed/table.js').Use} use ends when the promise settles
     * @param {Promise<T>} promise
     */
    #endWith(use, promise) {
        const result = promise.finally(() => this.#table.end(use));
        standsFor(result, promise);
        return result;
    }
}
