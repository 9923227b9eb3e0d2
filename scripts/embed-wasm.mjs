/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Writes the module's bytes as a JavaScript file, so that an import of holdfast needs no fetch and no
 * bundler's help: node scripts/embed-wasm.mjs wasm/holdfast.wasm js-glue/wasm-bytes.js
 *
 * They are written so that a page's JavaScript and they are few bytes together after gzip: one character a byte
 * hides no repetition from it, as base64 does, and since it has one code for all of a file, the bytes that are
 * frequent get the characters that are. All are ASCII, for bundlers and servers that know no other. */
import { readFileSync, writeFileSync } from 'node:fs';

const [wasmFile, bytesFile] = process.argv.slice(2);
if (wasmFile === undefined || bytesFile === undefined) {
    throw new Error('Usage: node scripts/embed-wasm.mjs <module.wasm> <bytes.js>');
}

/**
 * Most frequent first, as they were in holdfast's own JavaScript, minified. Without what quotes, escapes, or begins a
 * tag of HTML.
 */
const CHARACTERS =
    'et rsino()a.h=f,clu{}#d;0wp:mybgv&?kA!_OT|Nx1L$E>ISHMFDBWj43U2[]q-PR6CK+85G/Y*z7QZ9JV%X@^';

/** Stands before the two hexadecimal digits of a byte that has no character. */
const RARE = '~';

const bytes = readFileSync(wasmFile);
const counts = new Array(256).fill(0);
for (const byte of bytes) {
    counts[byte] += 1;
}
const byFrequency = [...counts.keys()].sort((one, other) => counts[other] - counts[one]);

/** By byte. */
const alphabet = counts.map((_, byte) => CHARACTERS[byFrequency.indexOf(byte)] ?? RARE);

const text = Array.from(bytes, (byte) =>
    alphabet[byte] === RARE ? RARE + byte.toString(16).padStart(2, '0') : alphabet[byte],
);

writeFileSync(
    bytesFile,
    `/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Generated from wasm/holdfast.wasm by scripts/embed-wasm.mjs, which says why it is written so; do not edit. */

/** The character of each byte; ${RARE}: none. */
export const ALPHABET =
    '${alphabet.join('').replace(/~+$/, '')}';

/** The module: characters, and ${RARE} before the two hexadecimal digits of a byte that has none. */
export const TEXT =
    '${text.join('')}';
`,
);
