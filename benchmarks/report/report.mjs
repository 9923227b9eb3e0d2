/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { writeDocument } from './document.js';
import { drawPictures } from './pictures.js';
import { readRun, ReportError } from './runs.js';

/** In build/, since it is of one machine and one day; the document and the pictures are committed. */
const FILE = 'build/benchmarks.json';

const DOCS = fileURLToPath(new URL('../../docs/', import.meta.url));
const TEXT = new URL('text.md', import.meta.url);

const HELP = `usage: npm run bench:report -- [--out FOLDER] [file ...]

Writes docs/benchmarks.md and its pictures in docs/figures/ from what \`npm run bench -- --json FILE\` measured; from
${FILE} by default. Of several files each may have some of the scenarios; of two that have the same one, the first
is shown.`;

/** @param {string[]} words */
function readCommandLine(words) {
    try {
        return parseArgs({
            args: words,
            allowPositionals: true,
            options: { out: { type: 'string', default: DOCS }, help: { type: 'boolean', default: false } },
        });
    } catch (error) {
        throw new ReportError(error instanceof Error ? error.message : String(error));
    }
}

/** @param {string[]} words */
function report(words) {
    const { values, positionals } = readCommandLine(words);
    if (values.help) {
        console.log(HELP);
        return;
    }
    const runs = (positionals.length > 0 ? positionals : [FILE]).map(readRun);
    const pictures = drawPictures(runs);
    const document = writeDocument(readFileSync(TEXT, 'utf8'), runs, pictures);
    const figures = join(values.out, 'figures');
    mkdirSync(figures, { recursive: true });
    for (const [name, { svg }] of pictures) {
        writeFileSync(join(figures, `${name}.svg`), svg);
    }
    writeFileSync(join(values.out, 'benchmarks.md'), document);
}

try {
    report(process.argv.slice(2));
} catch (error) {
    process.stderr.write(
        `bench:report: ${error instanceof ReportError ? error.message : (/** @type {any} */ (error)?.stack ?? error)}\n`,
    );
    process.exit(1);
}
