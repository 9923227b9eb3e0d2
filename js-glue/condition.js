/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { callersClock, environment } from './thread/environment.js';
import { checkAborted, HoldfastError, isTimeout } from './errors.js';
import {
    AT_CONDITION,
    CONDITION_ALIGN,
    CONDITION_ALL,
    CONDITION_BYTES,
    CONDITION_FULL,
    CONDITION_LINE_OFFSET,
    CONDITION_MOST_WAITERS,
} from './memory/layout.js';
import { Mutex } from './mutex.js';
import {
    checkCallback,
    checkCount,
    checkLimit,
    checkNoLimit,
    checkWait,
    describe,
    WITHOUT_LIMIT,
} from './options.js';
import { settled } from './thread/event-loop.js';
import { lockError, timeoutError } from './waiting/about.js';
import { goOnLocking, MUTEX } from './waiting/gate.js';
import { levelsOf } from './waiting/levels.js';
import { askPhase, Phase } from './waiting/phase.js';
import { queueOf } from './waiting/queue-of.js';
import { checkMayWait, request } from './waiting/request.js';
import { addFamily } from './memory/family.js';
import { kindByHandle } from './memory/handle.js';
import { attachmentFor, offsetFor, Placed } from './memory/placed.js';
import { isTrue } from './waiting/section.js';

/** @typedef {import('./memory/attachment.js').Attachment} Attachment */
/** @typedef {import('./waiting/section.js').GateQueue} MutexQueue */
/** @typedef {import('./waiting/queue.js').Queue<Phase>} PhaseQueue */
/** @typedef {import('./recursive-mutex.js').RecursiveMutex} RecursiveMutex */

/**
 * Options of `waitAsync()`: limits, and a predicate to wait for.
 * @typedef {import('./options.js').WaitOptions & { predicate?: (() => boolean) | undefined }} ConditionOptions
 */

/** Names of the options of `waitAsync()`, and of `waitFor()`. */
const NAMES = ['timeout', 'deadline', 'signal', 'predicate'];
const NAMES_OF_BLOCKING = ['timeout', 'deadline', 'predicate'];

/** @type {import('./waiting/phase.js').PhaseKind} */
const CONDITION = {
    Waits: Phase,
    offset: CONDITION_LINE_OFFSET,
    decidedAt: 0,
    step: (exports, at, token) => exports.condition_step(at, token),
    wait: (exports, at, token, before, limit) => exports.condition_wait(at, token, before, limit),
    mustEnd: true,
    at: AT_CONDITION,
    instead: 'waitAsync()',
};

/**
 * A condition: threads that hold a mutex wait until another thread has changed the data that it guards. A
 * wait releases the mutex, and locks it again before it returns, whatever ends the wait. A notify releases
 * threads that began to wait before it; a later wait cannot take it from them.
 *
 * A thread that dies while it waits stays counted: it looks like one that is late. No living waiter misses a
 * notify because of it. But `notify(1)` may return 1 when only the dead thread waits, and a later notify may
 * release one more than it returns. So wait with a predicate, or in a loop.
 *
 * ```js
 * await mutex.execAsync(async () => {
 *     await notEmpty.waitAsync(mutex, { predicate: () => length[0] > 0 });
 *     length[0] -= 1;
 * });
 * ```
 * @extends {Placed<'Condition'>}
 */
export class Condition extends Placed {
    static KIND = 'Condition';
    static BYTES = CONDITION_BYTES;
    static ALIGN = CONDITION_ALIGN;

    /** @type {Attachment} */
    #attachment;
    /** The number of waits that have begun on this object. */
    #begun = 0;

    /**
     * Makes a new condition. Blocks: never. Callable from: any thread.
     * @overload
     * @param {import('./memory/placed.js').PlaceOptions} [options]
     * @throws {HoldfastError} `HF_NO_SPACE`; `HF_NO_WEBASSEMBLY`; `HF_NO_ALLOCATOR` in another program's memory
     */
    /** @param {any[]} args */
    constructor(...args) {
        super(args, undefined, addFamily);
        this.#attachment = attachmentFor(this);
    }

