/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { checkMayBlock } from '../thread/capabilities.js';
import { block } from './blocking.js';
import { environment } from '../thread/environment.js';
import { RESULT_OK } from '../memory/layout.js';
import { isTurnDue, settled } from '../thread/event-loop.js';
import { checkLimit } from '../options.js';
import { outcomeOf } from './outcome.js';
import { request } from './request.js';

/**
 * @typedef {import('./queue.js').Waitable} Waitable
 * @typedef {import('../memory/module.js').Exports} Exports
 *
 * A wait for a one-shot change of state: a notify, a set, the end of a round. `token`: the state at its begin.
 * @typedef {object} PhaseKind
 * @property {typeof Phase} Waits the class whose instance a queue waits for
 * @property {number} at hf__kind_at
 * @property {number} offset of the word to wait on
 * @property {number} [decidedAt] of the word by which a step decides, if it is another one
 * @property {boolean} [isGate] the word to wait on is a gate's, which is not 0
 * @property {(exports: Exports, byteOffset: number, token: number) => bigint} step
 * @property
 *     {(exports: Exports, byteOffset: number, token: number, before: number, limitMicroseconds: number) => number}
 *     wait steps and waits once; with no time left it ends the wait. `before`: its last result, 0 at first.
 * @property {boolean} [mustEnd] whether a wait that gives up must change the words
 * @property {string} instead the methods for threads that may not block
 */

/** A change that a queue waits for. A granted request holds nothing. @implements {Waitable} */
export class Phase {
    #exports;
    #byteOffset;
    #kind;
    #words;

    /** @param {import('../memory/found.js').Found} found @param {PhaseKind} kind */
    constructor(found, kind) {
        const { attachment, byteOffset } = found;
        this.found = found;
        this.attachment = attachment;
        this.place = byteOffset | kind.at;
        this.#exports = attachment.exports;
        this.#byteOffset = byteOffset;
        this.#kind = kind;
        this.#words = attachment.words;
    }

    /** @param {number} token */
    step(token) {
        return outcomeOf(this.#kind.step(this.#exports, this.#byteOffset, token), this.#kind.isGate);
    }

    withdraw() {}

    /** @param {number} token of a wait that is given up */
    giveUp(token) {
        return this.#kind.mustEnd === true && this.#wait(token, 0, 0) === RESULT_OK;
    }

    /** @returns {{ words: Int32Array, index: number }} */
    locate() {
        return { words: this.#words, index: (this.#byteOffset + this.#kind.offset) / 4 };
    }

    /** @type {Waitable['read']} */
    read() {
        const { offset, decidedAt = offset } = this.#kind;
        return environment.load(this.#words, (this.#byteOffset + decidedAt) / 4);
    }

    isMine() {
        return false;
    }

    /** A phase has no holder. */
    probe() {}

    /** @param {number} token @param {number} before @param {number} limitMicroseconds */
    #wait(token, before, limitMicroseconds) {
        return this.#kind.wait(this.#exports, this.#byteOffset, token, before, limitMicroseconds);
    }

    checkMayBlock() {
        checkMayBlock(this.#kind.instead);
    }

    /**
     * @param {number} token
     * @param {unknown} timeout milliseconds, or options; with 0 or less any thread may call
     * @returns {boolean} whether the change came in time
     */
    block(token, timeout) {
        const limit = checkLimit(timeout, Infinity);
        if (limit !== 0) {
            this.checkMayBlock();
        }
        return this.blockFor(token, limit);
    }

    /**
     * @param {number} token
     * @param {number} limit milliseconds; the caller has checked it, and that this thread may block
     */
    blockFor(token, limit) {
        return block(this, (before, left) => this.#wait(token, before, left), limit) === RESULT_OK;
    }
}

/**
 * Waits without blocking.
 * @template T
 * @param {import('./queue.js').Queue<Phase>} queue
 * @param {number} token
 * @param {T} value of the promise
 * @param {import('../options.js').Wait} wait
 * @returns {Promise<T>}
 */
export function askPhase(queue, token, value, wait) {
    const { gate } = queue;
    if (!gate.step(token).word) {
        return settled(Promise.resolve(value));
    }
    try {
        return request(queue, token, () => value, undefined, wait, isTurnDue());
    } catch (error) {
        return settled(gate.giveUp(token) ? Promise.resolve(value) : Promise.reject(error));
    }
}
