/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { STEP_NEXT_DONE, STEP_NEXT_SHIFT, STEP_NEXT_WAIT_TURN } from './layout.js';

/* Numbers of the module into events, and words into places. */

const LOW_HALF = 0xffff_ffffn;
const NEXT_MASK = 3n;

/**
 * @param {bigint} outcome of a step
 * @param {number} [watched]
 * @param {number} [reservation]
 * @returns {Extract<import('./waiting.js').WaitEvent, { type: 'stepped' }>}
 */
export function steppedOf(outcome, watched = 0, reservation = 0) {
    const next = Number((outcome >> BigInt(STEP_NEXT_SHIFT)) & NEXT_MASK);
    return {
        type: 'stepped',
        next: next === STEP_NEXT_DONE ? 'done' : next === STEP_NEXT_WAIT_TURN ? 'turn' : 'line',
        // The line's word never changes: its entries are woken, not compared.
        expected: next === STEP_NEXT_WAIT_TURN ? Number(outcome & LOW_HALF) | 0 : 0,
        watched,
        reservation,
    };
}

/**
 * @param {import('./attachment.js').Attachment} attachment
 * @param {number} byteOffset
 */
export function placeOf(attachment, byteOffset) {
    return { words: attachment.wordsAt(byteOffset), index: byteOffset / Int32Array.BYTES_PER_ELEMENT };
}
