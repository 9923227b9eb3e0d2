/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import {
    AT_SEMAPHORE,
    RESULT_OK,
    SEMAPHORE_ALIGN,
    SEMAPHORE_BYTES,
    SEMAPHORE_MOST,
} from './memory/layout.js';
import { checkCallback, checkCount, checkLimit, checkNoLimitIn, checkOptions, checkWait } from './options.js';
import { addFamily } from './memory/family.js';
import { attachmentFor, offsetFor, Placed } from './memory/placed.js';
import { promised } from './thread/event-loop.js';
import { lockError } from './waiting/about.js';
import { Gate, pass, tryPass } from './waiting/gate.js';
import { queueOf } from './waiting/queue-of.js';
import { ask } from './waiting/request.js';
import { Guard, runBlocking, Section, startGuard, startSection } from './waiting/section.js';

/** @typedef {import('./memory/attachment.js').Attachment} Attachment */
/** @typedef {import('./memory/placed.js').PlaceOptions} PlaceOptions */

/**
 * How many permits to take: 1 by default.
 * @typedef {{ permits?: number | undefined }} Permits
 */

/**
 * Options of the methods that do not block: the limits of the wait, and how many permits to take, 1 by default.
 * @typedef {import('./options.js').WaitOptions & Permits} PermitOptions
 */

/** Names of the options of methods that block, and of those that try. */
const PERMITS = ['permits'];
const TRY = ['timeout', 'deadline', 'permits'];

/** @typedef {{ max: number, initial?: number | undefined } | { initial: number, max?: number | undefined }} CountingSemaphoreOptions */

export const SEMAPHORE = {
    Waits: Gate,
    /** Read each time: a semaphore with another maximum may use the memory later. */
    capacityOf: (/** @type {Attachment['exports']} */ exports, /** @type {number} */ byteOffset) =>
        exports.semaphore_max(byteOffset) >>> 0,
    leaveOf: (/** @type {Attachment['exports']} */ exports) => exports.semaphore_leave,
    refusal,
    /** @type {NonNullable<import('./waiting/gate.js').GateKind['mayWait']>} */
    mayWait: () => true,
    at: AT_SEMAPHORE,
    names: ['timeout', 'deadline', 'signal', 'permits'],
    instead: 'execAsync(), acquireAsync() or tryEnter()',
};

/** @param {Gate} gate @param {number} permits */
function refusal(gate, permits) {
    const { attachment, byteOffset } = gate.found;
    const max = SEMAPHORE.capacityOf(attachment.exports, byteOffset);
    return lockError(
        gate,
        'HF_OVERFLOW',
        `leave(${permits}) would bring % above its max of ${max} permits. Return only acquired permits, or raise max.`,
    );
}

/** The section of enterAsync(): the caller gives the permits back by leave(). */
function enterOnly() {}

/**
 * The base of both semaphores: a number of permits, which threads take (enter) and give back (leave). Permits have no
 * owner: any thread may give one back. Waiters are served like those of a mutex: a running thread may enter ahead of
 * waiting threads, but no waiter is overtaken for much longer than a millisecond. A waiter for many permits is not
 * starved by waiters for one.
 * @template {string} Kind
 * @extends {Placed<Kind>}
 */
export class Semaphore extends Placed {
    static ALIGN = SEMAPHORE_ALIGN;

    /** @type {Attachment} */
    #attachment;
    /** @type {typeof SEMAPHORE} */
    #kind;

    /**
     * @param {readonly unknown[]} args
     * @param {(options: any) => { initial: number, max: number }} check
     * @param {readonly string[]} names of its options
     * @param {typeof SEMAPHORE} [kind]
     * @param {import('./memory/placed.js').Adapt} [adapt]
     */
    constructor(args, check, names, kind = SEMAPHORE, adapt = addFamily) {
        super(
            args,
            (options) => {
                const { initial, max } = check(options);
                return (exports, byteOffset) => exports.semaphore_init(byteOffset, initial, max);
            },
            adapt,
            names,
        );
        this.#attachment = attachmentFor(this);
        this.#kind = kind;
    }

    /** The most permits that it can have. */
    get max() {
        return this.#attachment.exports.semaphore_max(offsetFor(this)) >>> 0;
    }

    /** How many permits are free. The value may be late: other threads enter and leave meanwhile. */
    get value() {
        return this.#attachment.exports.semaphore_value(offsetFor(this)) >>> 0;
    }

