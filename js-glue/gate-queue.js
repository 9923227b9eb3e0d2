/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { checkMayBlock } from './agent.js';
import { errorOf } from './errors.js';
import { RESULT_NOT_OWNER, RESULT_OK } from './layout.js';
import { checkTimeout, checkWait } from './options.js';
import { RequestQueue } from './request-queue.js';

/** @typedef {import('./errors.js').HoldfastError} HoldfastError */

/** The requests of one thread for one gate, and the other ways to pass it: what all but the mutex do alike. */
export class GateQueue extends RequestQueue {
    #gate;
    #instead;
    #giveBack;

    /**
     * @param {import('./gate.js').Gate} gate
     * @param {(amount: number) => HoldfastError | undefined} giveBack
     * @param {string} instead what to call where a thread may not block, for words
     */
    constructor(gate, giveBack, instead) {
        super(gate);
        this.#gate = gate;
        this.#giveBack = giveBack;
        this.#instead = instead;
    }

    /** @param {number} amount */
    #passesNow(amount) {
        return this.#gate.tryAfter(amount) === RESULT_OK;
    }

    /**
     * Passes if there is room, or if a reservation is over: for callers that will not wait for that.
     *
     * @param {number} amount
     */
    #passesWithoutWait(amount) {
        return (
            this.#passesNow(amount) || this.clock.attempt((watched) => this.#gate.tryAfter(amount, watched))
        );
    }

    /**
     * Blocks until it has passed.
     *
     * @param {number} amount
     * @param {string} method whose error it is where blocking is not allowed
     */
    pass(amount, method) {
        checkMayBlock(method, this.#instead);
        if (!this.#passesNow(amount)) {
            this.#gate.pass(amount, Infinity);
        }
    }

    /**
     * Passes if that is possible within the timeout.
     *
     * @param {number} amount
     * @param {unknown} timeout
     * @param {string} method
     */
    tryPass(amount, timeout, method) {
        const limit = checkTimeout(timeout);
        if (limit === 0) {
            return this.#passesWithoutWait(amount);
        }
        checkMayBlock(`${method}(${timeout})`, this.#instead);
        return this.#gate.pass(amount, limit) || this.#passesWithoutWait(amount);
    }

    /**
     * @template T
     * @template C
     * @param {number} amount
     * @param {(held: import('./section.js').Holdable, callback: C, section?: number) => T | PromiseLike<T>} start called when it has passed
     * @param {C} callback
     * @param {import('./options.js').WaitOptions | undefined} options
     * @returns {Promise<T>}
     */
    ask(amount, start, callback, options) {
        try {
            const wait = checkWait(options);
            const passes =
                this.admitsAtOnce() &&
                (wait.timeout === 0 ? this.#passesWithoutWait(amount) : this.#passesNow(amount));
            const held = this.holding(amount);
            if (passes) {
                return Promise.resolve(start(held, callback));
            }
            return this.request(amount, held, start, callback, wait);
        } catch (error) {
            return Promise.reject(error);
        }
    }

    /**
     * What a section that has passed by that amount holds.
     *
     * @param {number} amount
     * @returns {import('./section.js').Holdable}
     */
    holding(amount) {
        const begin = () => 0;
        return {
            enter: begin,
            take: begin,
            leave: () => (this.isFreed ? errorOf(RESULT_NOT_OWNER, 'lock') : this.#giveBack(amount)),
            awaits: (promise) => this.awaits(promise),
        };
    }
}