    /**
     * Waits for a notify. The data may have changed again before the mutex was locked: check it, or use a predicate.
     * Blocks: until the notify, and until the mutex is locked again, without limit (`waitFor()` has one). Callable
     * from: workers, and Node's main thread.
     * @overload
     * @param {Mutex | RecursiveMutex} mutex held by this thread; a recursive one with depth 1
     * @returns {void}
     * @throws {HoldfastError} `HF_MAY_NOT_BLOCK` where blocking is not allowed; `HF_NOT_OWNER` if this thread does
     *     not hold the mutex; `HF_DEADLOCK` if it has locked a recursive one more than once, so no other thread could
     *     lock it to notify; `HF_OVERFLOW` if 262,143 wait; an `AbandonedError` if a thread died with the mutex: this
     *     thread does not hold it then, and its guard or section has ended
     */
    /** @param {any} mutex @param {unknown} [limit] */
    wait(mutex, limit) {
        checkNoLimit(limit, 'waitFor(mutex, { timeout, predicate })');
        this.#block(this.#queue(), mutex, Infinity);
    }

    /**
     * Waits until a predicate is true; without a predicate, for a notify. Without limit by default.
     * Blocks: until the time limit at most, and until the mutex is locked again. Callable from: the same as `wait()`.
     * @param {Mutex | RecursiveMutex} mutex held by this thread; a recursive one with depth 1
     * @param {import('./options.js').TimeLimit & { predicate?: (() => boolean) | undefined }} options the predicate
     *     is called with the mutex held: before the first wait and after each
     * @returns {boolean} the predicate's last result; without a predicate, whether it was notified
     * @throws {HoldfastError} as `wait()`; `HF_BAD_OPTION`, `HF_BAD_TIMEOUT`; `HF_BAD_CALLBACK` if the predicate is
     *     not a function, or is async; and whatever the predicate throws
     */
    waitFor(mutex, options = {}) {
        const limit = checkLimit(options, Infinity, NAMES_OF_BLOCKING);
        const { predicate } = options;
        const queue = this.#queue();
        if (predicate === undefined) {
            return this.#block(queue, mutex, limit);
        }
        checkCallback(predicate);
        this.#check(mutex);
        const deadline = environment.now() + limit;
        while (!isTrue(predicate)) {
            const left = Math.max(deadline - environment.now(), 0);
            if (left === 0) {
                return false;
            }
            this.#block(queue, mutex, left);
        }
        return true;
    }

    /**
     * Waits for a notify, or until a predicate is true, without blocking. The mutex may be held by a callback of
     * `execAsync`, by a guard, or by `lock()`.
     *
     * Call it only from the code that holds the mutex, and await it there. A call by other code of this thread cannot
     * be told apart, and would release the mutex in the middle of the holder's section.
     * Blocks: never. Callable from: any thread.
     * @param {Mutex} mutex held by this thread
     * @param {ConditionOptions} [options] the predicate is called with the mutex held: before the first wait and
     *     after each
     * @returns {Promise<void>} Rejects, with the mutex held, with a `TimeoutError`, with the signal's reason, with
     *     what the predicate throws, or with `HF_NOT_OWNER`, `HF_OVERFLOW`, `HF_NO_TIMERS` or the code for a bad
     *     argument; without the mutex, with an `AbandonedError`
     */
    waitAsync(mutex, options) {
        const begun = this.#begun;
        const promise = this.#waitUntil(mutex, options);
        // A call that did not wait ends by microtasks alone, so first let other work run if its turn is due.
        // Calls that waited settle in the order made.
        return this.#begun === begun ? settled(promise) : promise;
    }