    /**
     * Takes permits.
     * Blocks: until enough are free, without limit (`tryEnter({ timeout, permits })` has one). Callable from:
     * workers, and Node's main thread.
     * @param {Permits} [options] `permits`: 1 to `max`
     * @returns {void}
     * @throws {HoldfastError} `HF_MAY_NOT_BLOCK` where blocking is not allowed; `HF_BAD_COUNT`, `HF_BAD_OPTION`
     */
    enter(options) {
        pass(this.#queue().gate, this.#permitsOf(options, 'tryEnter'));
    }

    /**
     * Takes permits if enough are or come free within the timeout.
     * Blocks: for `timeout` at most, so never by default. Callable from: any thread, an audio worklet too; with a
     * timeout the same as `enter()`.
     * @param {import('./options.js').TimeLimit & Permits} [options] `timeout`: 0 by default; `permits`: 1 to `max`
     * @returns {boolean} whether this call took them
     * @throws {HoldfastError} as `enter()`; `HF_BAD_TIMEOUT`
     */
    tryEnter(options) {
        return this.#tryPass(this.#queue(), options) !== 0;
    }

    /**
     * Gives permits back, or adds new ones, up to `max`. Blocks: never. Callable from: any thread.
     * @param {number} [permits] 1 to `max`
     * @throws {HoldfastError} `HF_OVERFLOW` if there would be more than `max`; `HF_BAD_COUNT`; nothing changes then
     */
    leave(permits = 1) {
        const amount = this.#check(permits);
        if (this.#attachment.exports.semaphore_leave(offsetFor(this), amount) !== RESULT_OK) {
            throw this.#kind.refusal(this.#queue().gate, amount);
        }
    }

    /**
     * `leave()` by the name that goes with `acquire()`. The guard that `acquire()` gave may be dropped then. Release
     * either the guard or the semaphore, not both.
     * Blocks: never. Callable from: any thread.
     * @param {number} [permits] 1 to `max`
     * @throws {HoldfastError} as `leave()`
     */
    release(permits) {
        this.leave(permits);
        const queue = this.#queue();
        if (queue.lasting > 0 && this.value === this.max) {
            queue.lasting = 0; // dropped guards must not keep the place of a collected semaphore taken
        }
    }

    /**
     * Runs the callback between `enter` and `leave`, and leaves whatever the callback does.
     * Blocks: until a permit is free, without limit. Callable from: the same as `enter()`.
     * @template T
     * @param {() => import('./waiting/section.js').NotAsync<T>} callback not async: use `execAsync` for that
     * @param {Permits} [options] `permits`: 1 to `max`
     * @returns {T} what the callback returns
     * @throws {HoldfastError} as `enter()`; `HF_BAD_CALLBACK` if the callback is not a function, or returns a
     *     promise; `HF_OVERFLOW` if other code has called leave() too often, so that the permits cannot be given
     *     back; and whatever the callback throws
     */
    exec(callback, options) {
        checkCallback(callback);
        const permits = this.#permitsOf(options, 'tryAcquire');
        const queue = this.#queue();
        pass(queue.gate, permits);
        return runBlocking(new Section(queue, permits), /** @type {() => any} */ (callback), 'execAsync()');
    }

    /**
     * Runs the callback between entering and leaving: before this call returns if permits are free, otherwise as soon
     * as they are granted. If the callback returns a promise, the permits are held until the promise settles. The
     * requests of one thread are granted in the order made.
     * Blocks: never. Callable from: any thread; in an audio worklet only if permits are free.
     * @template T
     * @param {() => T | PromiseLike<T>} callback
     * @param {PermitOptions} [options]
     * @returns {Promise<T>} the callback's result. Rejects with what the callback throws, with a `TimeoutError`, with
     *     the signal's reason, or with `HF_NO_TIMERS`, `HF_OVERFLOW` if other code has called leave() too often, so
     *     that the permits cannot be given back, or the code for a bad argument.
     */
    execAsync(callback, options) {
        return this.#ask(startSection, callback, options, true);
    }

    /**
     * Takes permits without blocking. Give them back by `leave`.
     * Blocks: never. Callable from: the same as `execAsync()`.
     * @param {PermitOptions} [options]
     * @returns {Promise<void>} rejects as the wait of `execAsync` does
     */
    enterAsync(options) {
        return this.#ask(enterOnly, undefined, options, false);
    }

    /**
     * Takes permits and returns a guard.
     *
     * Do not `await` it, as one would `acquire()` of async-mutex: it stops the whole thread, including code that
     * would give permits back. Write `await acquireAsync()`.
     * Blocks: until enough are free, without limit (`tryAcquire({ timeout, permits })` has one). Callable from: the
     * same as `enter()`.
     * @param {Permits} [options] `permits`: 1 to `max`
     * @returns {import('./waiting/section.js').Guard} whose `release()` gives them back
     * @throws {HoldfastError} as `enter()`
     */
    acquire(options) {
        const permits = this.#permitsOf(options, 'tryAcquire');
        const queue = this.#queue();
        pass(queue.gate, permits);
        return new Guard(new Section(queue, permits));
    }

    /**
     * Takes permits if enough are or come free within the timeout, and returns a guard.
     * Blocks: as `tryEnter()`. Callable from: the same as `tryEnter()`.
     * @param {import('./options.js').TimeLimit & Permits} [options] as of `tryEnter()`
     * @returns {import('./waiting/section.js').Guard | null} null: not acquired
     * @throws {HoldfastError} as `tryEnter()`
     */
    tryAcquire(options) {
        const queue = this.#queue();
        const permits = this.#tryPass(queue, options);
        return permits === 0 ? null : new Guard(new Section(queue, permits));
    }

    /**
     * Takes permits without blocking, and resolves with a guard: what async-mutex calls `acquire()`.
     * Blocks: never. Callable from: the same as `execAsync()`.
     * @param {PermitOptions} [options]
     * @returns {Promise<import('./waiting/section.js').Guard>} whose `release()` gives them back. Rejects as
     *     `execAsync` does before its callback
     */
    acquireAsync(options) {
        return this.#ask(startGuard, undefined, options, false);
    }

    /**
     * @template T
     * @template C
     * @param {(queue: any, callback: C, amount: number) => T | PromiseLike<T>} start
     * @param {C} callback
     * @param {PermitOptions | undefined} options
     * @param {boolean} needsCallback
     * @returns {Promise<T>}
     */
    #ask(start, callback, options, needsCallback) {
        return promised(() => {
            if (needsCallback) {
                checkCallback(callback);
            }
            const wait = checkWait(options, this.#kind.names);
            const { permits = 1 } = wait;
            return ask(this.#queue(), this.#check(permits), start, callback, wait);
        });
    }

    /**
     * Reads the options of methods that wait without limit.
     * @param {Permits | undefined} options
     * @param {string} instead the method that takes a timeout
     */
    #permitsOf(options, instead) {
        checkNoLimitIn(options, `${instead}({ timeout, permits })`);
        const { permits = 1 } = checkOptions(options, PERMITS);
        return this.#check(permits);
    }

    /**
     * @param {import('./waiting/section.js').GateQueue} queue
     * @param {import('./options.js').TimeLimit & Permits} [options]
     * @returns {number} how many it took
     */
    #tryPass(queue, options = {}) {
        const limit = checkLimit(options, 0, TRY);
        const { permits = 1 } = options;
        this.#check(permits);
        return tryPass(queue.gate, permits, limit) ? permits : 0;
    }

