/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import {
    AT_MUTEX,
    GATE_FOR_ONE,
    GATE_LINE_OFFSET,
    GATE_POLLED_RESERVATION_MS,
    GATE_TURN_OFFSET,
    GATE_USE_OFFSET,
    RESULT_ABANDONED,
    RESULT_DEADLOCK,
    RESULT_OK,
    STEP_KIND_ASYNC,
    STEP_KIND_POLLING,
    THREAD_MASK,
} from '../memory/layout.js';
import { checkMayBlock } from '../thread/capabilities.js';
import { environment } from '../thread/environment.js';
import { WATCH_MS } from '../thread/times.js';
import { abandonedError, deadlockError, notOwnerError } from './about.js';
import { block } from './blocking.js';
import { Holder } from './holder.js';
import { outcomeOf, tokenOf } from './outcome.js';

/**
 * @typedef {import('./queue.js').Waitable} Waitable
 * @typedef {import('../memory/attachment.js').Attachment} Attachment
 * @typedef {import('../memory/module.js').Exports} Exports
 * @typedef {object} GateKind
 * @property {typeof Gate} Waits the class whose instance a queue waits for
 * @property {(exports: Exports, byteOffset: number) => number} capacityOf
 * @property {(exports: Exports) => (byteOffset: number, amount: number) => number} [tryOf] passes if possible at
 *     once, faster than gate_try_after
 * @property {(exports: Exports) => (byteOffset: number, amount: number) => number} leaveOf gives an amount back
 * @property {(gate: Gate, amount: number) => Error | undefined} refusal the error if nothing could be given back
 * @property {(exports: Exports, byteOffset: number, amount: number) => boolean} [mayWait] whether a section with that
 *     amount may wait for a later request of its own thread: other threads can give enough back
 * @property {number} at hf__kind_at
 * @property {boolean} [hasOwner] whether an exclusive holder's amount is its identity (c-src/owned.h)
 * @property {readonly string[]} [names] of the options of a request
 * @property {string} instead the methods for threads that may not block
 */

/** A gate (c-src/gate.h) as this thread uses it, for its queue and its blocking calls. @implements {Waitable} */
export class Gate {
    reserves = true;
    #exports;
    #self;
    #kind;
    #leave;
    /** @type {(byteOffset: number, amount: number) => number} */
    #try;
    #words;
    #byteOffset;
    /** The number of the reservation or slot that has kept tryLate() out, and since when; 0: none. */
    #inTheWay = 0;
    #inTheWaySince = 0;
    #lastAttempt = -Infinity;

    /** @param {import('../memory/found.js').Found} found @param {GateKind} kind */
    constructor(found, kind) {
        const { attachment, byteOffset } = found;
        this.found = found;
        this.attachment = attachment;
        this.place = byteOffset | kind.at;
        /** The amount of an exclusive holder, which is its identity; 0 for permits. */
        this.alone = kind.hasOwner ? attachment.self : 0;
        this.#byteOffset = byteOffset;
        this.#exports = attachment.exports;
        this.#self = attachment.self;
        this.#kind = kind;
        this.#leave = kind.leaveOf(attachment.exports);
        this.#try = kind.tryOf?.(attachment.exports) ?? ((_, amount) => this.#tryAfter(amount, 0));
        this.#words = attachment.words;
        this.holder = kind.hasOwner ? new Holder(found) : undefined;
        this.instead = kind.instead;
    }

