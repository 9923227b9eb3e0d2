/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { errorOf } from './errors.js';
import { MUTEX, RESULT, STEP } from './layout.js';

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
    const kind = (polls) => (polls ? STEP.KIND_POLLING : STEP.KIND_ASYNC);

    return {
        step(polls, inLine, watched) {
            const token = watched | (inLine ? STEP.TOKEN_IN_LINE : 0);
            const outcome = BigInt.asUintN(64, exports.mutex_step(byteOffset, self, kind(polls), token));
            const next = Number((outcome >> BigInt(STEP.NEXT_SHIFT)) & NEXT_MASK);
            const watchedPolls = (outcome >> BigInt(STEP.POLLS_SHIFT)) & 1n;
            return {
                type: 'stepped',
                next: next === STEP.NEXT_TAKEN ? 'taken' : next === STEP.NEXT_WAIT_TURN ? 'turn' : 'line',
                // The line's word never changes: its entries are woken, not compared.
                expected: next === STEP.NEXT_WAIT_TURN ? Number(outcome & LOW_HALF) | 0 : 0,
                watched: Number(outcome >> BigInt(STEP.WATCHED_SHIFT)),
                reservation: watchedPolls ? MUTEX.POLLED_RESERVATION_MS : MUTEX.RESERVATION_MS,
            };
        },
        withdraw(polls) {
            exports.mutex_withdraw(byteOffset, self, kind(polls), NO_TOKEN);
        },
        leave() {
            const result = exports.mutex_unlock(byteOffset, self);
            return result === RESULT.OK ? undefined : errorOf(result, 'mutex');
        },
        isMine() {
            return exports.mutex_is_mine(byteOffset, self) !== 0;
        },
        locate(word) {
            const offset = byteOffset + (word === 'turn' ? MUTEX.TURN_OFFSET : MUTEX.LINE_OFFSET);
            return { words: attachment.wordsAt(offset), index: offset / Int32Array.BYTES_PER_ELEMENT };
        },
    };
}
