/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { environment } from '../thread/environment.js';
import { hooks } from './hooks.js';

/** A C call takes its limit as 32 bits of microseconds; 60 s fit. */
const LONGEST_WAIT_MS = 60_000;

/**
 * Blocks until the wait ends. The deadline is absolute, so spurious wakes do not stretch it.
 * @param {import('./hooks.js').Shown} gate
 * @param {(token: number, limitMicroseconds: number) => number} waitOnce makes one step and sleeps once. With a limit
 *     of 0 it ends the wait. A negative result is the token for the next call
 * @param {number} timeout milliseconds
 * @param {number} [token] if the wait has already begun
 * @returns {number} an hf_result
 */
export function block(gate, waitOnce, timeout, token = 0) {
    /** @param {import('./hooks.js').Between} [between] */
    const run = (between) => {
        const began = environment.now();
        let goesOn = false;
        let result = token;
        do {
            const waited = environment.now() - began;
            let left = Math.min(timeout - waited, LONGEST_WAIT_MS);
            if (result < 0) {
                gate.holder?.probe(goesOn);
                goesOn = true;
                if (between?.(waited)) {
                    left = 0;
                }
            }
            result = waitOnce(result, left > 0 ? Math.ceil(left * 1000) : 0);
        } while (result < 0);
        return result;
    };
    return hooks.block ? hooks.block(gate, timeout, token !== 0, run) : run();
}
