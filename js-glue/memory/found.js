/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/**
 * @typedef {object} Found where one is
 * @property {import('./attachment.js').Attachment} attachment
 * @property {any} byteOffset
 * @property {any} [shape] its class
 * @property {object} [space] in which named() makes one, and then the rest is not known yet
 * @property {string} [kind] what handles say of it
 * @property {string | undefined} [name] that options or a handle gave it; others are in its space
 * @property {boolean} [isNew] whether to write zeros there first
 * @property {boolean} [isKnown] whether other threads may know the address
 * @property {Found} [next]
 */

/** For errors. @param {Found} found @returns {import('../errors.js').LockNamed} */
export function lockOf({ attachment, byteOffset, kind, name }) {
    return {
        kind: /** @type {string} */ (kind),
        name: name ?? attachment.names?.nameAt(attachment, byteOffset) ?? '',
        byteOffset,
    };
}
