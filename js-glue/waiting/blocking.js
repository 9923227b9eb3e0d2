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
 * @param {() => void} [between] called between two waits
 * @returns {number} an hf_result
 */
export function blockFor(wait, timeout, token = 0, between) {
    const deadline = environment.now() + timeout;
    let result = token;
    do {
        if (result < 0) {
            between?.();
        }
        const left = Math.min(deadline - environment.now(), LONGEST_WAIT_MS);
        result = wait(result, left > 0 ? Math.ceil(left * 1000) : 0);
    } while (result < 0);
    return result;
}
