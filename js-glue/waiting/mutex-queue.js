/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { errorOf, lostError, TimeoutError } from '../errors.js';
import { Gate } from './gate.js';
import { GATE_FOR_ONE, RESULT_OK } from '../memory/layout.js';
import { RequestQueue } from './queue.js';

/**
 * The requests of one thread for one mutex, and what this thread holds it by. Since a mutex has an owner, the
 * requests of its thread wait for the end of its section without a look at the lock.
 */
export class MutexQueue extends RequestQueue {
    #attachment;
    #byteOffset;
    /**
     * The take that something will end by `leave`: a section (above 0), or a guard and the like (below); 0: none. The
     * lock may be held without one all the same.
     */
    #take = 0;
    /** The last number given to a take. */
    #takes = 0;
    /** @type {Set<number> | undefined} takes that have released the lock for a while, and have not ended meanwhile */
    #suspended;

    /**
     * @param {import('../memory/attachment.js').Attachment} attachment
     * @param {number} byteOffset
     */
    constructor(attachment, byteOffset) {
        const gate = new Gate(attachment, byteOffset, GATE_FOR_ONE, 'The lock was not got');
        super(gate);
        /** The lock itself, for those who do not queue. */
        this.gate = gate;
        this.#attachment = attachment;
        this.#byteOffset = byteOffset;
    }

    #isMine() {
        return this.#attachment.exports.mutex_is_mine(this.#byteOffset, this.#attachment.self) !== 0;
    }

    get isHeldUp() {
        return this.#take > 0;
    }

    get hurries() {
        return super.hurries || this.#isMine(); // it has no place before this thread releases the lock
    }

    admitsAtOnce() {
        if (this.#take > 0 && !this.#isMine()) {
            this.forget(); // that section lost the lock, by unlock() through another object
        }
        return this.#take <= 0 && super.admitsAtOnce();
    }

    /** Whether something holds the lock that will release it by `leave`. */
    get holds() {
        return this.#take !== 0 && this.#isMine();
    }

    /** @param {number} take */
    #holdBy(take) {
        if (take !== 0 && this.#take === 0) {
            this.#attachment.takes += 1;
        }
        this.#take = take;
        return take;
    }

    #end() {
        const take = this.#take;
        if (take !== 0) {
            this.#attachment.takes -= 1;
            this.#take = 0;
        }
        return take > 0;
    }

    /** Whatever take still seems to last has lost the lock, for the thread has just taken it again. */
    forget() {
        if (this.#end()) {
            this.startAgain();
        }
    }

    free() {
        this.#end();
        super.free();
    }

    /**
     * The thread has just taken the lock by a blocking method that will end it by `leave`.
     *
     * @returns {number} for `leave`
     */
    take() {
        this.forget();
        this.#takes += 1;
        return this.#holdBy(-this.#takes);
    }

    /**
     * A section of this queue begins, with the lock held already.
     *
     * @returns {number} for `leave`
     */
    enter() {
        this.#takes += 1;
        return this.#holdBy(this.#takes);
    }

    /**
     * What that take began has ended: releases the lock, and lets the next request have its turn.
     *
     * @param {number} take
     * @returns {import('../errors.js').HoldfastError | undefined} set if it did not hold the lock any more
     */
    leave(take) {
        if (take === this.#take) {
            return this.#release();
        }
        this.#suspended?.delete(take);
        return lostError();
    }

    #release() {
        const wasSection = this.#end();
        const { exports, self } = this.#attachment;
        const result = exports.mutex_unlock(this.#byteOffset, self);
        if (wasSection) {
            this.goOn();
        }
        return result === RESULT_OK ? undefined : errorOf(result, 'mutex');
    }

    /**
     * Releases the lock for a while, in the middle of whatever holds it.
     *
     * @returns {number} for `resume`, which has to follow when the lock is got again
     */
    suspend() {
        const take = this.#take;
        this.#suspended ??= new Set();
        this.#suspended.add(take);
        this.#release();
        return take;
    }

    /**
     * The lock is got again: what held it goes on, unless it has ended meanwhile. Then nobody else would release it.
     *
     * @param {number} take
     */
    resume(take) {
        this.#holdBy(take);
        if (take !== 0 && !this.#suspended?.delete(take)) {
            this.#release();
        }
    }

    /** @param {number} timeout */
    timeoutError(timeout) {
        return new TimeoutError(this.gate.late, timeout, this.#isMine());
    }
}
