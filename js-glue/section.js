/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { HoldfastError } from './errors.js';

/**
 * Whether a value is a promise, or is treated like one by `await`.
 *
 * @param {any} value
 */
export function isThenable(value) {
    return (
        value !== null &&
        (typeof value === 'object' || typeof value === 'function') &&
        typeof value.then === 'function'
    );
}

/**
 * Runs the callback of a request that has the lock, and releases the lock when it is done, whatever it does.
 *
 * @template T
 * @param {import('./request-queue.js').RequestQueue} queue
 * @param {() => T | PromiseLike<T>} callback
 * @returns {T | Promise<T>} the callback's result, or a promise of it that settles after the release
 */
export function runSection(queue, callback) {
    queue.enter();
    let result;
    let isPromise;
    try {
        result = callback();
        isPromise = isThenable(result);
    } catch (error) {
        queue.leave();
        throw error;
    }
    if (!isPromise) {
        finish(queue);
        return /** @type {T} */ (result);
    }
    if (queue.awaits(result)) {
        queue.leave();
        throw new HoldfastError(
            'HF_DEADLOCK',
            'The callback returned a request for the lock that it holds, and so would wait for itself. ' +
                'Call what needs the lock directly instead of asking again; locks here are not recursive.',
        );
    }
    return Promise.resolve(result).then(
        (value) => {
            finish(queue);
            return value;
        },
        (error) => {
            queue.leave();
            throw error;
        },
    );
}

/** @param {import('./request-queue.js').RequestQueue} queue */
function finish(queue) {
    const error = queue.leave();
    if (error !== undefined) {
        throw error;
    }
}
