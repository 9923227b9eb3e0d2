/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Async contexts of requests: each request is made in its own context, and everything that it calls must run
 * there. */

const { process } = /** @type {{ process?: NodeJS.Process }} */ (globalThis);

/** Browsers have no async contexts yet. */
const storage = process && new (await import('node:async_hooks')).AsyncLocalStorage();

/**
 * @template T
 * @param {string} name
 * @param {() => T} callback
 * @returns {T}
 */
export function inContext(name, callback) {
    return storage ? storage.run(name, callback) : callback();
}

/**
 * The name of the current context, if it is known.
 *
 * @param {string} expected
 */
export function contextOr(expected) {
    return storage ? storage.getStore() : expected;
}
