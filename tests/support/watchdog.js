/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { describeWords } from './words.js';

/** Longer than any wait of a test, even with ten times the load that the machine's cores can bear. */
export const PATIENCE_MS = 30_000;

/**
 * Resolves as the promise does; if that takes longer than the limit, rejects with an error that shows the words of the locks.
 *
 * @template T
 * @param {PromiseLike<T>} promise
 * @param {string} what is waited for
 * @param {import('../../js-glue/memory/placed.js').Placed[]} locks that it may hang on
 * @param {number} [limit] milliseconds
 * @returns {Promise<T>}
 */
export function within(promise, what, locks, limit = PATIENCE_MS) {
    return new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
            const words = locks.map(describeWords).join('\n');
            reject(new Error(`${what}: not done within ${limit} ms\n${words}`));
        }, limit);
        promise.then(
            (value) => {
                clearTimeout(timer);
                resolve(value);
            },
            (error) => {
                clearTimeout(timer);
                reject(error);
            },
        );
    });
}

/**
 * Checks each millisecond until the condition holds.
 *
 * @param {() => boolean} isSo
 * @param {string} what is waited for
 * @param {import('../../js-glue/memory/placed.js').Placed[]} [locks] that it may hang on
 */
export function until(isSo, what, locks = []) {
    let isOver = false;
    const look = async () => {
        while (!isOver && !isSo()) {
            await new Promise((resolve) => setTimeout(resolve, 1)); // on pages too
        }
    };
    return within(look(), what, locks).finally(() => (isOver = true));
}
