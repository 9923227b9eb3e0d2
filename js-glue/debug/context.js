/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Knows the section in which code runs, by async context: in Node from 20.16 on, in Bun and in Deno. Browsers have none
 * yet. */

/** @typedef {import('./call.js').Call} Call */

/**
 * The used part of an AsyncLocalStorage. With Node's own type, users' programs would need Node's types.
 *
 * @typedef {object} Storage
 * @property {<T>(section: Call, callback: () => T) => T} run
 * @property {() => Call | undefined} getStore
 * @property {() => void} disable
 */

/** @type {Storage | undefined} */
let storage;

/** Gets the module without an import, which bundlers for pages would look for. */
export function beginContexts() {
    const { process } = /** @type {any} */ (globalThis);
    const { AsyncLocalStorage } = process?.getBuiltinModule?.('node:async_hooks') ?? {};
    storage = AsyncLocalStorage && new AsyncLocalStorage();
}

/** Clears the section context of running work. */
export function endContexts() {
    storage?.disable();
    storage = undefined;
}

/** True if this thread knows in which section code runs. */
export function hasContexts() {
    return storage !== undefined;
}

/** The section of the running code: its own code, and all that this has started. */
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
