/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { RESULT_BUSY, RESULT_OK, RESULT_TIMEOUT, THREAD_MASK } from '../js-glue/memory/layout.js';
import { LONGEST_WAIT_US } from './primitive.js';
import { begin, checkHad, gained, goOn, LIMIT_US, NO_TIME, sleepOf } from './thread-call.js';
import { Violation } from './violation.js';

/* A worker that takes the lock in each of the given ways, one after the other, and unlocks it each time that
 * it got it: the calls of the classes of js-glue/ and of js-glue/waiting/blocking.js. */

/**
 * @typedef {import('./primitive.js').Planned} Planned
 * @typedef {import('./thread-call.js').Behaviour<BlockingState>} BlockingBehaviour
 *
 * @typedef {'lock' | 'tryLock' | 'tryLock and watch' | 'tryLock for a while' | 'unlock'} Way the last without
 *     having the lock; a watching one tries again when it has seen a reservation outlast its time
 *
 * @typedef {object} BlockingOptions
 * @property {number[]} [asks] what each of its ways asks for; 1 by default, and of a mutex always itself
 * @property {boolean} [isForlorn] nobody depends on its coming to an end: what it waits for may never be there
 * @property {boolean} [holds] at the start it has the lock already that the first of its ways takes
 *
 * @typedef {object} BlockingState
 * @property {number} at which of its ways it has come to
 * @property {import('./thread-call.js').Call | undefined} call
 * @property {number} token of a wait that has not ended yet, or of a try that watches
 * @property {boolean} owns
 * @property {number} has
 */

const WAITS_ON = 'waits on';
const GIVES_UP = 'gives up';
const TRIES_AGAIN = 'has watched long enough';

/** What a thread may do that holds a token. A try may end at any time, a wait only goes on by itself. */
const CHOICES = /** @type {Record<'waits' | 'watches', import('./thread-call.js').View['choices']>} */ ({
    waits: [
        { input: WAITS_ON, due: 'yes' },
        { input: GIVES_UP, due: 'no' },
    ],
    watches: [
        { input: TRIES_AGAIN, due: 'soon' },
        { input: GIVES_UP, due: 'yes' },
    ],
});

/** @implements {BlockingBehaviour} */
export class BlockingThread {
    #runner;
    #self;
    #ways;
    #primitive;
    #asks;
    #holds;

    /**
     * @param {import('./thread-call.js').Runner} runner
     * @param {number} self
     * @param {Way[]} ways
     * @param {import('./primitive.js').Primitive} primitive
     * @param {BlockingOptions} [options]
     */
    constructor(runner, self, ways, primitive, { asks = [], holds = false, isForlorn = false } = {}) {
        this.#runner = runner;
        this.#self = self;
        this.#ways = ways;
        this.#primitive = primitive;
        this.#asks = asks;
        this.#holds = holds;
        this.isBusy = isForlorn;
        this.outlasts = ways.some((way) => way === 'tryLock for a while' || way === 'tryLock and watch');
    }

    /** @returns {BlockingState} */
    start() {
        if (!this.#holds) {
            return this.#next(0);
        }
        const has = this.#amountAt(0);
        return { at: 0, call: this.#begin(this.#unlock(0)), token: 0, owns: true, has };
    }

    /**
     * @param {BlockingState} state
     * @returns {import('./thread-call.js').View}
     */
    view({ at, call, token, owns, has }) {
        const way = this.#ways[at];
        return {
            atomic: call?.asleep ? undefined : call?.stop.atomic,
            sleeps: sleepOf(call, way === 'tryLock for a while'),
            choices: token === 0 || call ? [] : CHOICES[way === 'tryLock and watch' ? 'watches' : 'waits'],
            owns: owns ? [this.#amountAt(at)] : [],
            has,
            isDone: way === undefined,
        };
    }

    /**
     * @param {BlockingState} state
     * @param {import('./wasm-interpreter.js').Value | string} input
     * @returns {BlockingState}
     */
    after(state, input) {
        const { call, owns, has } = state;
        if (!call) {
            return { ...this.#withoutCall(state, input), token: 0 };
        }
        const gains = gained(call, input);
        const further = goOn(this.#runner, call, input);
        const after = { ...state, call: further, owns: owns && gains >= 0, has: has + gains };
        return further.stop.atomic
            ? after
            : this.#ended(after, further.name, Number(further.stop.value ?? 0));
    }

    /** @param {number} at */
    #askAt(at) {
        return this.#asks[at] ?? 1;
    }

    /** @param {number} at */
    #amountAt(at) {
        return this.#primitive.amountOf(this.#self, this.#askAt(at));
    }

    /** @param {number} at */
    #unlock(at) {
        return this.#primitive.unlock(this.#self, this.#askAt(at));
    }

    /** @param {Planned} planned */
    #begin([name, ...parameters]) {
        return begin(this.#runner, name, ...parameters);
    }

    /**
     * @param {number} at
     * @param {number} token
     * @param {number} limit
     * @returns {Planned}
     */
    #wait(at, token, limit) {
        const { capacity } = this.#primitive;
        return ['gate_wait', this.#self, token, limit, this.#amountAt(at), capacity];
    }

    /**
     * @param {number} at
     * @param {number} watched
     * @returns {Planned}
     */
    #tryAfter(at, watched) {
        return ['gate_try_after', this.#self, watched, this.#amountAt(at), this.#primitive.capacity];
    }

    /**
     * @param {number} at
     * @returns {BlockingState}
     */
    #next(at) {
        const planned = this.#planned(at);
        const call = planned && this.#begin(planned);
        return { at, call, token: 0, owns: false, has: 0 };
    }

