/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { checkMayBlock } from '../thread/agent.js';
import { blockFor } from './blocking.js';
import { environment } from '../thread/environment.js';
import { RESULT_OK } from '../memory/layout.js';
import { checkTimeout } from '../options.js';
import { outcomeOf } from './decide.js';
import { RequestQueue } from './queue.js';

/**
 * @typedef {import('../memory/module.js').Exports} Exports
 *
 * What waits until something has come to pass, for all at once or in turn: the parts of a wait, from the module. `token`
 * is what the wait began with.
 *
 * @typedef {object} PhaseKind
 * @property {number} offset of the word to wait on, in the object
 * @property {number} [decidedAt] of the word by which a step decides, if that is another
 * @property {(exports: Exports, byteOffset: number, token: number) => bigint} step
 * @property {(exports: Exports, byteOffset: number, token: number, before: number, limitMicroseconds: number) => number} wait
 *     steps and waits once; without a limit left it ends the wait. `before` is what it returned the last time in this
 *     wait, 0 at first.
 * @property {boolean} [mustEnd] whether a wait that is given up has to be ended in the words
 * @property {string} late what did not happen, for words
 * @property {string} instead what to call where a thread may not block, for words
 */

/** The waits of one thread for one such thing. Nothing is held afterwards. */
export class PhaseQueue extends RequestQueue {
    #exports;
    #byteOffset;
    #kind;

    /**
     * @param {import('../memory/attachment.js').Attachment} attachment
     * @param {number} byteOffset
     * @param {PhaseKind} kind
     */
    constructor(attachment, byteOffset, kind) {
        const { offset, decidedAt = offset, step, mustEnd, late } = kind;
        const words = new Int32Array(attachment.memory.buffer, byteOffset);
        super({
            step: (token) => outcomeOf(step(attachment.exports, byteOffset, token)),
            withdraw() {},
            abandon: (token) => mustEnd === true && this.#endsWell(token),
            locate: () => ({ words, index: offset / 4 }),
            look: () => environment.load(words, decidedAt / 4),
            late,
        });
        this.#exports = attachment.exports;
        this.#byteOffset = byteOffset;
        this.#kind = kind;
    }

    /**
     * Ends a wait in the words.
     *
     * @param {number} token
     * @returns {boolean} whether it has come to pass at this last moment
     */
    #endsWell(token) {
        return this.#wait(token, 0, 0) === RESULT_OK;
    }

    /**
     * @param {number} token
     * @param {number} before
     * @param {number} limitMicroseconds
     */
    #wait(token, before, limitMicroseconds) {
        return this.#kind.wait(this.#exports, this.#byteOffset, token, before, limitMicroseconds);
    }

    /** Nothing is reserved for anybody here. */
    get hurries() {
        return false;
    }

    /** @param {string} method whose error it is where blocking is not allowed */
    checkMayBlock(method) {
        checkMayBlock(method, this.#kind.instead);
    }

    /**
     * Blocks until it has come to pass, or the time is up.
     *
     * @param {number} token
     * @param {unknown} timeout milliseconds; 0 or less: do not wait, which any thread may
     * @param {string} method whose error it is where blocking is not allowed
     * @returns {boolean} whether it has come to pass
     */
    block(token, timeout, method) {
        const limit = checkTimeout(timeout);
        if (limit !== 0) {
            this.checkMayBlock(method);
        }
        return blockFor((before, left) => this.#wait(token, before, left), limit) === RESULT_OK;
    }

    /**
     * Waits without blocking.
     *
     * @template T
     * @param {number} token
     * @param {T} value what the promise is of
     * @param {import('../options.js').Wait} wait
     * @returns {Promise<T>}
     */
    ask(token, value, wait) {
        const { step, mustEnd } = this.#kind;
        if (outcomeOf(step(this.#exports, this.#byteOffset, token)).next === 'done') {
            return Promise.resolve(value);
        }
        try {
            return this.request(token, undefined, () => value, undefined, wait);
        } catch (error) {
            if (mustEnd && this.#endsWell(token)) {
                return Promise.resolve(value);
            }
            return Promise.reject(error);
        }
    }
}
