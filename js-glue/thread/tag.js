/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/**
 * The engine's name for a value's kind, such as `[object SharedArrayBuffer]`. It works for objects of other realms,
 * and on pages that are not isolated, where that class has no global name.
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

/** True for a memory of any realm. @param {unknown} value @returns {value is WebAssembly.Memory} */
export function isMemory(value) {
    return tagOf(value) === '[object WebAssembly.Memory]';
}
