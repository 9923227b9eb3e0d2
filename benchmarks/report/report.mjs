/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { writeDocument, writeTables } from './document.js';
import { drawPictures, PICTURES } from './pictures.js';
import { readRun, ReportError } from './runs.js';

/** In build/, since they are of one machine and one day; the document and the pictures are committed. */
const FILE = 'build/benchmarks.json';
const TABLES = 'build/benchmark-tables.md';

const DOCS = fileURLToPath(new URL('../../docs/', import.meta.url));
const TEXT = new URL('text.md', import.meta.url);
const SCENARIOS = new URL('scenarios.md', import.meta.url);

const HELP = `usage: npm run bench:report -- [--out FOLDER] [--tables FILE] [file ...]

Writes docs/benchmarks.md, the pictures in docs/figures/, and the tables of all scenarios in
${TABLES} from what \`npm run bench -- --json FILE\` measured; from ${FILE} by
default. Of several files each may have some of the scenarios. If two have the same one, both are in its section
of the tables, and the document and its pictures show the first.`;

/** @param {string[]} words */
function readCommandLine(words) {
    try {
        return parseArgs({
            args: words,
            allowPositionals: true,
            options: {
                out: { type: 'string', default: DOCS },
                tables: { type: 'string', default: TABLES },
                help: { type: 'boolean', default: false },
            },
        });
    } catch (error) {
        throw new ReportError(error instanceof Error ? error.message : String(error));
    }
}

/** @param {string[]} words */
async function report(words) {
    const { values, positionals } = readCommandLine(words);
    if (values.help) {
        console.log(HELP);
        return;
    }
    const runs = (positionals.length > 0 ? positionals : [FILE]).map(readRun);
    const pictures = await drawPictures(runs);
    const scenarios = readFileSync(SCENARIOS, 'utf8');
    const tables = writeTables(scenarios, { runs, pictures });
    const document = writeDocument(readFileSync(TEXT, 'utf8'), scenarios, { runs, pictures });

    const figures = join(values.out, 'figures');
    mkdirSync(figures, { recursive: true });
    for (const name of PICTURES) {
        const file = join(figures, `${name}.svg`);
        const picture = pictures.get(name);
        if (picture === undefined) {
            // Of an earlier report, and the document does not show it any more.
            rmSync(file, { force: true });
        } else {
            writeFileSync(file, picture.svg);
        }
    }
    writeFileSync(join(values.out, 'benchmarks.md'), document);
    mkdirSync(dirname(values.tables), { recursive: true });
    writeFileSync(values.tables, tables);
}

try {
    await report(process.argv.slice(2));
} catch (error) {
    process.stderr.write(
        `bench:report: ${error instanceof ReportError ? error.message : (/** @type {any} */ (error)?.stack ?? error)}\n`,
    );
    process.exit(1);
}
