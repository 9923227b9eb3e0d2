/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Writes the module as a file with a mark that identifies it, and as JavaScript files, so that an import of holdfast needs no
 * fetch and no bundler's help:
 * node scripts/embed-wasm.mjs build/wasm/shrunk.wasm build/wasm/holds.wasm build/wasm/depths.wasm build/wasm/channel.wasm wasm/holdfast.wasm js-glue/memory <wasm-metadce> <a folder for what is between>
 *
 * Three JavaScript files have a part of the module each, since a page with mutexes alone needs less than half of it. A part is
 * the module without all other functions; the functions that stay are unchanged (tests/verification/module-parts.test.js). A
 * fourth file has the module of gates with holds (c-src/holds.h), a fifth the module of the depths of recursive
 * mutexes (c-src/recursive_mutex.h), a sixth the module of channels (c-src/channel.h), and a seventh the mark of the
 * whole file. */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { alphabetOf, RARE, textOf } from './wasm-text.mjs';

const [
    wasmFile = '',
    holdsFile = '',
    depthsFile = '',
    channelFile = '',
    publishedFile = '',
    outputFolder = '',
    wasmMetadce = '',
    scratchFolder = '',
] = process.argv.slice(2);
if (
    !wasmFile ||
    !holdsFile ||
    !depthsFile ||
    !channelFile ||
    !publishedFile ||
    !outputFolder ||
    !wasmMetadce ||
    !scratchFolder
) {
    throw new Error(
        'Usage: node scripts/embed-wasm.mjs <module.wasm> <holds.wasm> <depths.wasm> <channel.wasm> <published.wasm> <output folder> <wasm-metadce> <scratch folder>',
    );
}

const FEATURES = ['--mvp-features', '--enable-threads', '--enable-bulk-memory'];

/** The functions that every program needs: those of mutexes, of all gates, of threads, and of memory for
 * locks. */
const CORE = /^(mutex|gate|owned|owner|space|agents?)_/;

/** The functions that only programs with a LockSpace of their own call. */
const FREEING = /^space_free$/;

const whole = readFileSync(wasmFile);
const exported = WebAssembly.Module.exports(new WebAssembly.Module(whole)).map(({ name }) => name);

/**
 * @param {string} name of the part
 * @param {(name: string) => boolean} has whether that function stays
 */
function partWith(name, has) {
    const names = exported.filter(has);
    const graphFile = join(scratchFolder, `${name}.json`);
    const partFile = join(scratchFolder, `${name}.wasm`);
    const graph = [
        { name: 'program', root: true, reaches: names },
        ...names.map((each) => ({ name: each, export: each })),
    ];
    writeFileSync(graphFile, JSON.stringify(graph));
    execFileSync(wasmMetadce, [...FEATURES, '--graph-file', graphFile, wasmFile, '-o', partFile]);
    return readFileSync(partFile);
}

/**
 * @param {string} name
 * @param {string} code
 */
function write(name, code) {
    writeFileSync(
        join(outputFolder, `${name}-bytes.js`),
        `/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Generated from the C sources' modules by scripts/embed-wasm.mjs; do not edit. */

${code}`,
    );
}

/** @param {Uint8Array} bytes */
const checksumOf = (bytes) => bytes.reduce((sum, byte) => (Math.imul(sum, 31) + byte) | 0, 0);

/** The mark is a custom section with a name of one letter, since a compiled module gives its sections but not its bytes. */
const mark = checksumOf(whole);
const section = Buffer.from([0, 6, 1, 'v'.charCodeAt(0), 0, 0, 0, 0]);
section.writeInt32LE(mark, 4);
const published = Buffer.concat([whole, section]);
writeFileSync(publishedFile, published);

const core = partWith('core', (name) => CORE.test(name) && !FREEING.test(name));
const freeing = partWith('freeing', (name) => FREEING.test(name));
const family = partWith('family', (name) => !CORE.test(name));
const alphabet = alphabetOf(core);

write(
    'core',
    `/** The character of each byte; ${RARE}: none. */
export const ALPHABET =
    '${alphabet}';

/** The part that every program needs: characters, and ${RARE} before the two hexadecimal digits of a byte that has none. */
export const CORE_TEXT =
    '${textOf(core, alphabet)}';
`,
);
write(
    'freeing',
    `/** The part that gives memory back, written as the other one is. */
export const FREEING_TEXT =
    '${textOf(freeing, alphabet)}';
`,
);
write(
    'family',
    `/** The part for all but mutexes, written as the other one is. */
export const FAMILY_TEXT =
    '${textOf(family, alphabet)}';
`,
);
write(
    'file',
    `/** The identity of holdfast.wasm, for programs that load it as a file. */
export const FILE_BYTES = ${published.length};
export const FILE_CHECKSUM = ${checksumOf(published)};

/** The content of its section \`v\` says. */
export const FILE_MARK = ${mark};
`,
);
write(
    'holds',
    `/** The module of gates with holds, written as the others are. */
export const HOLDS_TEXT =
    '${textOf(readFileSync(holdsFile), alphabet)}';
`,
);
write(
    'depths',
    `/** The module of recursive mutexes' depths, written as the others are. */
export const DEPTHS_TEXT =
    '${textOf(readFileSync(depthsFile), alphabet)}';
`,
);
write(
    'channel',
    `/** The module of channels, written as the others are. */
export const CHANNEL_TEXT =
    '${textOf(readFileSync(channelFile), alphabet)}';
`,
);
