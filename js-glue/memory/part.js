/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { instantiate } from './module.js';

/** @typedef {import('./attachment.js').Attachment} Attachment */

/** The texts of the parts that each attachment has. @type {WeakMap<Attachment, Set<string>>} */
const parts = new WeakMap();

/**
 * Adds the functions of a part of the module, which only pages that need it load.
 * @param {Attachment} attachment to add them to
 * @param {string} text
 * @returns {Attachment} the given one
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