    /** @param {Mutex} mutex @param {ConditionOptions} [options] */
    async #waitUntil(mutex, options) {
        const { timeout, signal, predicate } = checkWait(options, NAMES);
        if (levelsOf.has(mutex)) {
            throw new HoldfastError(
                'HF_BAD_MUTEX',
                'waitAsync() takes no RecursiveMutex, since other callbacks could enter it meanwhile. Use a Mutex, or wait() in a worker.',
            );
        }
        this.#check(mutex);
        const queue = this.#queue();
        const mutexQueue = mutexQueueOf(mutex);
        if (predicate === undefined) {
            return this.#waitOnce(mutex, queue, mutexQueue, { timeout, signal });
        }
        checkCallback(predicate);
        const now = callersClock();
        const deadline = now() + timeout;
        while (!isTrue(predicate)) {
            checkAborted(signal); // the signal may have aborted during the wait for the mutex
            const left = Math.max(deadline - now(), 0);
            const wait = { timeout: left, signal, hasMutex: false };
            try {
                await this.#waitOnce(mutex, queue, mutexQueue, wait);
            } catch (error) {
                const { exports, self } = attachmentFor(mutex);
                const hasMutex =
                    wait.hasMutex && !mutexQueue.isFreed && exports.owned_is_by(offsetFor(mutex), self);
                if (hasMutex && isTrue(predicate)) {
                    return; // the predicate has become true after the deadline
                }
                const isLate = isTimeout(error) && !signal?.aborted;
                throw isLate ? timeoutError(queue, timeout) : error;
            }
        }
    }

    /**
     * Releases threads that wait now: the longest waiters first. A waiter that wakes late may lose its place.
     * Blocks: never. Callable from: any thread. It need not hold the mutex now, if it held it when it changed the
     * data.
     * @param {number} [count] a whole number, 0 or more; all by default
     * @returns {number} how many waits it has ended. Each ends as notified even if its time is up meanwhile, unless
     *     its thread has died. A wait whose predicate is still false begins again, and may be counted again
     * @throws {HoldfastError} `HF_BAD_COUNT`
     */
    notify(count = Infinity) {
        const most = count === Infinity ? CONDITION_ALL : checkCount(count, 'count', 0, CONDITION_ALL);
        return this.#attachment.exports.condition_notify(offsetFor(this), most);
    }

    /** @param {Mutex | RecursiveMutex} mutex */
    #check(mutex) {
        const levels = levelsOf.get(mutex);
        if (!(mutex instanceof Mutex || levels)) {
            const kind = kindByHandle(mutex);
            throw new HoldfastError(
                'HF_BAD_MUTEX',
                !(mutex instanceof Placed) && String(kind).endsWith('Mutex')
                    ? `This mutex is of another copy of holdfast, or of holdfast/tc39: use ${kind}.from(mutex.handle).`
                    : `A condition waits with a Mutex, not ${describe(mutex)}.`,
            );
        }
        const { gate } = mutexQueueOf(mutex);
        if (!gate.isMine()) {
            throw lockError(gate, 'HF_NOT_OWNER', 'This thread does not hold %. Lock it before the wait.');
        }
        const depth = levels?.depth() ?? 1;
        if (depth > 1) {
            throw lockError(
                gate,
                'HF_DEADLOCK',
                `This thread has locked % ${depth} times, and a wait releases it only once. Wait at depth 1.`,
            );
        }
        if (isRepaired(mutexQueueOf(mutex))) {
            throw lockError(gate, 'HF_BAD_MUTEX', '% is being repaired. Call the wait after the repair.');
        }
    }

    /** @returns {number} the token of a wait that has begun */
    #begin() {
        const token = this.#attachment.exports.condition_begin(offsetFor(this));
        if (token >>> 0 === CONDITION_FULL) {
            throw lockError(
                this.#queue().gate,
                'HF_OVERFLOW',
                `% has room for ${CONDITION_MOST_WAITERS} waits at a time.`,
            );
        }
        this.#begun += 1;
        return token;
    }

    /**
     * @param {PhaseQueue} queue this condition's when the wait began: a predicate may have freed the condition
     * @param {Mutex | RecursiveMutex} mutex
     * @param {number} timeout
     * @returns {boolean} whether it was notified
     */
    #block(queue, mutex, timeout) {
        queue.gate.checkMayBlock();
        checkIsThere(queue);
        this.#check(mutex);
        const token = this.#begin();
        const { exports, self } = attachmentFor(mutex);
        const mutexQueue = mutexQueueOf(mutex);
        // This thread's section or guard stays as it is: no other code of the thread runs until the mutex is
        // locked again.
        exports.mutex_unlock(offsetFor(mutex), self);
        try {
            return queue.gate.blockFor(token, timeout);
        } finally {
            this.#getBack(mutex, mutexQueue);
        }
    }

    /**
     * Blocks until this thread has locked the mutex again.
     * @param {Mutex | RecursiveMutex} mutex
     * @param {MutexQueue} mutexQueue
     */
    #getBack(mutex, mutexQueue) {
        const { exports, self } = attachmentFor(mutex);
        try {
            goOnLocking(mutexQueue.gate, exports.mutex_lock_for_a_time(offsetFor(mutex), self));
            levelsOf.get(mutex)?.begin();
        } catch (error) {
            lose(mutexQueue, mutexQueue.section);
            levelsOf.get(mutex)?.lose();
            throw error;
        } finally {
            // A notify wakes only one blocking thread, which wakes the next one here. It wakes all event loops.
            this.#attachment.exports.condition_pass_on(offsetFor(this));
        }
    }

    /**
     * @param {Mutex} mutex
     * @param {PhaseQueue} queue this condition's when the wait began
     * @param {MutexQueue} mutexQueue the mutex's when the wait began: either may have been freed between two waits
     * @param {import('./options.js').Wait & { hasMutex?: boolean }} wait `hasMutex`: set when this wait has locked
     *     the mutex again. Without it, other code of this thread may hold the mutex
     */
    async #waitOnce(mutex, queue, mutexQueue, wait) {
        checkMayWait(queue);
        [queue, mutexQueue].forEach(checkIsThere);
        this.#check(mutex); // a predicate may have released the mutex
        const token = this.#begin();
        const section = suspend(mutexQueue, attachmentFor(mutex).self);
        try {
            await askPhase(queue, token, undefined, wait);
        } finally {
            await lockAgain(mutexQueue, attachmentFor(mutex).self, section);
            wait.hasMutex = true;
        }
    }

    #queue() {
        return queueOf(this, CONDITION);
    }
}

