/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

import { MUTEX_ALONE, pageBytes } from '../browsers/page-bytes.js';
import * as holdfast from '../js-glue/index.js';
import { SPACE_GRANULE } from '../js-glue/memory/layout.js';

/* Writes the facts of README, guide and docs/bundlers.md from what was built. With --check, compares instead, and fails
 * if they differ. */

const { LockSpace, Mutex } = holdfast;

const BEGIN = '<!-- facts, written by scripts/readme-facts.mjs -->\n';
const END = '<!-- end of facts -->';

/** @param {string} path from the repository's root */
const at = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));

/** @param {number} count @param {string} [unit] */
const bold = (count, unit = '') => `**${count.toLocaleString('en')}${unit}**`;

/** The runtimes that the table of test results names, and the browsers. */
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
        `${bold(Math.round(gzip / 100) / 10, ' kB')} gzipped for \`Mutex\`, WebAssembly included · ` +
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

/** @param {number} bytes */
const hundreds = (bytes) => (Math.round(bytes / 100) * 100).toLocaleString('en');

/**
 * The bytes that `holdfast/external` saves.
 *
 * @param {readonly string[]} classes that the page uses
 */
async function saved(classes) {
    const { gzip: inlined = NaN } =
        (await pageBytes({ from: './dist/index.js', names: `{ ${classes.join(', ')} }` })) ?? {};
    const { gzip = NaN } =
        (await pageBytes({
            from: './dist/external.js',
            names: `{ ${['loadModule', ...classes].join(', ')} }`,
        })) ?? {};
    return `${hundreds(inlined - gzip)} bytes of script less (${hundreds(gzip)} in place of ${hundreds(inlined)}, gzip)`;
}

async function external() {
    const file = gzipSync(readFileSync(at('wasm/holdfast.wasm'))).length;
    return (
        `A page that uses \`Mutex\` alone loads ${await saved(['Mutex'])}, and one that uses all classes ` +
        `${await saved(Object.keys(holdfast))}. The file itself is ${hundreds(file)} bytes, since it has all parts, and is a request of its own.\n`
    );
}

/**
 * @param {string} path of a document that has places for facts
 * @param {string[]} facts one for each place, in order
 */
function write(path, ...facts) {
    const text = readFileSync(at(path), 'utf8');
    const [head, ...places] = text.split(BEGIN);
    if (places.length !== facts.length) {
        throw new Error(`${path} has ${places.length} places for facts, but there are ${facts.length} facts`);
    }
    const filled = places.map((place, index) => facts[index] + place.slice(place.indexOf(END)));
    const written = [head, ...filled].join(BEGIN);
    if (written === text) {
        return;
    }
    if (process.argv.includes('--check')) {
        console.error(`${path} disagrees with the build: run node scripts/readme-facts.mjs`);
        process.exitCode = 1;
    } else {
        writeFileSync(at(path), written);
    }
}

write('README.md', await headline(), capacity());
write('docs/guide.md', capacity());
write('docs/bundlers.md', await external());
