/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { FAMILY_TEXT } from './family-bytes.js';
import { addPart } from './part.js';

/** Adds the module's part for all primitives but mutexes. @param {import('./attachment.js').Attachment} attachment */
export function addFamily(attachment) {
    return addPart(attachment, FAMILY_TEXT);
}
