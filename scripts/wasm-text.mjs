/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* The module's bytes as text within JavaScript. A page's JavaScript and they are to be few bytes together after gzip:
 * one character a byte hides no repetition from it, as base64 does, and since it has one code for all of a file, the
 * bytes that are frequent get the characters that are. All are ASCII, for bundlers and servers that know no other. */

/**
 * Those of the most frequent bytes first, in the order that benchmarks/order-characters.mjs found. Without what quotes,
 * escapes, or begins a tag of HTML.
 */
export const CHARACTERS =
    'e,sirS4t) =nEa0:(?hco.u}1f;#Lldg&Nym{wIRb!7OpB]8|v5zA2CkKGX9$PxTW_q-jQ/*+JZV3H@Y6D[%>F^MU';

/** Stands before the two hexadecimal digits of a byte that has no character. */
export const RARE = '~';

/**
 * @param {Uint8Array} bytes
 * @param {string} [characters] those of the most frequent bytes first
 * @returns {{ alphabet: string, text: string }} the character of each byte, or `RARE`; and the bytes, written so
 */
export function wasmTextOf(bytes, characters = CHARACTERS) {
    const counts = new Array(256).fill(0);
    for (const byte of bytes) {
        counts[byte] += 1;
    }
    const byFrequency = [...counts.keys()].sort((one, other) => counts[other] - counts[one]);
    const alphabet = counts.map((_, byte) => characters[byFrequency.indexOf(byte)] ?? RARE);
    const text = Array.from(bytes, (byte) =>
        alphabet[byte] === RARE ? RARE + byte.toString(16).padStart(2, '0') : alphabet[byte],
    );
    return { alphabet: alphabet.join('').replace(/~+$/, ''), text: text.join('') };
}
