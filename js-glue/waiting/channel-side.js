/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import {
    CHANNEL_CLOSED,
    CHANNEL_LEAST_PLACE,
    CHANNEL_RECEIVERS_OFFSET,
    CHANNEL_SENDERS_OFFSET,
    CHANNEL_WORD_OFFSET,
    RESULT_ABANDONED,
    RESULT_BUSY,
    RESULT_OK,
} from '../memory/layout.js';
import { checkMayBlock } from '../thread/capabilities.js';
import { environment } from '../thread/environment.js';
import { MOST_REFUSALS } from '../thread/times.js';
import { lockError } from './about.js';
import { block } from './blocking.js';
import { Gate, MUTEX } from './gate.js';
import { outcomeOf } from './outcome.js';
import { lockWithin, takeOver } from './unrepaired.js';

/**
 * @typedef {import('./queue.js').Waitable} Waitable
 * @typedef {import('../memory/channel.js').ChannelExports} ChannelExports
 * @typedef {object} SideKind
 * @property {typeof ChannelSide} Waits
 * @property {number} own offset of the side
 * @property {number} other offset of the side that it waits for
 * @property {number} unless the flag that makes `moveOn` fail
 * @property {(exports: ChannelExports, byteOffset: number, size: number) => number} look looks for room for `size`
 *     bytes, or for a message
 * @property {string} instead what to call where a thread may not block
 */

/** Names the other side's word for locate() and read(), besides the mutex's `turn` and `line`. @type {any} */
const CHANGE = 'change';

/**
 * One side of a channel, its senders or its receivers, as this thread uses it: for its queue, and for its blocking
 * calls. A step locks the side's mutex and looks for room, or for a message. If there is none, it unlocks the mutex
 * and waits for a change of the other side's word (c-src/channel.h). A mutex whose holder died is taken over: there
 * is nothing to repair.
 * @implements {Waitable}
 */
export class ChannelSide {
    reserves = true;
    /** The last look's result: a place (this thread holds the mutex), or an hf_result (it does not). */
    result = RESULT_OK;
    #gate;
    #exports;
    #byteOffset;
    #self;
    #kind;
    #words;
    /**
     * The size for which the first request found no room; undefined: it waits for the mutex, or not at all.
     * @type {number | undefined}
     */
    #waitsWith;
    /**
     * The other side's word, read before the look that found no room. The queue's step needs it. Blocking calls keep
     * tokens of their own.
     */
    #token = 0;

    /** @param {import('../memory/found.js').Found} found @param {SideKind} kind */
    constructor(found, kind) {
        const { attachment, byteOffset } = found;
        this.found = found;
        this.attachment = attachment;
        this.#gate = new Gate({ ...found, byteOffset: byteOffset + kind.own }, MUTEX);
        this.place = this.#gate.place;
        this.#exports = /** @type {ChannelExports} */ (/** @type {unknown} */ (attachment.exports));
        this.#byteOffset = byteOffset;
        this.#self = attachment.self;
        this.#kind = kind;
        this.#words = attachment.words;
    }

    /** The thread that holds the mutex; undefined while a request waits for the other side. */
    get holder() {
        return this.#waitsWith === undefined ? this.#gate.holder : undefined;
    }

    /** @type {Waitable['step']} */
    step(size, comesLate, isArmed, watched, waited) {
        let change = this.#waitsWith === size ? this.#stepForChange() : undefined;
        for (let looks = 0; !change?.word && looks < MOST_REFUSALS; looks += 1) {
            this.#waitsWith = undefined;
            const outcome = this.#gate.step(this.#self, comesLate, isArmed, watched, waited);
            if (outcome.word) {
                return outcome;
            }
            if (outcome.expected !== RESULT_ABANDONED || takeOver(this.#gate)) {
                this.#token = this.#look(size);
                if (this.result !== RESULT_BUSY) {
                    return { ...outcome, expected: RESULT_OK };
                }
                this.#waitsWith = size;
                change = this.#stepForChange();
            }
        }
        // If the word has changed since the look, waitAsync refuses this value, and the queue polls.
        return { watched: 0, isOldest: false, reservation: 0, expected: 0, ...change, word: CHANGE };
    }

    #stepForChange() {
        const outcome = outcomeOf(this.#exports.channel_step(this.#other, this.#token));
        return outcome.word ? { ...outcome, word: CHANGE } : outcome;
    }

    get #other() {
        return this.#byteOffset + this.#kind.other;
    }

