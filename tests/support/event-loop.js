/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/** Lets the running job and its microtasks end, so that requests have taken their first step. */
export const jobEnds = () => new Promise((resolve) => setImmediate(resolve));

export const countTimers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;

/**
 * @param {PromiseLike<unknown>} promise
 * @returns {Promise<unknown>} what it rejects with
 */
export const reasonOf = (promise) =>
    Promise.resolve(promise).then(
        (value) => Promise.reject(new Error(`it was fulfilled, with ${value}`)),
        (reason) => reason,
    );
