/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { HoldfastError } from './errors.js';
import { withHolds } from './memory/holds.js';
import { RWLOCK_BYTES, RWLOCK_MOST, RWLOCK_SHARED, SEMAPHORE_BYTES } from './memory/layout.js';
import { foundFor } from './memory/placed.js';
import { checkCount } from './options.js';
import { otherKinds, RWLOCK, RwLock } from './rwlock.js';
import { Semaphore, SEMAPHORE } from './semaphore.js';
import { lockError } from './waiting/about.js';

/* Reader-writer locks and semaphores whose dead holders' permits come back. They record how much each thread
 * holds (c-src/holds.h), so only the thread that took something can give it back. A separate entry, so that
 * other programs do not load it. */

/** @typedef {import('./memory/attachment.js').Attachment} Attachment */
/** @typedef {import('./memory/placed.js').PlaceOptions} PlaceOptions */

/** Prepares the record of what this thread holds of the object. @param {any} object */
function join(object) {
    const { attachment, byteOffset } = foundFor(object);
    /** @type {any} */ (attachment.exports).holds_join(byteOffset, attachment.self);
}

/** @param {import('./waiting/gate.js').Gate} gate @param {string} what this thread holds too little of */
function notHeldError(gate, what) {
    return lockError(
        gate,
        'HF_NOT_OWNER',
        `This thread does not hold ${what} of %. A thread can release only what it acquired.`,
    );
}

/**
 * A kind of its own: queues are found by address and kind, and gates of this class call other functions of C.
 * `@__PURE__` lets bundlers drop it.
 */
const LOCK = /* @__PURE__ */ Object.assign({}, RWLOCK, {
    /** @type {typeof RWLOCK.refusal} */
    refusal: (gate, amount) =>
        amount === RWLOCK_SHARED ? notHeldError(gate, 'a shared lock') : RWLOCK.refusal(gate, amount),
});

/** @param {Attachment} attachment @param {boolean} [isNew] whether at() makes a new object */
function withRecords(attachment, isNew) {
    if (isNew) {
        throw new HoldfastError(
            'HF_BAD_OPTION',
            'at() of this class takes no options, since it makes no object. Use the constructor for a new one.',
        );
    }
    return withHolds(attachment);
}

/** @param {Attachment} attachment @param {boolean} [isNew] */
function withHeldLocks(attachment, isNew) {
    const changed = withRecords(attachment, isNew);
    otherKinds.set(changed, LOCK);
    return changed;
}

/**
 * A reader-writer lock that also notices dead readers: their read locks are returned within about a second,
 * without an error, since a reader changes nothing. Dead writers are treated as by `RwLock`. Only the thread
 * that took a read lock can unlock it. So `HF_DEADLOCK` is thrown by a method that would block for the
 * exclusive lock while this thread holds it shared.
 *
 * It needs a `LockSpace`, and takes 8 bytes there for each of its `threads`. Threads whose death is not
 * noticed (`support().death`) may use it; what they hold when they die stays taken.
 *
 * ```js
 * const lock = new RecoverableRwLock({ space });
 * worker.postMessage({ lock: lock.handle });
 * ```
 */
export class RecoverableRwLock extends RwLock {
    static KIND = 'RecoverableRwLock';
    static BYTES = RWLOCK_BYTES;

    /**
     * Makes a new, unlocked lock. Blocks: never. Callable from: any thread.
     * @overload
     * @param {import('./memory/placed.js').PlaceOptions} [options]
     * @throws {HoldfastError} as `RwLock`; `HF_NO_ALLOCATOR` in another program's memory
     */
    /** @param {any[]} args */
    constructor(...args) {
        super(.../** @type {[any]} */ (/** @type {unknown} */ ([args[0], args[1], withHeldLocks])));
        join(this);
    }

    /**
     * Releases a shared lock. Blocks: never. Callable from: the thread that locked it.
     * @throws {HoldfastError} `HF_NOT_OWNER` if this thread does not hold it shared; nothing is changed then
     */
    unlockShared() {
        super.unlockShared();
    }
}

const SEMAPHORE_OF_OWNERS = /* @__PURE__ */ Object.assign({}, SEMAPHORE, {
    /** @type {typeof SEMAPHORE.mayWait} */
    mayWait: (exports, byteOffset, permits) => permits < SEMAPHORE.capacityOf(exports, byteOffset),
    /** Waits probe whether the threads with permits live. */
    hasOwner: true,
    /** @type {typeof SEMAPHORE.refusal} */
    refusal: (gate, permits) => notHeldError(gate, permits === 1 ? 'a permit' : `${permits} permits`),
});

/**
 * A semaphore whose permits have owners: those of a dead thread are returned within about a second, without
 * an error. All permits are free at first, and only the thread that took one can give it back. A method that
 * would block for more permits than the other threads can return throws `HF_DEADLOCK`.
 *
 * It needs a `LockSpace`, and takes 8 bytes there for each of its `threads`. Threads whose death is not
 * noticed (`support().death`) may use it; permits that they have when they die stay taken.
 *
 * ```js
 * const seats = new RecoverableSemaphore({ space, max: 5 });
 * worker.postMessage({ seats: seats.handle });
 * await seats.execAsync(() => {}, { permits: 2 });
 * ```
 * @extends {Semaphore<'RecoverableSemaphore'>}
 */
export class RecoverableSemaphore extends Semaphore {
    static KIND = 'RecoverableSemaphore';
    static BYTES = SEMAPHORE_BYTES;

    /**
     * Makes a new semaphore. Blocks: never. Callable from: any thread.
     * @overload
     * @param {{ max: number } & PlaceOptions} options `max`: how many permits, 1 to 134,217,727
     * @throws {HoldfastError} `HF_NO_SPACE`, `HF_NO_ALLOCATOR`, `HF_NO_WEBASSEMBLY`, `HF_BAD_OPTION`, `HF_BAD_COUNT`
     */
    /** @param {any[]} args */
    constructor(...args) {
        const check = (/** @type {any} */ { max }) => {
            const permits = checkCount(max, 'max', 1, RWLOCK_MOST);
            return { initial: permits, max: permits };
        };
        super(args, check, ['max'], SEMAPHORE_OF_OWNERS, withRecords);
        join(this);
    }
    /**
     * Gives permits back. Blocks: never. Callable from: the thread that took them.
     * @param {number} [permits] 1 to `max`
     * @throws {HoldfastError} `HF_NOT_OWNER` if this thread has fewer; `HF_BAD_COUNT`; nothing is changed then
     */
    leave(permits = 1) {
        super.leave(permits);
    }
}
