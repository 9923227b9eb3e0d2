/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/**
 * @typedef {object} Found where one is
 * @property {import('./attachment.js').Attachment} attachment
 * @property {any} byteOffset
 * @property {any} [shape] its class
 * @property {string} [kind] what handles say of it
 * @property {boolean} [isThere] whether an object exists there already
 * @property {boolean} [isNew] whether to write zeros there first
 * @property {boolean} [isKnown] whether other threads may know the address
 * @property {Found} [next]
 */

/** For errors. @param {Found} found @returns {import('../errors.js').LockNamed} */
export function lockOf({ attachment, byteOffset, kind }) {
    return {
        kind: /** @type {string} */ (kind),
        name: attachment.names?.nameAt(attachment, byteOffset) ?? '',
        byteOffset,
    };
}
