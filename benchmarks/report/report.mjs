/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CommandError, parse, run } from '../commands.js';
import { Kept } from './kept.js';
import { drawPictures } from './pictures.js';
import { readRun } from './runs.js';
import { figuresOf, missedOf } from './tables.js';

/** In build/, since the figures are of one machine and one day; only the document and the pictures are committed. */
const FILE = 'build/benchmarks.json';

const DOCS = fileURLToPath(new URL('../../docs/', import.meta.url));
const TEXT = new URL('text.md', import.meta.url);

const HELP = `usage: npm run bench:report -- [--out FOLDER] [--keep] [file ...]

Writes docs/benchmarks.md and its pictures in docs/figures/ from what \`npm run bench -- --json FILE\` measured; from
${FILE} by default. Of several files each may have some of the scenarios; of two that have the same one, the first
is shown. With --keep, what the page has of scenarios that no file has stays.`;

/* The document is text.md, with marks where figures belong. A mark is an HTML comment on a line of its own:
 *
 *   <!-- picture NAME --> … <!-- end -->    the picture, and what is said about it; nothing if there is none
 *   <!-- scenario NAME --> … <!-- end -->   a scenario: its heading first; its figures follow
 *   <!-- missed -->                         how many bounds are met, and which are not
 */

const GENERATED = `<!-- Written by \`npm run bench:report\` from benchmarks/report/text.md and from what \`npm run bench\` measured.
     Change those. -->`;

const PICTURE = /^<!-- picture ([\w-]+) -->\n([^]*?)^<!-- end -->\n/gm;
const SCENARIO = /^<!-- scenario ([\w-]+) -->\n([^]*?)^<!-- end -->\n/gm;
const MISSED = /^<!-- missed -->$/m;

/**
 * @param {string} name
 * @param {string} text
 * @param {import('./runs.js').Run[]} runs
 * @param {Kept} kept
 */
function scenarioBlock(name, text, runs, kept) {
    for (const run of runs) {
        const result = run.scenarios.find((scenario) => scenario.name === name);
        if (result !== undefined && result.figures.length > 0) {
            return `${text.trim()}\n\n${figuresOf(run, result)}\n`;
        }
    }
    const [heading = ''] = text.split('\n');
    const figures = kept.figures(heading);
    if (figures !== undefined) {
        return `${text.trim()}\n\n${figures}\n`;
    }
    return `${heading}\n\nNot in this report. \`npm run bench -- ${name}\` measures it.\n`;
}

/**
 * @param {string} template text.md
 * @param {import('./runs.js').Run[]} runs of which the first that has a scenario is shown
 * @param {Map<string, { title: string }>} pictures
 * @param {Kept} kept
 */
function writeDocument(template, runs, pictures, kept) {
    const text = template
        .replace(PICTURE, (_, name, block) => {
            const title = pictures.get(name)?.title ?? kept.pictureTitle(name);
            return title === undefined ? '' : `![${title}](figures/${name}.svg)\n\n${block}`;
        })
        .replace(SCENARIO, (_, name, block) => scenarioBlock(name, block, runs, kept))
        .replace(MISSED, () => missedOf(runs, kept.bounds(measuredIn(template, runs))));
    const unknown = /^<!-- .* -->$/m.exec(text)?.[0];
    if (unknown !== undefined) {
        throw new CommandError(`benchmarks/report/text.md has an unknown or unclosed mark: ${unknown}`);
    }
    return `${GENERATED}\n\n${text.replace(/\n{3,}/g, '\n\n')}`;
}

/**
 * The headings of the scenarios that were measured.
 * @param {string} template
 * @param {import('./runs.js').Run[]} runs
 */
function measuredIn(template, runs) {
    const headings = Array.from(
        template.matchAll(SCENARIO),
        ([, name = '', text = '']) => /** @type {const} */ ([name, text.split('\n')[0] ?? '']),
    );
    const names = new Set(runs.flatMap(({ scenarios }) => scenarios.map(({ name }) => name)));
    return new Map(headings.filter(([name]) => names.has(name)));
}

/** @param {string[]} words */
function report(words) {
    const { values, positionals } = parse(words, {
        out: { type: 'string', default: DOCS },
        keep: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
    });
    if (values.help) {
        console.log(HELP);
        return;
    }
    const runs = (positionals.length > 0 ? positionals : [FILE]).map(readRun);
    const pictures = drawPictures(runs);
    const page = join(values.out, 'benchmarks.md');
    const kept = new Kept(values.keep ? readFileSync(page, 'utf8') : '');
    const document = writeDocument(readFileSync(TEXT, 'utf8'), runs, pictures, kept);
    const figures = join(values.out, 'figures');
    mkdirSync(figures, { recursive: true });
    for (const [name, { svg }] of pictures) {
        writeFileSync(join(figures, `${name}.svg`), svg);
    }
    writeFileSync(page, document);
}

await run('bench:report', report);