/** @param {Mutex | RecursiveMutex} mutex maybe in another default space than the condition */
function mutexQueueOf(mutex) {
    return queueOf(mutex, MUTEX);
}

/** @param {import('./waiting/queue.js').Queue} queue that a wait began with @throws {HoldfastError} `HF_FREED` */
function checkIsThere(queue) {
    if (queue.isFreed) {
        checkMayWait(queue);
    }
}

/**
 * True if the mutex is held for a repair: the end of a repair may abandon the mutex again.
 * @param {MutexQueue} mutexQueue
 */
function isRepaired({ section }) {
    return section !== undefined && section.dead !== 0;
}

/** @typedef {import('./waiting/section.js').Section | undefined} Suspended undefined: lock() took the mutex */

/**
 * Releases the mutex for the time of a wait.
 * @param {MutexQueue} mutexQueue
 * @param {number} self
 * @returns {Suspended} for `resume`
 */
function suspend(mutexQueue, self) {
    const { section, gate } = mutexQueue;
    gate.leave(self);
    if (section !== undefined) {
        mutexQueue.forget();
        section.state = 'suspended';
    }
    return section;
}

/**
 * Waits for the mutex again, without limit, and resumes the suspended section.
 * @param {MutexQueue} mutexQueue
 * @param {number} self
 * @param {Suspended} section
 */
async function lockAgain(mutexQueue, self, section) {
    try {
        if (mutexQueue.admits && mutexQueue.gate.tryNow(self)) {
            resume(mutexQueue, section);
        } else {
            await request(mutexQueue, self, resume, section, WITHOUT_LIMIT);
        }
    } catch (error) {
        lose(mutexQueue, section);
        throw error;
    }
}

/**
 * Notes that a wait has ended without the mutex.
 * @param {MutexQueue} mutexQueue
 * @param {Suspended} section whose wait it was
 */
function lose(mutexQueue, section) {
    if (section === undefined) {
        if (!mutexQueue.isFreed) {
            mutexQueue.gate.attachment.sections += 1;
            mutexQueue.emptyUnlocks += 1;
        }
        return;
    }
    const isBlocked = mutexQueue.section === section; // wait() blocks, and suspends no section
    if (isBlocked) {
        mutexQueue.forget();
    }
    if (isBlocked || section.state === 'suspended') {
        section.state = 'lost';
    }
}

/**
 * Gives the mutex back to the section. If the section has ended meanwhile, releases the mutex, as no other code
 * would.
 * @param {MutexQueue} mutexQueue
 * @param {Suspended} section
 */
function resume(mutexQueue, section) {
    if (section === undefined) {
        mutexQueue.takenByLock();
    } else {
        const isOver = section.state !== 'suspended';
        section.state = 'holds';
        mutexQueue.begin(section);
        if (isOver) {
            section.leave();
        }
    }
}
