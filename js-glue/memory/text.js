/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { ALPHABET } from './core-bytes.js';

/** Precedes the two hexadecimal digits of a byte that has no character: ~ */
const RARE = 126;

/** @param {string} text of a part of the module, as the build writes it @returns {Uint8Array} */
export function bytesOf(text) {
    // Loops and a table: a starting program runs this once, before it is compiled for speed.
    const byteOf = new Uint8Array(128);
    for (let byte = 0; byte < ALPHABET.length; byte += 1) {
        byteOf[ALPHABET.charCodeAt(byte)] = byte;
    }
    const bytes = new Uint8Array(text.length);
    let count = 0;
    for (let at = 0; at < text.length; at += 1) {
        const code = text.charCodeAt(at);
        if (code === RARE) {
            bytes[count] = parseInt(text.slice(at + 1, at + 3), 16);
            at += 2;
        } else {
            bytes[count] = /** @type {number} */ (byteOf[code]);
        }
        count += 1;
    }
    return bytes.subarray(0, count);
}
