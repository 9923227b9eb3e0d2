/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import {
    GATE_BESIDE_MS,
    GATE_POLLED_RESERVATION_MS,
    GATE_RESERVATION_MS,
    STEP_IS_LONG_SHIFT,
    STEP_NEXT_DONE,
    STEP_NEXT_MASK,
    STEP_NEXT_SHIFT,
    STEP_NEXT_WAIT_BESIDE,
    STEP_NEXT_WAIT_TURN,
    STEP_TOKEN_AGE_SHIFT,
    STEP_TOKEN_LISTED,
    STEP_WATCHED_SHIFT,
} from '../memory/layout.js';
import { AGE_CLASSES_MS } from '../thread/times.js';

/* The input and the result of a C step, each in one number (c-src/gate.h, c-src/waiting.h). */

/**
 * @typedef {import('../thread/event-loop.js').Word} Word
 * @typedef {object} Outcome of a step
 * @property {Word | undefined} word to wait on; undefined: the wait has ended
 * @property {number} expected its value; if the wait has ended, an hf_result
 * @property {number} watched the number of the reservation, slot or oldest async waiter that blocks it; 0: none
 * @property {boolean} isOldest `watched` is the oldest async waiter
 * @property {number} reservation how many milliseconds to watch it
 */

/**
 * @param {bigint} outcome
 * @param {boolean} [isGate] of a gate, whose `line` names the oldest async waiter; elsewhere `line` stays 0
 * @returns {Outcome}
 */
export function outcomeOf(outcome, isGate = false) {
    const shift = BigInt(STEP_NEXT_SHIFT);
    return outcomeIn(Number(BigInt.asIntN(STEP_NEXT_SHIFT, outcome)), Number(outcome >> shift), isGate);
}

/**
 * @param {number} expected the lower half
 * @param {number} upper half
 * @param {boolean} isGate
 * @returns {Outcome}
 */
export function outcomeIn(expected, upper, isGate) {
    const next = upper & STEP_NEXT_MASK;
    const isLong = (upper >> (STEP_IS_LONG_SHIFT - STEP_NEXT_SHIFT)) & 1;
    const isBeside = next === STEP_NEXT_WAIT_BESIDE;
    return {
        word: next === STEP_NEXT_DONE ? undefined : next === STEP_NEXT_WAIT_TURN ? 'turn' : 'line',
        expected: next === STEP_NEXT_WAIT_TURN || isGate ? expected : 0,
        watched: upper >>> (STEP_WATCHED_SHIFT - STEP_NEXT_SHIFT),
        isOldest: isBeside && isLong === 1,
        reservation: isLong ? GATE_POLLED_RESERVATION_MS : isBeside ? GATE_BESIDE_MS : GATE_RESERVATION_MS,
    };
}

/**
 * The token of an event loop's step at a gate.
 * @param {boolean} isArmed an entry is pending in the async wait list
 * @param {number} watched
 * @param {number} waited milliseconds
 */
export function tokenOf(isArmed, watched, waited) {
    const age = AGE_CLASSES_MS.filter((least) => waited >= least).length;
    return watched | (isArmed ? STEP_TOKEN_LISTED : 0) | (age << STEP_TOKEN_AGE_SHIFT);
}
