/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CommandError, run } from '../commands.js';
import { drawPictures } from './pictures.js';
import { figuresOf, missedOf } from './tables.js';

/** In build/, since the figures are of one machine and one day; only the document and the pictures are committed. */
const FILE = 'build/benchmarks.json';

const DOCS = fileURLToPath(new URL('../../docs/', import.meta.url));
const PAGE = 'benchmarks.md';

const HELP = `usage: npm run bench:report -- [--out FOLDER] [--keep] [file ...]

Writes the figures of docs/benchmarks.md and its pictures in docs/figures/ from what \`npm run bench -- --json FILE\`
measured; from ${FILE} by default. Of several files each may have some of the scenarios; of two that have the
same one, the first is shown. With --keep, what the page has of scenarios that no file has stays.`;

/* The page is its own template. What stands between these marks is written here:
 *
 *   <!-- picture NAME --> … <!-- end -->    a picture
 *   <!-- scenario NAME --> … <!-- end -->   the figures of a scenario
 *   <!-- bounds --> … <!-- end -->          how many bounds are met, and which are not
 */
const MARKED = /^(<!-- (picture|scenario|bounds) ?([\w-]*) -->)\n([^]*?)^<!-- end -->$/gm;

/** @param {string} file @returns {import('../words.js').Run} @throws {CommandError} */
function readRun(file) {
    try {
        // In this JSON null always means NaN.
        return JSON.parse(readFileSync(file, 'utf8'), (_, value) => (value === null ? NaN : value));
    } catch (error) {
        throw new CommandError(`${file}: ${error}; npm run bench -- --json ${file} writes it`);
    }
}

/**
 * @param {string} page @param {import('../words.js').Run[]} runs of which the first that has a scenario is shown
 * @param {Map<string, { title: string }>} pictures @param {boolean} keeps what no run has
 */
function rewrite(page, runs, pictures, keeps) {
    const figures = new Map(
        runs
            .toReversed()
            .flatMap((run) =>
                run.scenarios
                    .filter((result) => result.figures.length > 0)
                    .map((result) => /** @type {const} */ ([result.name, figuresOf(run, result)])),
            ),
    );
    const replaced = new Map(
        Array.from(page.matchAll(MARKED))
            .filter(([, , kind, name = '']) => kind === 'scenario' && figures.has(name))
            .map(([, , , name = '', text = '']) => [name, keeps ? text : '']),
    );
    return page.replace(MARKED, (_, mark, kind, name, before) => {
        const kept = keeps ? before.trim() : '';
        const picture = pictures.get(name);
        const text = {
            picture: picture ? `![${picture.title}](figures/${name}.svg)` : kept,
            scenario:
                figures.get(name) ??
                (kept || `Not in this report. \`npm run bench -- ${name}\` measures it.`),
            bounds: missedOf(runs, kept, replaced),
        }[/** @type {'picture' | 'scenario' | 'bounds'} */ (kind)];
        return `${mark}\n\n${text}\n\n<!-- end -->`;
    });
}

const OPTIONS = /** @type {const} */ ({
    out: { type: 'string', default: DOCS },
    keep: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
});

await run('bench:report', OPTIONS, ({ values, positionals }) => {
    if (values.help) {
        console.log(HELP);
        return;
    }
    const runs = (positionals.length > 0 ? positionals : [FILE]).map(readRun);
    const pictures = drawPictures(runs);
    const page = readFileSync(join(values.keep ? values.out : DOCS, PAGE), 'utf8');
    const figures = join(values.out, 'figures');
    mkdirSync(figures, { recursive: true });
    for (const [name, { svg }] of pictures) {
        writeFileSync(join(figures, `${name}.svg`), svg);
    }
    writeFileSync(join(values.out, PAGE), rewrite(page, runs, pictures, values.keep));
});
