/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { FAMILY_TEXT } from './family-bytes.js';
import { instantiate } from './module.js';

/* The part of the module for all but mutexes: a page that has nothing else does not load it. */

/** @typedef {import('./attachment.js').Attachment} Attachment */

/** @type {WeakSet<Attachment>} */
const complete = new WeakSet();

/**
 * Adds the functions of that part to those that the thread has over a memory already.
 *
 * @param {Attachment} attachment
 */
export function addFamily(attachment) {
    if (!complete.has(attachment)) {
        attachment.exports = { ...attachment.exports, ...instantiate(attachment.memory, FAMILY_TEXT) };
        complete.add(attachment);
    }
}
