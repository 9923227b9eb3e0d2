/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { SPACE_GRANULE } from '../memory/layout.js';

/* The places of a table's keys: for the table (table.js), and for `inspect()`, which looks without a lock. */

/** Among 30,000 keys a lookup reads about 60 entries; the stripes take 6 KiB. */
export const STRIPES = 256;

/* Byte offsets and sizes, behind the 16 bytes of a mutex. They are numbers, since bundlers keep sums that nothing uses. */

/* In a stripe. */
export const FIRST = 16;
export const STRIPE_BYTES = 24;

/* In an entry. */
export const NEXT = 36;
export const LENGTH = 44;
export const TEXT = 48;

/** @param {number} at @param {number} end */
function isBlock(at, end) {
    return at > 0 && at <= end && at % SPACE_GRANULE === 0;
}

/** @param {Int32Array} words @param {number} at */
export function read(words, at) {
    return words[at >> 2] ?? 0; // twenty times faster than Atomics, and the stripe's mutex orders it
}

/**
 * @param {Int32Array} words
 * @param {number} link the byte offset of the first address
 * @param {number} next where in each the next address is
 * @param {(at: number) => boolean} isIt
 * @returns {number} the first such address; 0: none, or words that are no addresses
 */
export function seek(words, link, next, isIt) {
    const end = words.byteLength - next - 4;
    let at = read(words, link);
    for (let most = end / SPACE_GRANULE; isBlock(at, end) && most > 0; most -= 1) {
        if (isIt(at)) {
            return at;
        }
        at = read(words, at + next);
    }
    return 0;
}

/**
 * The keys of a table as they are now, without a lock.
 *
 * @param {import('../memory/attachment.js').Attachment} attachment
 * @param {number} byteOffset of the table
 * @returns {number[]} the byte offsets of their mutexes
 */
export function keysAt({ words }, byteOffset) {
    /** @type {number[]} */
    const keys = [];
    for (let stripe = 0; stripe < STRIPES * STRIPE_BYTES; stripe += STRIPE_BYTES) {
        seek(words, byteOffset + stripe + FIRST, NEXT, (at) => keys.push(at) === 0);
    }
    return keys;
}

/**
 * @param {import('../memory/attachment.js').Attachment} attachment
 * @param {number} at the byte offset of a key's mutex
 * @returns {string} the key; of one that comes or goes meanwhile it may be another text
 */
export function keyAt({ words, memory }, at) {
    const begin = (at + TEXT) / 2;
    const units = new Uint16Array(memory.buffer).subarray(begin, begin + read(words, at + LENGTH));
    return Array.from(units, (unit) => String.fromCharCode(unit)).join('');
}
