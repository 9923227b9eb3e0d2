/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Writes the module's bytes as a JavaScript file, so that an import of holdfast needs no fetch and no
 * bundler's help: node scripts/embed-wasm.mjs wasm/holdfast.wasm js-glue/wasm-bytes.js */
import { readFileSync, writeFileSync } from 'node:fs';

const [wasmFile, bytesFile] = process.argv.slice(2);
if (wasmFile === undefined || bytesFile === undefined) {
    throw new Error('Usage: node scripts/embed-wasm.mjs <module.wasm> <bytes.js>');
}

writeFileSync(
    bytesFile,
    `/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Generated from wasm/holdfast.wasm by scripts/embed-wasm.mjs; do not edit. */

/**
 * Two hexadecimal digits a byte. Base64 is shorter, but hides the bytes from gzip, which makes it longer on the way.
 *
 * @type {string}
 */
export const wasmHex =
    '${readFileSync(wasmFile).toString('hex')}';
`,
);
