/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { errorOf } from './errors.js';
import {
    MUTEX_LINE_OFFSET,
    MUTEX_POLLED_RESERVATION_MS,
    MUTEX_RESERVATION_MS,
    MUTEX_TURN_OFFSET,
    RESULT_OK,
    STEP_KIND_ASYNC,
    STEP_KIND_POLLING,
    STEP_NEXT_SHIFT,
    STEP_NEXT_TAKEN,
    STEP_NEXT_WAIT_TURN,
    STEP_POLLS_SHIFT,
    STEP_TOKEN_IN_LINE,
    STEP_WATCHED_SHIFT,
} from './layout.js';

const LOW_HALF = 0xffff_ffffn;
const NEXT_MASK = 3n;
const NO_TOKEN = 0;

/**
 * The mutex as the request queue sees it: numbers of the module into events, and words into places.
 *
 * @param {import('./attachment.js').Attachment} attachment
 * @param {number} byteOffset
 * @returns {import('./request-queue.js').Waitable}
 */
export function mutexWaitable(attachment, byteOffset) {
    const { exports, self } = attachment;
    /** @param {boolean} polls */
    const kind = (polls) => (polls ? STEP_KIND_POLLING : STEP_KIND_ASYNC);

    return {
        step(polls, inLine, watched) {
            const token = watched | (inLine ? STEP_TOKEN_IN_LINE : 0);
            const outcome = BigInt.asUintN(64, exports.mutex_step(byteOffset, self, kind(polls), token));
            const next = Number((outcome >> BigInt(STEP_NEXT_SHIFT)) & NEXT_MASK);
            const watchedPolls = (outcome >> BigInt(STEP_POLLS_SHIFT)) & 1n;
            return {
                type: 'stepped',
                next: next === STEP_NEXT_TAKEN ? 'taken' : next === STEP_NEXT_WAIT_TURN ? 'turn' : 'line',
                // The line's word never changes: its entries are woken, not compared.
                expected: next === STEP_NEXT_WAIT_TURN ? Number(outcome & LOW_HALF) | 0 : 0,
                watched: Number(outcome >> BigInt(STEP_WATCHED_SHIFT)),
                reservation: watchedPolls ? MUTEX_POLLED_RESERVATION_MS : MUTEX_RESERVATION_MS,
            };
        },
        withdraw(polls) {
            exports.mutex_withdraw(byteOffset, self, kind(polls), NO_TOKEN);
        },
        leave() {
            const result = exports.mutex_unlock(byteOffset, self);
            return result === RESULT_OK ? undefined : errorOf(result, 'mutex');
        },
        isMine() {
            return exports.mutex_is_mine(byteOffset, self) !== 0;
        },
        locate(word) {
            const offset = byteOffset + (word === 'turn' ? MUTEX_TURN_OFFSET : MUTEX_LINE_OFFSET);
            return { words: attachment.wordsAt(offset), index: offset / Int32Array.BYTES_PER_ELEMENT };
        },
    };
}
