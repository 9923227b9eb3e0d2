/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { SPACE_GRANULE } from '../memory/layout.js';

/* The places of keys in memory: for the table (table.js), and for `inspect()`, which reads without a lock. */

/** Among 30,000 keys a lookup reads about 60 entries; the stripes take 6 KiB. */
export const STRIPES = 256;

/* Byte offsets and sizes, behind the 16 bytes of a mutex. Literals, since bundlers keep sums that nothing
 * uses. */

/* Offsets in a stripe. */
export const FIRST = 16;
export const STRIPE_BYTES = 24;

/* Offsets in an entry. */
export const NEXT = 36;
export const LENGTH = 44;
export const TEXT = 48;

/** @param {number} at @param {number} end */
function isBlock(at, end) {
    return at > 0 && at <= end && at % SPACE_GRANULE === 0;
}

/** @param {Int32Array} words @param {number} at */
export function read(words, at) {
    return words[at >> 2] ?? 0; // not Atomics, which take twenty times as long: the stripe's mutex orders the accesses
}

/**
 * @param {Int32Array} words
 * @param {number} link the byte offset of the first address
 * @param {number} next the offset, in each entry, of the next address
 * @param {(at: number) => boolean} isIt
 * @returns {number} the first address for which `isIt` is true; 0: none, or the words are not addresses
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
 * @returns {string} the key; while another thread adds or removes it, perhaps another text
 */
export function keyAt({ words, memory }, at) {
    const begin = (at + TEXT) / 2;
    const units = new Uint16Array(memory.buffer).subarray(begin, begin + read(words, at + LENGTH));
    return Array.from(units, (unit) => String.fromCharCode(unit)).join('');
}
