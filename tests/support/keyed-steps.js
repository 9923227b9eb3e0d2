/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { KeyedMutex } from '../../js-glue/keyed.js';
import { messageOf, startThread } from './thread.js';

/* Threads that stop at a step of their use of a key (threads/keyed-user.js). */

/** Stripes of a table, and one of them. */
export const STRIPES = KeyedMutex.BYTES / 24;
export const STRIPE = 7;

/** Keys of one stripe, so that each lookup meets the others. @param {number} count */
export function keysOfOneStripe(count) {
    const keys = [];
    for (let at = 0; keys.length < count; at += 1) {
        const key = `key ${at}`;
        const hash = [...key].reduce(
            (sum, char) => (Math.imul(sum, 31) + char.charCodeAt(0)) | 0,
            key.length,
        );
        if ((hash & (STRIPES - 1)) === STRIPE) {
            keys.push(key);
        }
    }
    return keys;
}

/**
 * @param {import('node:test').TestContext} t
 * @param {{ handle: unknown, board: Int32Array, use: string, key: string }} data
 * @returns {Promise<number>} how many steps a use takes
 */
export async function stepsOf(t, data) {
    const worker = startThread(t, 'keyed-user', { ...data, stop: -1 });
    const steps = await messageOf(worker, 'the number of steps', []);
    await worker.terminate();
    return steps;
}
