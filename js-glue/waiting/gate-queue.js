/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { checkMayBlock } from '../thread/agent.js';
import { lostError } from '../errors.js';
import { RESULT_OK } from '../memory/layout.js';
import { checkTimeout, checkWait } from '../options.js';
import { Gate } from './gate.js';
import { RequestQueue } from './queue.js';

/** @typedef {import('../errors.js').HoldfastError} HoldfastError */
/** @typedef {import('./section.js').Section} Section */
/** @typedef {import('./section.js').Holdable} Holdable */
/** @typedef {import('../memory/attachment.js').Attachment} Attachment */

/**
 * What a kind of gate is to its queue.
 *
 * @typedef {object} MoreOfHeld
 * @property {(attachment: Attachment, byteOffset: number, amount: number) => HoldfastError | undefined} giveBack
 * @property {boolean} [hasNoOwner] a section may wait for a later one of its thread: somebody else may give back
 * @property {string} instead what to call where a thread may not block, for words
 *
 * @typedef {import('./gate.js').GateKind & MoreOfHeld} HeldKind
 */

/**
 * Code that has passed a gate by some amount, and will give it back.
 *
 * @implements {Section}
 * @implements {Holdable}
 */
class GateSection {
    #queue;
    #amount;
    /** Whether it was given back. */
    isOver = false;

    /**
     * @param {GateQueue} queue
     * @param {number} amount
     */
    constructor(queue, amount) {
        this.#queue = queue;
        this.#amount = amount;
    }

    enter() {
        return this;
    }

    hold() {
        return this;
    }

    leave() {
        if (this.isOver) {
            return lostError();
        }
        const error = this.#queue.giveBack(this.#amount);
        this.isOver = true;
        return error;
    }

    /** @param {unknown} promise */
    awaits(promise) {
        return this.#queue.awaits(promise);
    }
}

/** The requests of one thread for one gate, and the other ways to pass it: what all but the mutex do alike. */
export class GateQueue extends RequestQueue {
    #gate;
    #attachment;
    #byteOffset;
    #kind;

    /**
     * @param {Attachment} attachment
     * @param {number} byteOffset
     * @param {HeldKind} kind
     */
    constructor(attachment, byteOffset, kind) {
        const gate = new Gate(attachment, byteOffset, kind);
        super(gate);
        this.#gate = gate;
        this.#attachment = attachment;
        this.#byteOffset = byteOffset;
        this.#kind = kind;
    }

    awaits(/** @type {unknown} */ promise) {
        return !this.#kind.hasNoOwner && super.awaits(promise);
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
        checkMayBlock(method, this.#kind.instead);
        if (!this.#passesNow(amount)) {
            this.#gate.pass(amount, Infinity);
        }
    }

    /**
     * The same, and gives what is made of it. Where the stack is too short for what begins or ends a section, it gives back
     * from here.
     *
     * @template T
     * @param {number} amount
     * @param {string} method
     * @param {(held: import('./section.js').Holdable) => T} start
     */
    hold(amount, method, start) {
        const held = this.holding(amount);
        this.pass(amount, method);
        try {
            return start(held);
        } catch (error) {
            if (!held.isOver) {
                held.leave();
            }
            throw error;
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
        checkMayBlock(`${method}(${timeout})`, this.#kind.instead);
        return this.#gate.pass(amount, limit) || this.#passesWithoutWait(amount);
    }

    /**
     * @template T
     * @template C
     * @param {number} amount
     * @param {(held: import('./section.js').Holdable, callback: C) => T | PromiseLike<T>} start called when it has passed
     * @param {C} callback
     * @param {import('../options.js').WaitOptions | undefined} options
     * @returns {Promise<T>}
     */
    ask(amount, start, callback, options) {
        const held = this.holding(amount);
        let passes = false;
        try {
            const wait = checkWait(options);
            passes =
                this.admitsAtOnce() &&
                (wait.timeout === 0 ? this.#passesWithoutWait(amount) : this.#passesNow(amount));
            if (passes) {
                return Promise.resolve(start(held, callback));
            }
            return this.request(amount, held, start, callback, wait);
        } catch (error) {
            if (passes && !held.isOver) {
                held.leave();
            }
            return Promise.reject(error);
        }
    }

    /**
     * What a section that has passed by that amount holds.
     *
     * @param {number} amount
     */
    holding(amount) {
        return new GateSection(this, amount);
    }

    /**
     * @param {number} amount that a section has passed by
     * @returns {HoldfastError | undefined}
     */
    giveBack(amount) {
        return this.isFreed ? lostError() : this.#kind.giveBack(this.#attachment, this.#byteOffset, amount);
    }
}
