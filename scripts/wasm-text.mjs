/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Writes a module's bytes as text within JavaScript: one character per byte, since base64 would hide repetitions from gzip. All
 * characters are ASCII, for bundlers and servers that know no other. */

/**
 * The characters that are frequent in minified code come first. They encode the module's frequent bytes,
 * since gzip has one code for the whole file. None of them is a quote or a backslash, or begins an HTML tag.
 */
const CHARACTERS = 'tersin o().,=ahucl{}:fd#;wmpy&0gv?b!kATO_1x|E>LIFHNSMqDB[]UjWCPR-3426YK+8/GzV5XJQ*Z%97@^';

/** Stands before the two hexadecimal digits of a byte that has no character. */
export const RARE = '~';

/**
 * @param {Uint8Array} bytes
 * @returns {string} the character of each byte, or `RARE`: the most frequent bytes have one
 */
export function alphabetOf(bytes) {
    const counts = new Array(256).fill(0);
    for (const byte of bytes) {
        counts[byte] += 1;
    }
    const byFrequency = [...counts.keys()].sort((one, other) => counts[other] - counts[one]);
    return counts
        .map((_, byte) => CHARACTERS[byFrequency.indexOf(byte)] ?? RARE)
        .join('')
        .replace(/~+$/, '');
}

/**
 * @param {Uint8Array} bytes
 * @param {string} alphabet
 */
export function textOf(bytes, alphabet) {
    return Array.from(bytes, (byte) => {
        const character = alphabet[byte] ?? RARE;
        return character === RARE ? RARE + byte.toString(16).padStart(2, '0') : character;
    }).join('');
}
