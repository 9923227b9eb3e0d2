/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { errorOf, HoldfastError } from '../errors.js';
import { Gate } from './gate.js';
import { AT_MUTEX, GATE_FOR_ONE, RESULT_DEADLOCK, RESULT_OK } from '../memory/layout.js';
import { RequestQueue } from './queue.js';

export class MutexSection {
    /** What the lock gets back at the end: the dead owner of one that is not recovered. */
    left = 0;
    /** Whether it has released the lock for a while, and has not ended. */
    isSuspended = false;
    /** Whether a wait of its code has ended without the lock, and said so: nothing is left to release. */
    isLost = false;
    /** Whether requests of its thread wait for its end: not if a blocking method made it. */
    holdsUp = false;

    /** @param {MutexQueue} queue */
    constructor(queue) {
        this.queue = queue;
    }

    enter() {
        return this.queue.enter(this);
    }

    leave() {
        return this.queue.leave(this);
    }

    recycle() {
        this.queue.spare = this;
    }

    /** @param {unknown} promise */
    awaits(promise) {
        return this.queue.awaits(promise);
    }
}

/** One thread's requests for one mutex. They wait for the end of its section without a look at the lock. */
export class MutexQueue extends RequestQueue {
    #attachment;
    #byteOffset;
    /** @type {MutexSection | undefined} what will release the lock; `lock()` makes none */
    section;
    /** One that has ended, and that nobody keeps. @type {MutexSection | undefined} */
    spare;
    /** How many calls of unlock() are to come that have nothing to release, as `isLost`. */
    #lost = 0;

    /**
     * @param {import('../memory/attachment.js').Attachment} attachment
     * @param {number} byteOffset
     * @param {import('./gate.js').GateKind} kind
     */
    constructor(attachment, byteOffset, kind) {
        const gate = new Gate(attachment, byteOffset, kind);
        super(gate);
        /** For those who do not queue. */
        this.gate = gate;
        this.#attachment = attachment;
        this.#byteOffset = byteOffset;
    }

    /**
     * It makes one only if there is no spare one: that takes as long as to lock and to unlock.
     *
     * @param {boolean} holdsUp
     */
    newSection(holdsUp) {
        const section = this.spare ?? new MutexSection(this);
        this.spare = undefined;
        section.holdsUp = holdsUp;
        return section;
    }

    isMine() {
        return this.#attachment.exports.gate_is_mine(this.#byteOffset, this.#attachment.self) !== 0;
    }

    get isHeldUp() {
        return this.rests || this.section?.holdsUp === true;
    }

    get hurries() {
        return super.hurries || this.isMine(); // who holds the lock gets no place, so nobody will call it
    }

    admitsAtOnce() {
        if (this.isHeldUp && !this.isMine()) {
            this.forget(); // that section lost the lock, by unlock() through another object
        }
        return this.admits && !this.isHeldUp;
    }

    /** Whether a section holds the lock. */
    get holds() {
        return this.section !== undefined && this.isMine();
    }

    /** @returns {boolean} whether it held requests up */
    #end() {
        const section = this.section;
        if (section === undefined) {
            return false;
        }
        this.#attachment.sections -= 1;
        this.section = undefined;
        return section.holdsUp;
    }

    /** The thread has just taken the lock, so a section that seems to last has lost it. */
    forget() {
        if (this.#end()) {
            this.startAgain();
        }
    }

    /** lock() has taken it, or a wait of its code: the next unlock() releases it. */
    takenByLock() {
        this.#attachment.sections -= this.#lost; // as sections count, so that the methods look here
        this.#lost = 0;
        this.forget();
    }

    /**
     * A wait has ended without the lock.
     *
     * @param {MutexSection | undefined} section whose wait it was; lock() has made none
     */
    lose(section) {
        if (section !== undefined) {
            const isHere = section === this.section; // its thread was blocked
            section.isLost = isHere || section.isSuspended;
            section.isSuspended = false;
            if (isHere) {
                this.forget();
            }
        } else if (!this.isFreed) {
            this.#attachment.sections += 1;
            this.#lost += 1;
        }
    }

    get hasLost() {
        return this.#lost > 0;
    }

    /** For unlock(): whether it is that of code whose wait has ended without the lock. */
    takesLoss() {
        const isLost = this.#lost > 0 && (this.section !== undefined || !this.isMine());
        if (isLost) {
            this.#attachment.sections -= 1;
            this.#lost -= 1;
        }
        return isLost;
    }

    free() {
        this.takenByLock();
        super.free();
    }

    /** @param {MutexSection} [section] with the lock held already; a new one for a request, which keeps none while it waits */
    enter(section = this.newSection(true)) {
        if (!section.holdsUp) {
            this.forget();
        }
        if (this.section === undefined) {
            this.#attachment.sections += 1;
        }
        this.section = section;
        return section;
    }

    /**
     * @param {MutexSection} section that ends
     * @returns {import('../errors.js').HoldfastError | undefined} if it had lost the lock
     */
    leave(section) {
        if (section === this.section) {
            return this.release();
        }
        section.isSuspended = false;
        if (section.isLost) {
            section.isLost = false;
            return undefined;
        }
        return new HoldfastError(
            'HF_NOT_OWNER',
            'This section does not hold the lock: after free(), or a wait not awaited.',
        );
    }

    /** Ends the section that is, if there is one, and releases the lock. */
    release() {
        if (this.waits && this.isHeldUp) {
            this.goOn();
        }
        const { exports, self } = this.#attachment;
        const left = this.section?.left ?? 0;
        if (left !== 0) {
            exports.gate_abandon(this.#byteOffset, self, left); // which wakes all
        }
        const result = left === 0 ? exports.mutex_unlock(this.#byteOffset, self) : RESULT_OK;
        this.#end();
        return result === RESULT_OK ? undefined : errorOf(result, 'mutex');
    }

    /**
     * Goes on with what `mutex_lock` has begun: blocks, until the thread has the lock.
     *
     * @param {number} result of it
     * @throws {HoldfastError} `HF_DEADLOCK`, `HF_ABANDONED`
     */
    goOnLocking(result) {
        if (result === RESULT_DEADLOCK) {
            throw errorOf(result, 'mutex');
        }
        if (result !== RESULT_OK) {
            this.gate.pass(this.#attachment.self, Infinity, result < 0 ? result : 0);
        }
    }
}

export const MUTEX = {
    Queue: MutexQueue,
    capacityOf: () => GATE_FOR_ONE,
    at: AT_MUTEX,
    late: 'The lock was not got',
    hasOwner: true,
};
