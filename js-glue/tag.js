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
