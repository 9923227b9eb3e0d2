/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { RESULT_BUSY, RESULT_NOT_OWNER, RESULT_OK, RESULT_TIMEOUT, THREAD_MASK } from '../js-glue/layout.js';
import { begin, goOn, lengthOf, releases } from './thread-call.js';
import { Violation } from './violation.js';

/* A worker that takes the lock in each of the given ways, one after the other, and unlocks it each time that
 * it got it: the calls of js-glue/mutex.js and js-glue/blocking.js. */

/**
 * @typedef {'lock' | 'tryLock' | 'tryLock and watch' | 'tryLock for a while' | 'unlock'} Way the last without
 *     having the lock; a watching one tries again when it has seen a reservation outlast its time
 *
 * @typedef {object} BlockingOptions
 * @property {boolean} [holds] at the start it has the lock already that the first of its ways takes
 *
 * @typedef {object} BlockingState
 * @property {Way[]} left
 * @property {import('./thread-call.js').Call | undefined} call
 * @property {number} token of a wait that has not ended yet, or of a try that watches
 * @property {boolean} owns
 */

/** A caller's time limit, so that no slice but the longest is cut short by it. */
const LIMIT_US = 1000;

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

/**
 * @param {import('./thread-call.js').Runner} runner
 * @param {number} self
 * @param {Way[]} ways
 * @param {BlockingOptions} [options]
 * @returns {import('./thread-call.js').Behaviour<BlockingState>}
 */
export function blockingThread(runner, self, ways, { holds = false } = {}) {
    /**
     * @param {Way[]} left
     * @returns {BlockingState}
     */
    function next(left) {
        const state = { left, call: undefined, token: 0, owns: false };
        switch (left[0]) {
            case 'lock':
                return { ...state, call: begin(runner, 'mutex_lock', self) };
            case 'tryLock':
                return { ...state, call: begin(runner, 'mutex_trylock', self) };
            case 'tryLock and watch':
                return { ...state, call: begin(runner, 'mutex_try_after', self, 0) };
            case 'tryLock for a while':
                return { ...state, call: begin(runner, 'mutex_wait', self, 0, LIMIT_US) };
            case 'unlock':
                return { ...state, call: begin(runner, 'mutex_unlock', self) };
            default:
                return state;
        }
    }

    /**
     * @param {BlockingState} state
     * @param {number} result
     */
    function ended({ left, call }, result) {
        const name = call?.name;
        if (name === 'mutex_wait' && result < 0) {
            return { left, call: undefined, token: result, owns: false };
        }
        if (name === 'mutex_try_after' && result < 0) {
            const watched = result & THREAD_MASK;
            return watched === 0
                ? next(left.slice(1))
                : { left, call: undefined, token: watched, owns: false };
        }
        const isStray = left[0] === 'unlock';
        if (name === 'mutex_unlock' && result === (isStray ? RESULT_NOT_OWNER : RESULT_OK)) {
            return next(left.slice(1));
        }
        if (result === RESULT_OK && !isStray) {
            return { left, call: begin(runner, 'mutex_unlock', self), token: 0, owns: true };
        }
        const mayFail =
            (name === 'mutex_trylock' && result === RESULT_BUSY) ||
            (name === 'mutex_give_up' && result === RESULT_TIMEOUT);
        if (!mayFail) {
            throw new Violation(`${name} returned ${result}`);
        }
        return next(left.slice(1));
    }

    /**
     * @param {BlockingState} state that holds a token
     * @param {import('./wasm-interpreter.js').Value | string} input
     */
    function withoutCall(state, input) {
        const { left, token } = state;
        if (left[0] === 'tryLock and watch') {
            return input === GIVES_UP
                ? next(left.slice(1))
                : { ...state, call: begin(runner, 'mutex_try_after', self, token) };
        }
        return input === GIVES_UP
            ? { ...state, call: begin(runner, 'mutex_give_up', self, token) }
            : { ...state, call: begin(runner, 'mutex_wait', self, token, LIMIT_US) };
    }

    return {
        outlasts: ways.some((way) => way === 'tryLock for a while' || way === 'tryLock and watch'),

        start: () =>
            holds
                ? { left: ways, call: begin(runner, 'mutex_unlock', self), token: 0, owns: true }
                : next(ways),

        view({ left, call, token, owns }) {
            const length = call?.asleep ? lengthOf(call) : '';
            const limited = left[0] === 'tryLock for a while';
            return {
                atomic: call?.asleep ? undefined : call?.stop.atomic,
                sleeps: length && length !== 'nap' && limited ? 'limit' : length,
                choices:
                    token === 0 || call ? [] : CHOICES[left[0] === 'tryLock and watch' ? 'watches' : 'waits'],
                owns,
                isDone: left.length === 0,
            };
        },

        after(state, input) {
            const { call, owns } = state;
            if (!call) {
                return { ...withoutCall(state, input), token: 0 };
            }
            const further = goOn(runner, call, input);
            const stillOwns = owns && !releases(call, input);
            const { stop } = further;
            return stop.atomic
                ? { ...state, call: further, owns: stillOwns }
                : ended({ ...state, call: further }, Number(stop.value));
        },
    };
}
