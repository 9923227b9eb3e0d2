/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { Awaited } from './awaited.js';
import { environment } from '../thread/environment.js';
import {
    GATE_LINE_OFFSET,
    GATE_POLLED_RESERVATION_MS,
    GATE_TURN_OFFSET,
    GATE_USE_OFFSET,
    RESULT_ABANDONED,
    RESULT_OK,
    STEP_KIND_ASYNC,
    STEP_KIND_POLLING,
    THREAD_MASK,
} from '../memory/layout.js';
import { outcomeOf, tokenOf } from './decide.js';
import { Holder } from './holder.js';
import { WATCH_MS } from '../thread/times.js';

/**
 * @typedef {import('./queue.js').Waitable} Waitable
 * @typedef {import('../memory/attachment.js').Attachment} Attachment
 *
 * @typedef {object} GateKind
 * @property {(exports: import('../memory/module.js').Exports, byteOffset: number) => number} capacityOf
 * @property {number} at hf__kind_at
 * @property {string} late what did not happen, for the message
 * @property {boolean} [hasOwner] who holds it alone brings its identity into use (c-src/owned.h)
 */

/**
 * A gate (c-src/gate.h) as this thread uses it.
 *
 * @implements {Waitable}
 */
export class Gate {
    #exports;
    #self;
    #kind;
    #words;
    /** @type {Holder | undefined} */
    #holder;
    /** The number of the call or place that attempts without a wait found in the way; 0: none. */
    #inTheWay = 0;
    #inTheWaySince = 0;
    #lastAttempt = -Infinity;

    /**
     * @param {import('../memory/attachment.js').Attachment} attachment
     * @param {number} byteOffset
     * @param {GateKind} kind
     */
    constructor(attachment, byteOffset, kind) {
        this.late = kind.late;
        this.memory = attachment.memory;
        this.byteOffset = byteOffset;
        this.awaited = new Awaited(attachment, byteOffset | kind.at);
        this.#exports = attachment.exports;
        this.#self = attachment.self;
        this.#kind = kind;
        this.#words = attachment.words;
        this.#holder = kind.hasOwner ? new Holder(attachment, byteOffset) : undefined;
    }

    get #capacity() {
        return this.#kind.capacityOf(this.#exports, this.byteOffset);
    }

    /** @type {Waitable['step']} */
    step(amount, comesLate, inLine, watched, waited) {
        const outcome = this.#exports.gate_step(
            this.byteOffset,
            this.#self,
            comesLate ? STEP_KIND_POLLING : STEP_KIND_ASYNC,
            tokenOf(inLine, watched, waited),
            amount,
            this.#capacity,
        );
        this.#checkResult(Number(outcome));
        return outcomeOf(outcome, true);
    }

    /**
     * @param {number} result
     * @throws {import('../errors.js').AbandonedError}
     */
    #checkResult(result) {
        if (result === RESULT_ABANDONED && this.#holder) {
            throw this.#holder.error();
        }
    }

    /** @type {NonNullable<Waitable['lookAtHolder']>} */
    lookAtHolder(goesOn) {
        this.#holder?.look(goesOn);
        return this.#holder;
    }

    /** @type {NonNullable<Waitable['held']>} */
    held() {
        return this.#holder?.held();
    }

    /** @type {Waitable['withdraw']} */
    withdraw() {
        this.#exports.gate_withdraw(this.byteOffset, this.#self, STEP_KIND_ASYNC, 0, this.#capacity);
    }

    /**
     * @param {import('../thread/event-loop.js').Word} word
     * @returns {{ words: Int32Array, index: number }}
     */
    locate(word) {
        const offset = word === 'turn' ? GATE_TURN_OFFSET : GATE_LINE_OFFSET;
        return { words: this.#words, index: (this.byteOffset + offset) / 4 };
    }

    /** @type {Waitable['look']} */
    look(word) {
        const offset = word === 'turn' ? GATE_TURN_OFFSET : GATE_USE_OFFSET;
        return environment.load(this.#words, (this.byteOffset + offset) / 4);
    }

    /**
     * @param {number} amount
     * @param {number} [watched] the number of the call that has been in the way for too long
     * @returns {number} RESULT_OK, or the number of the call or place in the way
     */
    tryAfter(amount, watched = 0) {
        return this.#exports.gate_try_after(this.byteOffset, this.#self, watched, amount, this.#capacity);
    }

    /**
     * For callers that do not wait: a reservation that they have met for long enough is over. Its thread may be dead.
     *
     * @param {number} amount
     * @returns {boolean} whether it has passed
     */
    tryLate(amount) {
        const now = environment.now();
        if (now - this.#lastAttempt > WATCH_MS) {
            this.#inTheWay = 0;
        }
        this.#lastAttempt = now;
        const isOver = now - this.#inTheWaySince >= GATE_POLLED_RESERVATION_MS;
        const result = this.tryAfter(amount, isOver ? this.#inTheWay : 0);
        if (result === RESULT_OK) {
            this.#inTheWay = 0; // its next call is another one
            return true;
        }
        this.#checkResult(result);
        this.lookAtHolder(false); // attempts may be seconds apart
        const inTheWay = result & THREAD_MASK;
        if (inTheWay !== this.#inTheWay) {
            this.#inTheWay = inTheWay;
            this.#inTheWaySince = now;
        }
        return false;
    }

    /**
     * Blocks.
     *
     * @param {number} amount
     * @param {number} timeout milliseconds
     * @param {number} [token] of the wait so far
     * @returns {boolean} whether it has passed
     */
    pass(amount, timeout, token) {
        const wait = (/** @type {number} */ token, /** @type {number} */ limitMicroseconds) =>
            this.#exports.gate_wait(
                this.byteOffset,
                this.#self,
                token,
                limitMicroseconds,
                amount,
                this.#capacity,
            );
        let looks = 0;
        const look = () => this.lookAtHolder(looks++ > 0);
        const result = this.awaited.block(wait, timeout, token, look);
        this.#checkResult(result);
        return result === RESULT_OK;
    }
}
