/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { AT_MASK } from '../memory/layout.js';
import { kindAt, nameAt } from '../memory/names.js';
import { foundFor } from '../memory/placed.js';
import { offsetOfPlace } from '../memory/slot.js';
import { environment } from '../thread/environment.js';
import { nameOfThread } from '../thread/name.js';

/* Locks, times and names in words. */

/** @typedef {import('../errors.js').LockNamed} LockNamed */

/**
 * @param {import('../memory/attachment.js').Attachment} attachment
 * @param {number} place that a slot shows
 * @returns {LockNamed} its name is that in its space, or that of this thread's object which has waited for it, or holds it
 */
export function lockAt(attachment, place) {
    const byteOffset = offsetOfPlace(place);
    const [queue] = attachment.queues.get(byteOffset)?.values() ?? [];
    const name = queue?.gate.found.name ?? nameAt(attachment, byteOffset);
    return { kind: kindAt(place & AT_MASK), name, byteOffset };
}

/** @param {import('../memory/placed.js').Placed<any>} lock @returns {LockNamed} */
export function lockNamed(lock) {
    const { attachment, byteOffset, name } = foundFor(lock);
    const { KIND: kind } = /** @type {typeof import('../memory/placed.js').Placed} */ (lock.constructor);
    return { kind, name: name ?? nameAt(attachment, byteOffset), byteOffset };
}

/** Its name, or else its class and its place. @param {LockNamed} lock */
export function nameOrPlace({ kind, name, byteOffset }) {
    return name || `${kind} at ${byteOffset}`;
}

/** @param {LockNamed} lock */
export function titleOf({ kind, name, byteOffset }) {
    return name === '' ? `${kind} at ${byteOffset}` : `${kind} '${printable(name)}'`;
}

/** Other programs give names, too. @param {string} text with names of threads and locks in it */
export function printable(text) {
    // Invisible characters: ends of lines, codes of terminals, directions of writing. Made here, since V8 compiles
    // what the text has as such when it parses that: a fourth of a millisecond of each start, for its tables of characters.
    return text.replace(
        new RegExp('[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}]', 'gu'),
        (code) => `\\u{${code.codePointAt(0)?.toString(16)}}`,
    );
}

/** @param {number} milliseconds */
export function seconds(milliseconds) {
    return `${(milliseconds / 1000).toFixed(1)} s`;
}

/** @param {number} time as `environment.now()` tells it @returns {number} as `Date.now()` does */
export function dateOf(time) {
    return environment.date() - (environment.now() - time);
}

/** This thread's name. */
export function thisThread() {
    return nameOfThread() || 'a thread';
}
