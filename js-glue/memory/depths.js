/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { DEPTHS_TEXT } from './depths-bytes.js';
import { addPart } from './part.js';

/**
 * The module of recursive mutexes' depths (c-src/recursive_exports.c).
 * @typedef {object} DepthExports
 * @property {(address: number, self: number) => number} recursive_mutex_again
 * @property {(address: number) => void} recursive_mutex_begin
 * @property {(address: number, self: number) => number} recursive_mutex_depth
 * @property {(address: number, self: number) => number} recursive_mutex_surface
 */

/** @param {import('./attachment.js').Attachment} attachment */
export function addDepths(attachment) {
    return addPart(attachment, DEPTHS_TEXT);
}