    /** @param {unknown} permits */
    #check(permits) {
        return checkCount(permits, 'permits', 1, this.max);
    }

    #queue() {
        return queueOf(this, this.#kind);
    }
}

/**
 * A semaphore with one permit.
 *
 * ```js
 * const turn = new BinarySemaphore();
 * worker.postMessage({ turn: turn.handle });
 * await turn.execAsync(() => {});
 * ```
 * @extends {Semaphore<'BinarySemaphore'>}
 */
export class BinarySemaphore extends Semaphore {
    static KIND = 'BinarySemaphore';
    static BYTES = SEMAPHORE_BYTES;

    /**
     * Makes a new semaphore. Blocks: never. Callable from: any thread.
     * @overload
     * @param {{ initial?: number | undefined } & import('./memory/placed.js').PlaceOptions} [options] `initial`: how
     *     many permits are free at first: 1, the default, or 0
     * @throws {HoldfastError} `HF_NO_SPACE`, `HF_NO_ALLOCATOR`, `HF_NO_WEBASSEMBLY`, `HF_BAD_OPTION`, `HF_BAD_COUNT`
     */
    /** @param {any[]} args */
    constructor(...args) {
        const check = (/** @type {any} */ { initial = 1 }) => ({
            initial: checkCount(initial, 'initial', 0, 1),
            max: 1,
        });
        super(args, check, ['initial']);
    }
}

/**
 * A semaphore with any number of permits.
 *
 * ```js
 * const seats = new CountingSemaphore({ max: 5 });
 * worker.postMessage({ seats: seats.handle });
 * await seats.execAsync(() => {}, { permits: 2 });
 * ```
 * @extends {Semaphore<'CountingSemaphore'>}
 */
export class CountingSemaphore extends Semaphore {
    static KIND = 'CountingSemaphore';
    static BYTES = SEMAPHORE_BYTES;

    /**
     * Makes a new semaphore. Blocks: never. Callable from: any thread.
     * @overload
     * @param {CountingSemaphoreOptions & PlaceOptions} options `initial`: how many permits are free at first; `max`:
     *     the most permits there can be, up to 536,870,911; each defaults to the other, so one of them is needed
     * @throws {HoldfastError} `HF_NO_SPACE`, `HF_NO_ALLOCATOR`, `HF_NO_WEBASSEMBLY`, `HF_BAD_OPTION`, `HF_BAD_COUNT`
     */
    /** @param {any[]} args */
    constructor(...args) {
        const check = (/** @type {any} */ { initial, max = initial }) => ({
            max: checkCount(max, 'max', 1, SEMAPHORE_MOST),
            initial: checkCount(initial ?? max, 'initial', 0, max),
        });
        super(args, check, ['max', 'initial']);
    }
}
