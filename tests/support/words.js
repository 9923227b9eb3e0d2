/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { GATE_TURN_OFFSET, THREAD_BITS } from '../../js-glue/memory/layout.js';
import {
    CONDITION_LOOPS_SHIFT,
    CONDITION_WAITERS_SHIFT,
    EVENT_EPOCHS,
    GATE_LOOP_PASSED_SHIFT,
} from '../../models/c/numbers.js';

/** @typedef {import('../../js-glue/memory/placed.js').Placed} Placed */

/** @param {Placed} lock */
const shapeOf = (lock) =>
    /** @type {typeof import('../../js-glue/memory/placed.js').Placed} */ (lock.constructor);

/**
 * The words of a lock, as plain numbers. Only the C core knows their meaning.
 *
 * @param {Placed} lock
 */
export function wordsOf(lock) {
    const count = shapeOf(lock).BYTES / Uint32Array.BYTES_PER_ELEMENT;
    const words = new Uint32Array(lock.memory.buffer, lock.byteOffset, count);
    return Array.from(words, (_, index) => Atomics.load(words, index));
}

/** The heir's slot, below the flags of its word; 0 without an heir. @param {Placed} lock of a gate */
export function heirOf(lock) {
    return (wordsOf(lock)[1] ?? 0) % 2 ** THREAD_BITS;
}

/** @param {Placed} lock */
export function describeWords(lock) {
    const words = wordsOf(lock).map((word) => word.toString(16).padStart(8, '0'));
    return `${shapeOf(lock).KIND} at ${lock.byteOffset}: ${words.join(' ')}`;
}

/**
 * True if all bytes are zero: the lock is free, without flags and without an heir.
 *
 * @param {Placed} lock
 * @param {number} [but] the word that does not count
 */
export function isFree(lock, but = -1) {
    return wordsOf(lock).every((word, index) => word === 0 || index === but);
}

/**
 * @param {Placed} lock
 * @param {number} [but] the word that does not count
 */
export function assertFree(lock, but) {
    if (!isFree(lock, but)) {
        throw new Error(`not free: ${describeWords(lock)}`);
    }
}

/** May stay set while permits are in use, or an event is not set. */
const LOOP_PASSED = 2 ** (GATE_LOOP_PASSED_SHIFT - 8 * GATE_TURN_OFFSET);

/* The bits that may differ between two times at which nobody uses the object: they count notifies, sets and
 * rounds, or remember the last user or whether spins helped. Tests know no other meaning of words. */
/** @type {Record<string, number[]>} */
const NUMBERING = {
    Condition: [-(2 ** CONDITION_LOOPS_SHIFT), 2 ** (CONDITION_WAITERS_SHIFT - 8 * GATE_TURN_OFFSET) - 1],
    Event: [0, LOOP_PASSED, 0, EVENT_EPOCHS],
    CountingSemaphore: [0, LOOP_PASSED],
    BinarySemaphore: [0, LOOP_PASSED],
    Barrier: [0xffff_ffff, 0, 0, 0xffff_ffff],
};

/**
 * A lock's words without the NUMBERING bits: equal whenever nobody uses the lock.
 *
 * @param {Placed} lock
 */
export function restOf(lock) {
    const numbering = NUMBERING[shapeOf(lock).KIND] ?? [];
    return wordsOf(lock).map((word, index) => (word & ~(numbering[index] ?? 0)) >>> 0);
}

/**
 * @param {Placed} lock
 * @param {number[]} rest the lock's `restOf` before its first use
 * @param {number} [but] the index of the word that does not count
 */
export function assertAtRest(lock, rest, but = -1) {
    const without = (/** @type {number[]} */ words) => words.filter((_, index) => index !== but).join();
    if (without(restOf(lock)) !== without(rest)) {
        const words = rest.map((word) => word.toString(16).padStart(8, '0')).join(' ');
        throw new Error(`not at rest: ${describeWords(lock)}; but for what numbers, it was ${words}`);
    }
}