    get #own() {
        return this.#byteOffset + this.#kind.own;
    }

    /**
     * Requires: this thread holds the mutex. Looks once; if there is no place, unlocks the mutex.
     * @param {number} size
     * @returns {number} the other side's word before the look
     */
    #look(size) {
        const token = this.#exports.channel_token(this.#other);
        this.#exports.channel_begin(this.#own);
        this.result = this.more(size);
        if (this.result < CHANNEL_LEAST_PLACE) {
            this.unlock();
        }
        return token;
    }

    /**
     * Requires: this thread holds the mutex.
     * @param {number} size
     * @returns {number} the place of one more message, or an hf_result
     */
    more(size) {
        return this.#kind.look(this.#exports, this.#byteOffset, size);
    }

    /**
     * Requires: this thread holds the mutex. Sends the messages that were placed, or removes those that were found.
     * @returns {boolean} false: the channel is closed
     */
    moveOn() {
        return this.#exports.channel_move_on(this.#own, this.#kind.unless) !== 0;
    }

    unlock() {
        this.#gate.leave(this.#self);
    }

    /** @type {Waitable['withdraw']} */
    withdraw() {
        this.#waitsWith = undefined;
        this.#gate.withdraw();
    }

    /** @type {Waitable['giveUp']} */
    giveUp() {
        return false;
    }

    /** @param {import('../thread/event-loop.js').Word} word @returns {{ words: Int32Array, index: number }} */
    locate(word) {
        return word === CHANGE
            ? { words: this.#words, index: (this.#other + CHANNEL_WORD_OFFSET) / 4 }
            : this.#gate.locate(word);
    }

    /**
     * The queue reads `line` before a step. While this side waits for the other one, `line` stands for the other
     * side's word, which decides the step. @type {Waitable['read']}
     */
    read(word) {
        if (word === 'turn' || this.#waitsWith === undefined) {
            return this.#gate.read(word);
        }
        const { words, index } = this.locate(CHANGE);
        return environment.load(words, index);
    }

    isMine() {
        return this.#gate.isMine();
    }

    /** True while a callback of this thread uses bytes in the channel. */
    get isInPlace() {
        return this.isMine();
    }

    /** @type {Waitable['probe']} */
    probe(goesOn) {
        if (this.#waitsWith === undefined) {
            this.#gate.probe(goesOn);
        }
    }

    /** Looks once, if it can lock the mutex. @param {number} size @returns {boolean} whether there is a result */
    tryNow(size) {
        if (!this.#gate.tryNow(this.#self)) {
            return false;
        }
        this.#look(size);
        return this.result !== RESULT_BUSY;
    }

    /**
     * Looks until there is a result. Blocks: for `limit`.
     * @param {number} size
     * @param {number} limit milliseconds; 0: any thread may call
     * @returns {boolean} whether there is a result
     */
    enter(size, limit) {
        if (limit > 0) {
            checkMayBlock(this.#kind.instead);
        }
        if (this.tryNow(size)) {
            return true; // without a look at the clock
        }
        if (limit > 0) {
            this.#checkIsNotInPlace(this.#own);
        }
        const end = environment.now() + limit;
        while (lockWithin(this.#gate, end - environment.now())) {
            const token = this.#look(size);
            if (this.result !== RESULT_BUSY) {
                return true;
            }
            const left = end - environment.now();
            if (left <= 0) {
                return false;
            }
            this.#checkIsNotInPlace(this.#other); // a callback of this thread holds it, so the wait would never end
            this.#waitForChange(token, left);
        }
        return false;
    }

    /** @param {number} side whose mutex a callback of this thread may hold, to use bytes in place */
    #checkIsNotInPlace(side) {
        const { exports, self } = this.attachment;
        if (exports.owned_is_by(side, self) !== 0) {
            throw lockError(
                this,
                'HF_DEADLOCK',
                'A callback of this thread uses % in place, and this call would wait for that callback.',
            );
        }
    }

    /** @param {number} token of the last look @param {number} limit milliseconds */
    #waitForChange(token, limit) {
        const { attachment, place } = this;
        const wait = (/** @type {number} */ before, /** @type {number} */ limitMicroseconds) =>
            this.#exports.channel_wait(this.#other, token, before, limitMicroseconds);
        block({ attachment, place }, wait, limit);
    }
}

/** @type {SideKind} */
export const SENDERS = {
    Waits: ChannelSide,
    own: CHANNEL_SENDERS_OFFSET,
    other: CHANNEL_RECEIVERS_OFFSET,
    unless: CHANNEL_CLOSED,
    look: (exports, byteOffset, size) => exports.channel_put(byteOffset, size),
    instead: 'sendAsync() or trySend()',
};

/** @type {SideKind} */
export const RECEIVERS = {
    Waits: ChannelSide,
    own: CHANNEL_RECEIVERS_OFFSET,
    other: CHANNEL_SENDERS_OFFSET,
    unless: 0,
    look: (exports, byteOffset) => exports.channel_next(byteOffset),
    instead: 'receiveAsync() or tryReceive()',
};
