/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { environment } from '../thread/environment.js';

/** The limit of one call is 32 bits of microseconds. */
export const LONGEST_WAIT_MS = 60_000;

/**
 * The deadline is absolute, so waking in vain does not stretch it.
 *
 * @param {(token: number, limitMicroseconds: number) => number} wait steps and waits once; without a limit left it ends
 *     the wait; negative: the token for the next call
 * @param {number} timeout milliseconds
 * @param {number} [token] of the wait so far
 * @param {(waited: number) => boolean} [between] called between two waits, with how long this has waited; whether to give up
 * @returns {number} an hf_result
 */
export function blockFor(wait, timeout, token = 0, between) {
    const began = environment.now();
    let result = token;
    do {
        const waited = environment.now() - began;
        const ends = result < 0 && between?.(waited);
        const left = ends ? 0 : Math.min(timeout - waited, LONGEST_WAIT_MS);
        result = wait(result, left > 0 ? Math.ceil(left * 1000) : 0);
    } while (result < 0);
    return result;
}
