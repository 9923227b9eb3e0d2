/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* The async contexts of requests: each is made in one of its own, and all that it calls has to run in that. */

const { process } = /** @type {{ process?: NodeJS.Process }} */ (globalThis);

/** Browsers have nothing of the kind yet. */
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
 * The name of the context that this runs in, as far as that can be known.
 *
 * @param {string} expected
 */
export function contextOr(expected) {
    return storage ? storage.getStore() : expected;
}
