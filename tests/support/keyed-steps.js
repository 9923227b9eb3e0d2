/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { STRIPE_BYTES, STRIPES } from '../../js-glue/keyed/keys.js';
import { THREAD_MARK } from '../../js-glue/memory/layout.js';
import { attachmentFor } from '../../js-glue/memory/placed.js';
import { messageOf, startThread } from './thread.js';

/* Threads that stop at a step of their use of a key (threads/keyed-user.js). */

export { STRIPES };

/** One of the stripes. */
export const STRIPE = 7;

/** @param {string} key @param {number} [hash] of the text before it */
function hashOf(key, hash = key.length) {
    return Array.from(key, (char) => char.charCodeAt(0)).reduce(
        (sum, code) => (Math.imul(sum, 31) + code) | 0,
        hash,
    );
}

/** Keys of one stripe, so that lookups wait for each other. @param {number} count */
export function keysOfOneStripe(count) {
    const keys = [];
    for (let at = 0; keys.length < count; at += 1) {
        const key = `key ${at}`;
        if ((hashOf(key) & (STRIPES - 1)) === STRIPE) {
            keys.push(key);
        }
    }
    return keys;
}

/** A longer key with the same hash, of which this key is a prefix. @param {string} key of ASCII */
export function twinOf(key) {
    const weights = [887503681, 28629151, 923521, 29791, 961, 31, 1]; // powers of 31
    const zeros = hashOf(key + '\0'.repeat(weights.length), key.length + weights.length);
    let left = (hashOf(key) - zeros) >>> 0;
    const suffix = weights.map((weight) => {
        const code = Math.floor(left / weight);
        left -= code * weight;
        return String.fromCharCode(code);
    });
    return key + suffix.join('');
}

/**
 * @param {import('node:test').TestContext} t
 * @param {{ handle: unknown, board: Int32Array, use: string, key: string }} data
 * @returns {Promise<number>} the number of steps of a use
 */
export async function stepsOf(t, data) {
    const worker = startThread(t, 'keyed-user', { ...data, stop: -1 });
    const steps = await messageOf(worker, 'the number of steps', []);
    await worker.terminate();
    return steps;
}

/**
 * Locks all stripes under another thread's identity.
 *
 * @param {import('../../js-glue/keyed.js').KeyedMutex} keyed
 * @param {number} [other] the identity of their holder; by default of no thread here
 * @returns {(dies?: boolean) => void} unlocks them, or abandons them as the death of their holder does
 */
export function lockStripes(keyed, other = 12345678) {
    const { exports } = attachmentFor(keyed);
    const stripes = Array.from({ length: STRIPES }, (_, at) => keyed.byteOffset + at * STRIPE_BYTES);
    stripes.forEach((stripe) => exports.mutex_trylock(stripe, other));
    return (dies = false) =>
        stripes.forEach((stripe) =>
            dies
                ? exports.gate_abandon(stripe, other, other | THREAD_MARK)
                : exports.mutex_unlock(stripe, other),
        );
}
