/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { instantiate } from './module.js';

/** @typedef {import('./attachment.js').Attachment} Attachment */

/** The text of each. @type {WeakMap<Attachment, Set<string>>} */
const parts = new WeakMap();

/**
 * Pages that do not need a part of the module do not load it.
 *
 * @param {Attachment} attachment which gets the functions of that part
 * @param {string} text
 * @returns {Attachment} the same
 */
export function addPart(attachment, text) {
    const own = parts.get(attachment) ?? new Set();
    parts.set(attachment, own);
    if (!own.has(text)) {
        attachment.exports = { ...attachment.exports, ...instantiate(attachment.memory, text) };
        own.add(text);
    }
    return attachment;
}
