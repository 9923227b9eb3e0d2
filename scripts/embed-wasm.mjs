/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Writes the module's bytes as a JavaScript file, so that an import of holdfast needs no fetch and no
 * bundler's help: node scripts/embed-wasm.mjs wasm/holdfast.wasm js-glue/memory/wasm-bytes.js */
import { readFileSync, writeFileSync } from 'node:fs';
import { RARE, wasmTextOf } from './wasm-text.mjs';

const [wasmFile, bytesFile] = process.argv.slice(2);
if (wasmFile === undefined || bytesFile === undefined) {
    throw new Error('Usage: node scripts/embed-wasm.mjs <module.wasm> <bytes.js>');
}

const { alphabet, text } = wasmTextOf(readFileSync(wasmFile));

writeFileSync(
    bytesFile,
    `/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Generated from wasm/holdfast.wasm by scripts/embed-wasm.mjs; scripts/wasm-text.mjs says why it is written so. Do not
 * edit. */

/** The character of each byte; ${RARE}: none. */
export const ALPHABET =
    '${alphabet}';

/** The module: characters, and ${RARE} before the two hexadecimal digits of a byte that has none. */
export const TEXT =
    '${text}';
`,
);
