/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { errorOf } from './errors.js';
import {
    GATE_LINE_OFFSET,
    GATE_POLLED_RESERVATION_MS,
    GATE_RESERVATION_MS,
    GATE_TURN_OFFSET,
    RESULT_OK,
    STEP_KIND_ASYNC,
    STEP_KIND_POLLING,
    STEP_NEXT_SHIFT,
    STEP_NEXT_DONE,
    STEP_NEXT_WAIT_TURN,
    STEP_POLLS_SHIFT,
    STEP_TOKEN_IN_LINE,
    STEP_WATCHED_SHIFT,
} from './layout.js';

const LOW_HALF = 0xffff_ffffn;
const NEXT_MASK = 3n;
const NO_TOKEN = 0;

/** @typedef {import('./request-queue.js').Waitable} Waitable */

/**
 * The mutex as the request queue sees it: numbers of the module into events, and words into places.
 *
 * @implements {Waitable}
 */
export class MutexWaitable {
    #attachment;
    #exports;
    #self;
    #byteOffset;

    /**
     * @param {import('./attachment.js').Attachment} attachment
     * @param {number} byteOffset
     */
    constructor(attachment, byteOffset) {
        this.#attachment = attachment;
        this.#exports = attachment.exports;
        this.#self = attachment.self;
        this.#byteOffset = byteOffset;
    }

    /** @type {Waitable['step']} */
    step(polls, inLine, watched) {
        const token = watched | (inLine ? STEP_TOKEN_IN_LINE : 0);
        const step = this.#exports.mutex_step(this.#byteOffset, this.#self, kindOf(polls), token);
        const outcome = BigInt.asUintN(64, step);
        const next = Number((outcome >> BigInt(STEP_NEXT_SHIFT)) & NEXT_MASK);
        const watchedPolls = (outcome >> BigInt(STEP_POLLS_SHIFT)) & 1n;
        return {
            type: 'stepped',
            next: next === STEP_NEXT_DONE ? 'taken' : next === STEP_NEXT_WAIT_TURN ? 'turn' : 'line',
            // The line's word never changes: its entries are woken, not compared.
            expected: next === STEP_NEXT_WAIT_TURN ? Number(outcome & LOW_HALF) | 0 : 0,
            watched: Number(outcome >> BigInt(STEP_WATCHED_SHIFT)),
            reservation: watchedPolls ? GATE_POLLED_RESERVATION_MS : GATE_RESERVATION_MS,
        };
    }

    /** @type {Waitable['withdraw']} */
    withdraw(polls) {
        this.#exports.mutex_withdraw(this.#byteOffset, this.#self, kindOf(polls), NO_TOKEN);
    }

    /** @type {Waitable['leave']} */
    leave() {
        const result = this.#exports.mutex_unlock(this.#byteOffset, this.#self);
        return result === RESULT_OK ? undefined : errorOf(result, 'mutex');
    }

    /** @type {Waitable['isMine']} */
    isMine() {
        return this.#exports.mutex_is_mine(this.#byteOffset, this.#self) !== 0;
    }

    /** @type {Waitable['locate']} */
    locate(word) {
        const offset = this.#byteOffset + (word === 'turn' ? GATE_TURN_OFFSET : GATE_LINE_OFFSET);
        return {
            words: this.#attachment.wordsAt(offset),
            index: offset / Int32Array.BYTES_PER_ELEMENT,
        };
    }
}

/** @param {boolean} polls */
function kindOf(polls) {
    return polls ? STEP_KIND_POLLING : STEP_KIND_ASYNC;
}