    get #capacity() {
        return this.#kind.capacityOf(this.#exports, this.#byteOffset);
    }

    /** @type {Waitable['step']} */
    step(amount, comesLate, isArmed, watched, waited) {
        const outcome = this.#exports.gate_step(
            this.#byteOffset,
            this.#self,
            comesLate ? STEP_KIND_POLLING : STEP_KIND_ASYNC,
            tokenOf(isArmed, watched, waited),
            amount,
            this.#capacity,
        );
        return outcomeOf(outcome, true);
    }

    /** @type {Waitable['withdraw']} */
    withdraw() {
        this.#exports.gate_withdraw(this.#byteOffset, this.#self, STEP_KIND_ASYNC, 0, this.#capacity);
    }

    /**
     * Keeps the slot for this thread's next request; the queue withdraws after the last.
     * @type {Waitable['giveUp']}
     */
    giveUp() {
        return false;
    }

    /** @param {import('../thread/event-loop.js').Word} word @returns {{ words: Int32Array, index: number }} */
    locate(word) {
        const offset = word === 'turn' ? GATE_TURN_OFFSET : GATE_LINE_OFFSET;
        return { words: this.#words, index: (this.#byteOffset + offset) / 4 };
    }

    /** For `line`, reads `use`, which decides a step: a wake does not change `line`. @type {Waitable['read']} */
    read(word) {
        const offset = word === 'turn' ? GATE_TURN_OFFSET : GATE_USE_OFFSET;
        return environment.load(this.#words, (this.#byteOffset + offset) / 4);
    }

    isMine() {
        return this.alone !== 0 && this.#exports.owned_is_by(this.#byteOffset, this.alone) !== 0;
    }

    /** True if a section with this amount waits for itself by awaiting a later request. @param {number} amount */
    mayNotAwait(amount) {
        return !this.#kind.mayWait?.(this.#exports, this.#byteOffset, amount);
    }

    /** @type {Waitable['probe']} */
    probe(goesOn) {
        this.holder?.probe(goesOn);
    }

    /** @param {number} result @returns {boolean} whether it is RESULT_OK */
    #hasPassed(result) {
        if (result === RESULT_ABANDONED) {
            throw abandonedError(this);
        }
        return result === RESULT_OK;
    }

    /**
     * @param {number} amount to release
     * @param {number} dead the dead owner to write back into a lock that was not repaired
     * @returns {undefined}
     */
    abandon(amount, dead) {
        this.#exports.gate_abandon(this.#byteOffset, amount, dead); // wakes all waiters
    }

    /** @param {number} amount to release @returns {Error | undefined} if the release failed */
    leave(amount) {
        return this.#leave(this.#byteOffset, amount) === RESULT_OK
            ? undefined
            : this.#kind.refusal(this, amount);
    }

    /** @returns {number} the dead owner whose lock this thread has taken over; 0: the lock is not abandoned */
    takeOver() {
        return this.#exports.owned_take_over(this.#byteOffset, this.#self);
    }

    /** @param {number} amount */
    tryNow(amount) {
        return this.#try(this.#byteOffset, amount) === RESULT_OK;
    }

    /**
     * @param {number} amount
     * @param {number} watched the number of the reservation or slot that kept this thread out for its whole time; 0: none
     * @returns {number} RESULT_OK, RESULT_ABANDONED, or STEP_WAIT_MORE with the number of the reservation or slot that keeps it out
     */
    #tryAfter(amount, watched) {
        return this.#exports.gate_try_after(this.#byteOffset, this.#self, watched, amount, this.#capacity);
    }

    /**
     * Tries, for callers that do not wait. If the same reservation has kept attempts out for its whole time, this
     * attempt ignores it, since its thread may be dead.
     * @param {number} amount
     * @returns {boolean} whether it has passed
     * @throws {import('../errors.js').AbandonedError}
     */
    tryLate(amount) {
        const now = environment.now();
        if (now - this.#lastAttempt > WATCH_MS) {
            this.#inTheWay = 0;
        }
        this.#lastAttempt = now;
        const isOver = now - this.#inTheWaySince >= GATE_POLLED_RESERVATION_MS;
        const result = this.#tryAfter(amount, isOver ? this.#inTheWay : 0);
        if (this.#hasPassed(result)) {
            this.#inTheWay = 0; // the time of the next reservation begins anew
            return true;
        }
        this.holder?.probe(false); // attempts may be seconds apart
        const inTheWay = result & THREAD_MASK;
        if (inTheWay !== this.#inTheWay) {
            this.#inTheWay = inTheWay;
            this.#inTheWaySince = now;
        }
        return false;
    }

    /**
     * Blocks until the gate is passed, or the time is up.
     * @param {number} amount
     * @param {number} timeout milliseconds
     * @param {number} [token] if the wait has already begun
     * @returns {boolean} whether it has passed
     * @throws {import('../errors.js').AbandonedError}
     */
    wait(amount, timeout, token) {
        const waitOnce = (/** @type {number} */ before, /** @type {number} */ limitMicroseconds) =>
            this.#exports.gate_wait(
                this.#byteOffset,
                this.#self,
                before,
                limitMicroseconds,
                amount,
                this.#capacity,
            );
        return this.#hasPassed(block(this, waitOnce, timeout, token));
    }
}

/**
 * @param {Gate} gate
 * @throws {import('../errors.js').HoldfastError} `HF_MAY_NOT_BLOCK`; `HF_DEADLOCK` if this thread would wait for itself
 */
function checkMayBlockAt(gate) {
    checkMayBlock(gate.instead);
    if (gate.isMine()) {
        throw deadlockError(gate);
    }
}

/** Passes; blocks without limit. @param {Gate} gate @param {number} amount */
export function pass(gate, amount) {
    checkMayBlockAt(gate);
    return gate.tryNow(amount) || gate.wait(amount, Infinity);
}

/**
 * Passes if that is possible within the time limit; blocks for that time.
 * @param {Gate} gate
 * @param {number} amount
 * @param {number} limit milliseconds
 */
export function tryPass(gate, amount, limit) {
    if (limit > 0) {
        checkMayBlockAt(gate);
        if (gate.wait(amount, limit)) {
            return true;
        }
    }
    // A wait shorter than a reservation cannot outlast the reservation of a dead heir. Repeated tries can: tryLate()
    // sums their time.
    return gate.tryNow(amount) || gate.tryLate(amount);
}

/** @type {GateKind} */
export const MUTEX = {
    Waits: Gate,
    capacityOf: () => GATE_FOR_ONE,
    tryOf: (exports) => exports.mutex_trylock,
    leaveOf: (exports) => exports.mutex_unlock,
    refusal: notOwnerError,
    at: AT_MUTEX,
    hasOwner: true,
    instead: 'execAsync(), acquireAsync() or tryLock()',
};

/**
 * Continues a lock() begun by `mutex_lock_for_a_time`: blocks until this thread has the lock.
 * @param {Gate} gate of a mutex
 * @param {number} result of that call. After RESULT_ABANDONED a new wait throws, unless the lock was recovered
 *     meanwhile
 * @throws {import('../errors.js').HoldfastError} `HF_DEADLOCK`, `HF_ABANDONED`
 */
export function goOnLocking(gate, result) {
    if (result === RESULT_DEADLOCK) {
        throw deadlockError(gate);
    }
    if (result !== RESULT_OK) {
        gate.wait(gate.attachment.self, Infinity, result < 0 ? result : 0);
    }
}
