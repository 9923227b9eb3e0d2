/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/**
 * @typedef {object} Found where an object is
 * @property {import('./attachment.js').Attachment} attachment
 * @property {any} byteOffset
 * @property {any} [shape] its class
 * @property {any} [outer] for the mutex of a key: the class whose methods the program calls
 * @property {object} [space] set by named(), which finds or makes the object in it; the place is not known yet
 * @property {string} [kind] its kind in handles
 * @property {string | undefined} [name] from options or a handle; names in a space are not here
 * @property {boolean} [isNew] whether to zero its bytes first
 * @property {boolean} [isKnown] whether other threads may know the address
 * @property {Found} [next]
 */

/** Describes the lock, for an error. @param {Found} found @returns {import('../errors.js').LockNamed} */
export function lockOf({ attachment, byteOffset, kind, name }) {
    return {
        kind: /** @type {string} */ (kind),
        name: name ?? attachment.names?.nameAt(attachment, byteOffset) ?? '',
        byteOffset,
    };
}
