/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { Mutex } from '../../js-glue/index.js';

/**
 * The bytes of a lock, as the numbers that they are: what they mean is the business of the C core alone.
 *
 * @param {Mutex} mutex
 */
export function wordsOf(mutex) {
    const { memory, byteOffset } = mutex.handle;
    const words = new Uint32Array(memory.buffer, byteOffset, Mutex.BYTES / Uint32Array.BYTES_PER_ELEMENT);
    return Array.from(words, (_, index) => Atomics.load(words, index));
}

/** @param {Mutex} mutex */
export function describeWords(mutex) {
    const words = wordsOf(mutex).map((word) => word.toString(16).padStart(8, '0'));
    return `mutex at ${mutex.byteOffset}: ${words.join(' ')}`;
}

/**
 * Whether all bytes are zero again: nobody holds it, and no flag or place was left behind.
 *
 * @param {Mutex} mutex
 */
export function isFree(mutex) {
    return wordsOf(mutex).every((word) => word === 0);
}

/** @param {Mutex} mutex */
export function assertFree(mutex) {
    if (!isFree(mutex)) {
        throw new Error(`not free: ${describeWords(mutex)}`);
    }
}
