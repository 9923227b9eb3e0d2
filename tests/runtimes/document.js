/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { readFileSync, writeFileSync } from 'node:fs';
import { EXCEPTIONS } from './exceptions.js';
import { tableOfFiles } from './table.js';

/* docs/runtimes.md: the prose is written by hand; the table and the exceptions are written here, between two
 * marks. */

const DOCUMENT = new URL('../../docs/runtimes.md', import.meta.url);
const BEGIN = '<!-- written by npm run test:runtimes -- --write -->\n';
const END = '<!-- end -->';

/** @typedef {import('./runtimes.js').Runtime} Runtime */
/** @typedef {import('./results.js').Row} Row */

/** @param {Row[]} rows @param {Runtime[]} runtimes */
function exceptionsIn(rows, runtimes) {
    return EXCEPTIONS.map(({ name, runtime, words }) => {
        const at = runtimes.findIndex(({ word }) => word === runtime);
        const files = rows.filter(({ verdicts }) => verdicts[at]?.words === name).map(({ file }) => file);
        const tests = [...new Set(files)].map(
            (one) => `- \`${one}\`: ${files.filter((file) => file === one).length}\n`,
        );
        return `### ${name}\n\n${words} Excepted tests:\n\n${tests.join('')}`;
    }).join('\n');
}

/** @param {Row[]} rows @param {Runtime[]} runtimes */
export function writeDocument(rows, runtimes) {
    const text = readFileSync(DOCUMENT, 'utf8');
    const begin = text.indexOf(BEGIN) + BEGIN.length;
    const written = `\n${tableOfFiles(rows, runtimes)}\n## Exceptions\n\n${exceptionsIn(rows, runtimes)}\n`;
    writeFileSync(DOCUMENT, text.slice(0, begin) + written + text.slice(text.indexOf(END)));
}
