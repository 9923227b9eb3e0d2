/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { MUTEX_ALONE, pageBytes } from '../benchmarks/scenarios/page-bytes.js';
import { LockSpace, Mutex } from '../js-glue/index.js';
import { SPACE_GRANULE } from '../js-glue/memory/layout.js';

/* Writes the facts of the README and of the guide from what was built. With --check, compares instead, and fails
 * if they differ. */

const BEGIN = '<!-- facts, written by scripts/readme-facts.mjs -->\n';
const END = '<!-- end of facts -->';

/** @param {string} path from the repository's root */
const at = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));

/** @param {number} count @param {string} [unit] */
const bold = (count, unit = '') => `**${count.toLocaleString('en')}${unit}**`;

/** The runtimes, as the table of what came of the tests in them names them, and the browsers. */
function testedIn() {
    const [, row] = /^\| file \| (.*) \|$/m.exec(readFileSync(at('docs/runtimes.md'), 'utf8')) ?? [];
    if (row === undefined) {
        throw new Error('docs/runtimes.md has no table of runtimes: npm run test:runtimes -- --write');
    }
    const names = row.replaceAll(' | ', ', ').replaceAll(', Node ', ', ');
    return `${names}, Chromium, Firefox and WebKit`;
}

async function headline() {
    const { gzip = NaN } = (await pageBytes(MUTEX_ALONE)) ?? {};
    const { dependencies = {} } = JSON.parse(readFileSync(at('package.json'), 'utf8'));
    return (
        `${bold(Math.round(gzip / 1000), ' kB')} gzipped for \`Mutex\`, WebAssembly included · ` +
        `${bold(Mutex.BYTES)} bytes of memory a mutex · ${bold(Object.keys(dependencies).length)} dependencies · ` +
        `tested in ${testedIn()}\n`
    );
}

/** @returns {number} how many mutexes a space of one page holds */
function mutexesInAPage() {
    const space = new LockSpace({ pages: 1 });
    for (let made = 0; ; made += 1) {
        try {
            new Mutex({ space });
        } catch {
            return made;
        }
    }
}

function capacity() {
    return `A space of one page (64 KiB) has room for ${bold(mutexesInAPage())} mutexes. Each block takes a multiple of ${bold(SPACE_GRANULE)} bytes.\n`;
}

/**
 * @param {string} path of a document that has a place for facts
 * @param {string} facts
 */
function write(path, facts) {
    const text = readFileSync(at(path), 'utf8');
    const begin = text.indexOf(BEGIN) + BEGIN.length;
    const written = text.slice(0, begin) + facts + text.slice(text.indexOf(END));
    if (written === text) {
        return;
    }
    if (process.argv.includes('--check')) {
        console.error(`${path} states other facts than the build: run node scripts/readme-facts.mjs`);
        process.exitCode = 1;
    } else {
        writeFileSync(at(path), written);
    }
}

write('README.md', await headline());
write('docs/guide.md', capacity());
