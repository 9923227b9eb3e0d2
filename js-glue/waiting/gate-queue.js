/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { checkMayBlock } from '../thread/agent.js';
import { HoldfastError } from '../errors.js';
import { RESULT_OK } from '../memory/layout.js';
import { checkTimeout, checkWait } from '../options.js';
import { Gate } from './gate.js';
import { afterTurn, isTurnDue, nextTurn, settled } from '../thread/event-loop.js';
import { RequestQueue } from './queue.js';
import { runSection } from './section.js';

/** @typedef {import('../memory/attachment.js').Attachment} Attachment */
/** @typedef {import('../memory/module.js').Exports} Exports */

/**
 * @typedef {object} MoreOfHeld
 * @property {(exports: Exports) => (byteOffset: number, amount: number) => number} leaveOf gives back
 * @property {(attachment: Attachment, byteOffset: number, amount: number) => HoldfastError | undefined} refusal
 * @property {(exports: Exports, byteOffset: number, amount: number) => boolean} [mayWait] whether a section with so much may
 *     wait for a later request of its thread, since others give back
 * @property {readonly string[]} [names] of the options of a request
 * @property {string} instead what to call where a thread may not block
 *
 * @typedef {import('./gate.js').GateKind & MoreOfHeld} HeldKind
 */

class GateSection {
    /** Whether it has passed, and has not given back. */
    holds = false;
    /** Conditions have no such section: only their waits end without a lock. */
    isLost = false;
    /** What the gate gets back at the end: the dead owner of one that is not recovered. */
    left = 0;

    /**
     * @param {GateQueue} queue
     * @param {number} amount
     */
    constructor(queue, amount) {
        this.queue = queue;
        this.amount = amount;
    }

    enter() {
        this.holds = true;
        this.queue.begin(this);
        return this;
    }

    leave() {
        return this.queue.giveBack(this);
    }

    /** @param {unknown} promise */
    awaits(promise) {
        return this.queue.mayNotAwait(this.amount) && this.queue.awaits(promise);
    }
}

/** One thread's requests for one gate, and the other ways to pass it. */
export class GateQueue extends RequestQueue {
    #gate;
    #attachment;
    #byteOffset;
    #kind;
    #leave;
    /** What holds it alone, by the identity of this thread, and releases it itself. @type {GateSection | undefined} */
    #alone;

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
        this.#leave = kind.leaveOf(attachment.exports);
    }

    /** @param {number} amount of a section that waits for a later one of its thread */
    mayNotAwait(amount) {
        return !this.#kind.mayWait?.(this.#attachment.exports, this.#byteOffset, amount);
    }

    /** @param {number} amount */
    #passesNow(amount) {
        return this.#gate.tryAfter(amount) === RESULT_OK;
    }

    /**
     * For callers that do not wait: passes also if a reservation is over.
     *
     * @param {number} amount
     */
    #passesWithoutWait(amount) {
        return this.#passesNow(amount) || this.#gate.tryLate(amount);
    }

    /**
     * Blocks.
     *
     * @param {number} amount
     * @param {string} method for the error
     */
    pass(amount, method) {
        checkMayBlock(method, this.#kind.instead);
        this.#forgetLost();
        if (!this.#passesNow(amount)) {
            this.#gate.pass(amount, Infinity);
        }
    }

    /**
     * @template T
     * @param {number} amount
     * @param {string} method for the error
     * @param {(held: import('./section.js').Holdable) => T} start
     * @param {number} [timeout] milliseconds; without limit by default
     * @returns {any} what `start` returns; null: not passed in time
     */
    hold(amount, method, start, timeout) {
        if (timeout === undefined) {
            this.pass(amount, method);
        } else if (!this.tryPass(amount, timeout, method)) {
            return null;
        }
        return start(this.holding(amount));
    }

    /**
     * @param {number} amount
     * @param {unknown} timeout
     * @param {string} method
     */
    tryPass(amount, timeout, method) {
        const limit = checkTimeout(timeout);
        this.#forgetLost();
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
     * @param {(held: import('./section.js').Holdable, callback: C) => T | PromiseLike<T>} start
     * @param {C} callback
     * @param {import('../options.js').WaitOptions | undefined} options
     * @returns {Promise<T>}
     */
    ask(amount, start, callback, options) {
        try {
            const wait = checkWait(options, this.#kind.names);
            if (start !== /** @type {unknown} */ (runSection) && isTurnDue()) {
                if (wait.timeout === 0) {
                    return nextTurn().then(() => this.ask(amount, start, callback, options));
                }
                this.rest();
            }
            const held = this.holding(amount);
            const passes =
                this.admits &&
                !this.rests &&
                (wait.timeout === 0 ? this.#passesWithoutWait(amount) : this.#passesNow(amount));
            if (!passes) {
                return this.request(amount, held, start, callback, wait);
            }
            const promise = Promise.resolve(start(held, callback));
            return start === runSection && isTurnDue() ? afterTurn(promise) : promise;
        } catch (error) {
            return settled(Promise.reject(error));
        }
    }

    /** @param {number} amount */
    holding(amount) {
        return new GateSection(this, amount);
    }

    /** Whether a section, a guard or a repair holds it alone. */
    get holds() {
        const { exports, self } = this.#attachment;
        return this.#alone !== undefined && exports.gate_is_mine(this.#byteOffset, self) !== 0;
    }

    /** @param {GateSection} section with the gate held already */
    begin(section) {
        if (section.amount === this.#attachment.self) {
            this.forget(); // that has lost the gate
            this.#alone = section;
            this.#attachment.sections += 1;
        }
    }

    /** What held it alone does not any more. */
    forget() {
        if (this.#alone !== undefined) {
            this.#alone.holds = false;
            this.#alone = undefined;
            this.#attachment.sections -= 1;
        }
    }

    /** Before it is taken by a method that begins no section: other code of this thread may have released it. */
    #forgetLost() {
        if (this.#alone !== undefined && !this.holds) {
            this.forget();
        }
    }

    free() {
        this.forget();
        super.free();
    }

    /**
     * @param {GateSection} held
     * @returns {HoldfastError | undefined}
     */
    giveBack(held) {
        if (!held.holds || this.isFreed) {
            held.holds = false;
            return goneError();
        }
        if (held.left !== 0) {
            this.#attachment.exports.gate_abandon(this.#byteOffset, held.amount, held.left); // which wakes all
            held.holds = false;
            this.forget();
            return undefined;
        }
        const isDone = this.#leave(this.#byteOffset, held.amount) === RESULT_OK;
        held.holds = false;
        if (held === this.#alone) {
            this.forget();
        }
        return isDone ? undefined : this.#kind.refusal(this.#attachment, this.#byteOffset, held.amount);
    }
}

function goneError() {
    return new HoldfastError(
        'HF_NOT_OWNER',
        'This section or guard holds nothing any more: it was given back, or this thread freed what it held.',
    );
}
