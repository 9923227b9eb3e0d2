/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { checkMayBlock } from '../thread/agent.js';
import { Awaited } from './awaited.js';
import { environment } from '../thread/environment.js';
import { RESULT_OK } from '../memory/layout.js';
import { settled } from '../thread/event-loop.js';
import { checkTimeout } from '../options.js';
import { outcomeOf } from './decide.js';
import { RequestQueue } from './queue.js';

/**
 * @typedef {import('../memory/module.js').Exports} Exports
 *
 * A wait until something has come to pass. `token`: what it began with.
 *
 * @typedef {object} PhaseKind
 * @property {number} at hf__kind_at
 * @property {number} offset of the word to wait on
 * @property {number} [decidedAt] of the word by which a step decides, if that is another
 * @property {(exports: Exports, byteOffset: number, token: number) => bigint} step
 * @property {(exports: Exports, byteOffset: number, token: number, before: number, limitMicroseconds: number) => number} wait
 *     steps and waits once; without a limit left it ends the wait. `before`: what it returned last, 0 at first.
 * @property {boolean} [mustEnd] whether giving up has to end the wait in the words
 * @property {string} late what did not happen, for the message
 * @property {string} instead what to call where a thread may not block
 */

/** One thread's waits for one such thing. Nothing is held afterwards. */
export class PhaseQueue extends RequestQueue {
    #exports;
    #byteOffset;
    #kind;
    #awaited;

    /**
     * @param {import('../memory/attachment.js').Attachment} attachment
     * @param {number} byteOffset
     * @param {PhaseKind} kind
     */
    constructor(attachment, byteOffset, kind) {
        const { offset, decidedAt = offset, step, mustEnd, late } = kind;
        const { words } = attachment;
        const awaited = new Awaited(attachment, byteOffset | kind.at);
        super({
            step: (token) => outcomeOf(step(attachment.exports, byteOffset, token)),
            withdraw() {},
            abandon: (token) => mustEnd === true && this.#endsWell(token),
            locate: () => ({ words, index: (byteOffset + offset) / 4 }),
            look: () => environment.load(words, (byteOffset + decidedAt) / 4),
            late,
            awaited,
        });
        this.#awaited = awaited;
        this.#exports = attachment.exports;
        this.#byteOffset = byteOffset;
        this.#kind = kind;
    }

    /**
     * @param {number} token
     * @returns {boolean} whether it came to pass at this last moment
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

    /** Nothing is reserved here. */
    get hurries() {
        return false;
    }

    /** @param {string} method for the error */
    checkMayBlock(method) {
        checkMayBlock(method, this.#kind.instead);
    }

    /**
     * @param {number} token
     * @param {unknown} timeout milliseconds; 0 or less: any thread may
     * @param {string} method for the error
     * @returns {boolean} whether it has come to pass
     */
    block(token, timeout, method) {
        const limit = checkTimeout(timeout);
        if (limit !== 0) {
            this.checkMayBlock(method);
        }
        return this.#awaited.block((before, left) => this.#wait(token, before, left), limit) === RESULT_OK;
    }

    /**
     * @template T
     * @param {number} token
     * @param {T} value what the promise is of
     * @param {import('../options.js').Wait} wait
     * @returns {Promise<T>}
     */
    ask(token, value, wait) {
        const { step, mustEnd } = this.#kind;
        if (outcomeOf(step(this.#exports, this.#byteOffset, token)).next === 'done') {
            return settled(Promise.resolve(value));
        }
        try {
            return this.request(token, undefined, () => value, undefined, wait);
        } catch (error) {
            if (mustEnd && this.#endsWell(token)) {
                return Promise.resolve(value);
            }
            return settled(Promise.reject(error));
        }
    }
}
