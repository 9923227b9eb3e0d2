/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* In which section code runs: what async context says in Node, from 20.16 on, in Bun and in Deno. Browsers have none yet. */

/** @typedef {import('./call.js').Call} Call */

/**
 * What is used of an AsyncLocalStorage. Its own type would make users' programs need those of Node.
 *
 * @typedef {object} Storage
 * @property {<T>(section: Call, callback: () => T) => T} run
 * @property {() => Call | undefined} getStore
 * @property {() => void} disable
 */

/** @type {Storage | undefined} */
let storage;

/** Not by an import, which bundlers for pages would look for. */
export function beginContexts() {
    const { process } = /** @type {any} */ (globalThis);
    const { AsyncLocalStorage } = process?.getBuiltinModule?.('node:async_hooks') ?? {};
    storage = AsyncLocalStorage && new AsyncLocalStorage();
}

/** What has begun runs in no section any more. */
export function endContexts() {
    storage?.disable();
    storage = undefined;
}

/** Whether this thread knows in which section code runs. */
export function hasContexts() {
    return storage !== undefined;
}

/** The section that the running code belongs to: its own code, and whatever that has started. */
export function sectionHere() {
    return storage?.getStore();
}

/**
 * @template T
 * @param {Call} section
 * @param {() => T} callback
 * @returns {T}
 */
export function runIn(section, callback) {
    return storage ? storage.run(section, callback) : callback();
}