    /**
     * @param {number} at
     * @returns {Planned | undefined}
     */
    #planned(at) {
        const ask = this.#askAt(at);
        switch (this.#ways[at]) {
            case 'lock':
                return this.#primitive.lock(this.#self, ask);
            case 'tryLock':
                return this.#primitive.tryLock(this.#self, ask);
            case 'tryLock and watch':
                return this.#tryAfter(at, 0);
            case 'tryLock for a while':
                return this.#wait(at, 0, LIMIT_US);
            case 'unlock':
                return this.#unlock(at);
            default:
                return undefined;
        }
    }

    /**
     * @param {BlockingState} state
     * @param {string} name
     * @param {number} result
     * @returns {BlockingState}
     */
    #ended(state, name, result) {
        const { at, has } = state;
        const ask = this.#askAt(at);
        if (name === this.#unlock(at)[0]) {
            return this.#unlocked(state, name, result);
        }
        const passed = !name.endsWith('_note') && result === RESULT_OK;
        checkHad(name, has, passed || name.endsWith('_note') ? this.#amountAt(at) : 0);
        if (result < 0) {
            return this.#goesOn(state, name, result);
        }
        const note = passed ? this.#primitive.note(this.#self, ask) : undefined;
        if (note) {
            return this.#noting(state, this.#begin(note));
        }
        if (result === RESULT_OK) {
            return { ...state, call: this.#begin(this.#unlock(at)), owns: true };
        }
        const isTry = name === this.#primitive.tryLock(this.#self, ask)[0];
        if (!(isTry && result === RESULT_BUSY) && !(name === 'gate_wait' && result === RESULT_TIMEOUT)) {
            throw new Violation(`${name} returned ${result}`);
        }
        return this.#next(at + 1);
    }

    /**
     * Of some ways of passing there is nothing to note.
     * @param {BlockingState} state
     * @param {import('./thread-call.js').Call} call
     * @returns {BlockingState}
     */
    #noting(state, call) {
        return call.stop.atomic ? { ...state, call } : this.#ended(state, call.name, RESULT_OK);
    }

    /**
     * @param {BlockingState} state
     * @param {string} name
     * @param {number} result
     */
    #unlocked({ at, has }, name, result) {
        const ask = this.#askAt(at);
        const isStray = this.#ways[at] === 'unlock';
        const should = this.#primitive.unlocked(ask, isStray);
        if (result !== should) {
            throw new Violation(`${name} returned ${result}`);
        }
        checkHad(name, has, isStray && should === RESULT_OK ? -this.#amountAt(at) : 0);
        return this.#next(at + 1);
    }

    /**
     * A wait that has not ended yet, or a try that was told of a reservation.
     * @param {BlockingState} state
     * @param {string} name
     * @param {number} result
     * @returns {BlockingState}
     */
    #goesOn(state, name, result) {
        const { at } = state;
        const way = this.#ways[at];
        if (name === 'gate_wait' && way === 'lock') {
            return { ...state, call: this.#begin(this.#wait(at, result, LONGEST_WAIT_US)) };
        }
        const token = name === 'gate_wait' ? result : result & THREAD_MASK;
        return token === 0 || way === 'tryLock' ? this.#next(at + 1) : { ...state, call: undefined, token };
    }

    /**
     * @param {BlockingState} state that holds a token
     * @param {import('./wasm-interpreter.js').Value | string} input
     * @returns {BlockingState}
     */
    #withoutCall(state, input) {
        const { at, token } = state;
        const givesUp = input === GIVES_UP;
        if (this.#ways[at] === 'tryLock and watch') {
            return givesUp ? this.#next(at + 1) : { ...state, call: this.#begin(this.#tryAfter(at, token)) };
        }
        return { ...state, call: this.#begin(this.#wait(at, token, givesUp ? NO_TIME : LIMIT_US)) };
    }
}
