/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/**
 * What the engine made, as in `[object SharedArrayBuffer]`: for other realms, and for pages that are not isolated,
 * where that class has no name.
 *
 * @param {unknown} value
 * @returns {string}
 */
export function tagOf(value) {
    return Object.prototype.toString.call(value);
}

/** @param {RegExp} kind of this thread's global object */
export function isIn(kind) {
    return kind.test(tagOf(globalThis));
}

/**
 * A memory of any realm. A proxy may pass here, and is none to the engine.
 *
 * @param {unknown} value
 * @returns {value is WebAssembly.Memory}
 */
export function isMemory(value) {
    try {
        return tagOf(value) === '[object WebAssembly.Memory]';
    } catch {
        return false; // a revoked proxy
    }
}
