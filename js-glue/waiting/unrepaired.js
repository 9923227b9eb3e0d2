/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { isAbandoned } from '../errors.js';

/* Mutexes whose data a dying thread never leaves half changed: the next thread takes an abandoned one over
 * without a repair. */

/** @typedef {import('./gate.js').Gate} Gate */

/**
 * @param {Gate} gate of an abandoned mutex
 * @returns {boolean} whether this thread holds it now; false: another thread was faster
 */
export function takeOver(gate) {
    const isMine = gate.takeOver() !== 0;
    if (isMine) {
        gate.withdraw();
    }
    return isMine;
}

/**
 * Locks the mutex, even if it is abandoned. Blocks: for the limit.
 * @param {Gate} gate of a mutex
 * @param {number} limit milliseconds; 0: any thread may call it
 * @returns {boolean} whether this thread holds it
 */
export function lockWithin(gate, limit) {
    try {
        return (
            gate.tryNow(gate.alone) || (limit > 0 ? gate.wait(gate.alone, limit) : gate.tryLate(gate.alone))
        );
    } catch (error) {
        if (!isAbandoned(error)) {
            throw error;
        }
        return takeOver(gate) || lockWithin(gate, limit);
    }
}
