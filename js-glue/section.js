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
    const section = queue.enter();
    let result;
    let isPromise;
    try {
        result = callback();
        isPromise = isThenable(result);
    } catch (error) {
        queue.leave(section);
        throw error;
    }
    if (isPromise) {
        return settle(queue, section, result);
    }
    const error = queue.leave(section);
    if (error !== undefined) {
        throw error;
    }
    return /** @type {T} */ (result);
}

/**
 * Holds the lock until the promise that a callback returned settles.
 *
 * @template T
 * @param {import('./request-queue.js').RequestQueue} queue
 * @param {number} section
 * @param {T | PromiseLike<T>} promise
 */
async function settle(queue, section, promise) {
    if (queue.awaits(promise)) {
        queue.leave(section);
        throw new HoldfastError(
            'HF_DEADLOCK',
            'The callback returned a request for the lock that it holds, and so would wait for itself. ' +
                'Call what needs the lock directly instead of asking again; locks here are not recursive.',
        );
    }
    let value;
    try {
        value = await promise; // and not promise.then(), which a promise may have of its own
    } catch (error) {
        queue.leave(section);
        throw error;
    }
    const error = queue.leave(section);
    if (error !== undefined) {
        throw error;
    }
    return value;
}
