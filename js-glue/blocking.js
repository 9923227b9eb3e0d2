/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
/** One call into the module waits no longer, since its limit is 32 bits of microseconds. */
const LONGEST_WAIT_MS = 60_000;

/**
 * Blocks until the wait is over or the time is up. The deadline is absolute, so waking in vain does not
 * stretch it.
 *
 * @param {(token: number, limitMicroseconds: number) => number} wait steps and waits once; negative: the token
 *     for the next call
 * @param {(token: number) => number} giveUp ends the wait when its time is up
 * @param {number} timeout milliseconds
 * @returns {number} an hf_result
 */
export function blockFor(wait, giveUp, timeout) {
    const deadline = performance.now() + timeout;
    let result = -1;
    for (let token = 0; result < 0; token = result) {
        const left = deadline - performance.now();
        result = left > 0 ? wait(token, Math.ceil(Math.min(left, LONGEST_WAIT_MS) * 1000)) : giveUp(token);
    }
    return result;
}
