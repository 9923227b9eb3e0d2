/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { checkMayBlock } from '../thread/agent.js';
import { blockFor } from './blocking.js';
import { environment } from '../thread/environment.js';
import { RESULT_OK } from '../memory/layout.js';
import { checkTimeout } from '../options.js';
import { steppedOf } from './outcome.js';
import { RequestQueue } from './queue.js';

/**
 * What waits until something has come to pass, for all at once or in turn: the parts of a wait, from the module. `token`
 * is what the wait began with.
 *
 * @typedef {object} Parts
 * @property {number} offset of the word to wait on
 * @property {number} [decidedAt] offset of the word by which a step decides, if that is another
 * @property {(token: number) => bigint} step
 * @property {(token: number, before: number, limitMicroseconds: number) => number} wait steps and waits once; without a
 *     limit left it ends the wait. `before` is what it returned the last time in this wait, 0 at first.
 * @property {boolean} [mustEnd] whether a wait that is given up has to be ended in the words
 * @property {string} late what did not happen, for words
 * @property {string} instead what to call where a thread may not block, for words
 */

/** The waits of one thread for one such thing. Nothing is held afterwards. */
export class PhaseQueue extends RequestQueue {
    #parts;

    /**
     * @param {import('../memory/attachment.js').Attachment} attachment
     * @param {Parts} parts
     */
    constructor(attachment, parts) {
        const { offset, decidedAt = offset, step, wait, mustEnd, late } = parts;
        const end = (/** @type {number} */ token) => wait(token, 0, 0) === RESULT_OK;
        super({
            step: (token) => steppedOf(step(token)),
            withdraw() {},
            ...(mustEnd && { abandon: end }),
            locate: () => attachment.wordAt(offset),
            look() {
                const { words, index } = attachment.wordAt(decidedAt);
                return environment.load(words, index);
            },
            late,
        });
        this.#parts = parts;
    }

    /** Nothing is reserved for anybody here. */
    get hurries() {
        return false;
    }

    /** @param {string} method whose error it is where blocking is not allowed */
    checkMayBlock(method) {
        checkMayBlock(method, this.#parts.instead);
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
        const { wait } = this.#parts;
        return blockFor((before, left) => wait(token, before, left), limit) === RESULT_OK;
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
        const { step, mustEnd } = this.#parts;
        if (steppedOf(step(token)).next === 'done') {
            return Promise.resolve(value);
        }
        try {
            return this.request(token, undefined, () => value, undefined, wait);
        } catch (error) {
            if (mustEnd && this.#parts.wait(token, 0, 0) === RESULT_OK) {
                return Promise.resolve(value);
            }
            return Promise.reject(error);
        }
    }
}
