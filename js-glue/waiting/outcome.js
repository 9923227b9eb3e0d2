/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import {
    GATE_BESIDE_MS,
    GATE_POLLED_RESERVATION_MS,
    GATE_RESERVATION_MS,
    STEP_NEXT_DONE,
    STEP_NEXT_MASK,
    STEP_NEXT_SHIFT,
    STEP_NEXT_WAIT_BESIDE,
    STEP_NEXT_WAIT_TURN,
    STEP_POLLS_SHIFT,
    STEP_WATCHED_SHIFT,
} from '../memory/layout.js';

/* Numbers of the module into events. */

/**
 * What a step came to.
 *
 * @typedef {object} Outcome
 * @property {'done' | import('./decide.js').Word} next the word to wait on, if it is not done
 * @property {number} expected the value of that word
 * @property {number} watched the call that is in the way, or the senior; 0: none
 * @property {boolean} isSenior whether it is the senior
 * @property {number} reservation how long that may be in the way, in milliseconds
 */

/**
 * @param {bigint} outcome of a step
 * @param {boolean} [hasSenior] whether it says what `line` is; if not, that is always 0
 * @returns {Outcome}
 */
export function outcomeOf(outcome, hasSenior = false) {
    const expected = Number(BigInt.asIntN(STEP_NEXT_SHIFT, outcome));
    const rest = Number(outcome >> BigInt(STEP_NEXT_SHIFT));
    const next = rest & STEP_NEXT_MASK;
    const polls = (rest >> (STEP_POLLS_SHIFT - STEP_NEXT_SHIFT)) & 1;
    const isBeside = next === STEP_NEXT_WAIT_BESIDE;
    return {
        next: next === STEP_NEXT_DONE ? 'done' : next === STEP_NEXT_WAIT_TURN ? 'turn' : 'line',
        expected: next === STEP_NEXT_WAIT_TURN || hasSenior ? expected : 0,
        watched: rest >>> (STEP_WATCHED_SHIFT - STEP_NEXT_SHIFT),
        isSenior: isBeside && polls === 1,
        reservation: polls ? GATE_POLLED_RESERVATION_MS : isBeside ? GATE_BESIDE_MS : GATE_RESERVATION_MS,
    };
}
