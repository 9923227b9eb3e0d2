/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/**
 * What kind of object the engine made that, as in `[object SharedArrayBuffer]`. Unlike a class, it can be asked where
 * that has no name (a page that is not isolated has no global SharedArrayBuffer), and of objects of another realm.
 *
 * @param {unknown} value
 * @returns {string}
 */
export function tagOf(value) {
    return Object.prototype.toString.call(value);
}

/**
 * Whether this thread's global object is of such a kind.
 *
 * @param {RegExp} kind
 */
export function isIn(kind) {
    return kind.test(tagOf(globalThis));
}

/**
 * Whether that is a memory, of whatever realm. A proxy may pass for one here, and be none for the engine.
 *
 * @param {unknown} value
 * @returns {value is WebAssembly.Memory}
 */
export function isMemory(value) {
    try {
        return tagOf(value) === '[object WebAssembly.Memory]';
    } catch {
        return false; // a proxy that is revoked
    }
}
