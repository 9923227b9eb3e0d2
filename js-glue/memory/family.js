/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { FAMILY_TEXT } from './family-bytes.js';
import { instantiate } from './module.js';

/* The module's part for all but mutexes: a page that uses mutexes only does not load it. */

/** @typedef {import('./attachment.js').Attachment} Attachment */

/** @type {WeakSet<Attachment>} */
const complete = new WeakSet();

/** @param {Attachment} attachment which gets the functions of that part */
export function addFamily(attachment) {
    if (!complete.has(attachment)) {
        attachment.exports = { ...attachment.exports, ...instantiate(attachment.memory, FAMILY_TEXT) };
        complete.add(attachment);
    }
}
