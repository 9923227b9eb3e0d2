/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { MUTEX } from '../js-glue/layout.js';

/* Writes the README's facts from what was built. With --check, compares instead, and fails if they differ. */

const BEGIN = '<!-- facts, written by scripts/readme-facts.mjs -->\n';
const END = '<!-- end of facts -->';

/** @param {string} path from the repository's root */
const at = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));

function facts() {
    const { size } = statSync(at('wasm/holdfast.wasm'));
    const { dependencies = {} } = JSON.parse(readFileSync(at('package.json'), 'utf8'));
    return (
        `**${size.toLocaleString('en')}** bytes of WebAssembly, inlined · **${MUTEX.BYTES}** bytes a mutex · ` +
        `**${Object.keys(dependencies).length}** dependencies · tested in Node 20 and Chromium\n`
    );
}

const readme = readFileSync(at('README.md'), 'utf8');
const begin = readme.indexOf(BEGIN) + BEGIN.length;
const end = readme.indexOf(END);
const written = readme.slice(0, begin) + facts() + readme.slice(end);
if (written !== readme) {
    if (process.argv.includes('--check')) {
        console.error('The README states other facts than the build: run node scripts/readme-facts.mjs');
        process.exitCode = 1;
    } else {
        writeFileSync(at('README.md'), written);
    }
}
