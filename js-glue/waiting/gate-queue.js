/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { checkMayBlock } from '../thread/agent.js';
import { HoldfastError } from '../errors.js';
import { RESULT_OK } from '../memory/layout.js';
import { checkTimeout, checkWait } from '../options.js';
import { Gate, NOBODY } from './gate.js';
import { RequestQueue } from './queue.js';

/** @typedef {import('../memory/attachment.js').Attachment} Attachment */
/** @typedef {import('../memory/module.js').Exports} Exports */

/**
 * @typedef {object} MoreOfHeld
 * @property {(exports: Exports) => (byteOffset: number, owner: number, amount: number) => number} leaveOf gives back;
 *     without an owner the amount comes in its place
 * @property {(attachment: Attachment, byteOffset: number, amount: number) => HoldfastError | undefined} refusal
 * @property {(exports: Exports) => (byteOffset: number, self: number, amount: number) => void} [noteOf] notes who has
 *     passed
 * @property {boolean} [hasNoOwner] anybody may give back, so a section may wait for a later one of its thread
 * @property {string} instead what to call where a thread may not block
 *
 * @typedef {import('./gate.js').GateKind & MoreOfHeld} HeldKind
 */

/** Notes who has passed: with nothing between, and no deeper than it passed, so that there is stack for it. */
class NotingGate extends Gate {
    #byteOffset;
    #self;
    #note;

    /**
     * @param {Attachment} attachment
     * @param {number} byteOffset
     * @param {HeldKind} kind
     * @param {(byteOffset: number, self: number, amount: number) => void} note
     */
    constructor(attachment, byteOffset, kind, note) {
        super(attachment, byteOffset, kind);
        this.#byteOffset = byteOffset;
        this.#self = attachment.self;
        this.#note = note;
        this.#note(byteOffset, NOBODY, NOBODY);
    }

    /** @type {Gate['step']} */
    step(amount, comesLate, inLine, watched, waited) {
        const outcome = super.step(amount, comesLate, inLine, watched, waited);
        if (outcome.next === 'done') {
            this.#note(this.#byteOffset, this.#self, amount);
        }
        return outcome;
    }

    /** @type {Gate['tryAfter']} */
    tryAfter(amount, watched) {
        const result = super.tryAfter(amount, watched);
        if (result === RESULT_OK) {
            this.#note(this.#byteOffset, this.#self, amount);
        }
        return result;
    }

    /** @type {Gate['pass']} */
    pass(amount, timeout, token) {
        const hasPassed = super.pass(amount, timeout, token);
        if (hasPassed) {
            this.#note(this.#byteOffset, this.#self, amount);
        }
        return hasPassed;
    }
}

class GateSection {
    #queue;
    /** Whether it was given back. */
    isOver = false;

    /**
     * @param {GateQueue} queue
     * @param {number} owner for the module
     * @param {number} amount
     */
    constructor(queue, owner, amount) {
        this.#queue = queue;
        this.owner = owner;
        this.amount = amount;
    }

    enter() {
        return this;
    }

    leave() {
        return this.#queue.giveBack(this);
    }

    /** @param {unknown} promise */
    awaits(promise) {
        return this.#queue.awaits(promise);
    }
}

/** One thread's requests for one gate, and the other ways to pass it. */
export class GateQueue extends RequestQueue {
    #gate;
    #attachment;
    #byteOffset;
    #kind;
    #leave;

    /**
     * @param {Attachment} attachment
     * @param {number} byteOffset
     * @param {HeldKind} kind
     */
    constructor(attachment, byteOffset, kind) {
        const note = kind.noteOf?.(attachment.exports);
        const gate = note
            ? new NotingGate(attachment, byteOffset, kind, note)
            : new Gate(attachment, byteOffset, kind);
        super(gate);
        this.#gate = gate;
        this.#attachment = attachment;
        this.#byteOffset = byteOffset;
        this.#kind = kind;
        this.#leave = kind.leaveOf(attachment.exports);
        this.#leave(byteOffset, NOBODY, NOBODY);
    }

    awaits(/** @type {unknown} */ promise) {
        return !this.#kind.hasNoOwner && super.awaits(promise);
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
        if (!this.#passesNow(amount)) {
            this.#gate.pass(amount, Infinity);
        }
    }

    /**
     * Where the stack is too short to begin or end a section, it gives back from here: by calls that were made before,
     * no deeper than it passed.
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
            if (!held.isOver && !this.isFreed) {
                this.#leave(this.#byteOffset, held.owner, amount);
                held.isOver = true;
            }
            throw error;
        }
    }

    /**
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
     * @param {(held: import('./section.js').Holdable, callback: C) => T | PromiseLike<T>} start
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
            if (passes && !held.isOver && !this.isFreed) {
                // as in `hold`
                this.#leave(this.#byteOffset, held.owner, amount);
                held.isOver = true;
            }
            return Promise.reject(error);
        }
    }

    /** @param {number} amount */
    holding(amount) {
        return new GateSection(this, this.#kind.hasNoOwner ? amount : this.#attachment.self, amount);
    }

    /**
     * A refused call comes first: without stack for it nothing was done. The call after it is never repeated: it may
     * have been done by half.
     *
     * @param {GateSection} held
     * @returns {HoldfastError | undefined}
     */
    giveBack(held) {
        if (held.isOver || this.isFreed) {
            held.isOver = true;
            return goneError();
        }
        this.#leave(this.#byteOffset, NOBODY, NOBODY);
        held.isOver = true;
        const isDone = this.#leave(this.#byteOffset, held.owner, held.amount) === RESULT_OK;
        return isDone ? undefined : this.#kind.refusal(this.#attachment, this.#byteOffset, held.amount);
    }
}

function goneError() {
    return new HoldfastError(
        'HF_NOT_OWNER',
        'This section or guard holds nothing any more: it was given back, or this thread freed what it held.',
    );
}
