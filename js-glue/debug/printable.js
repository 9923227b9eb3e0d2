/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/** Other programs give names, too. @param {string} text with names of threads and locks in it */
export function printable(text) {
    // Invisible characters: ends of lines, codes of terminals, directions of writing. Made here, since V8 compiles
    // what the text has as such when it parses that: a fourth of a millisecond of each start, for its tables of characters.
    return text.replace(
        new RegExp('[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}]', 'gu'),
        (code) => `\\u{${code.codePointAt(0)?.toString(16)}}`,
    );
}
