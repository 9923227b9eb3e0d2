/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { ReportError } from './runs.js';
import { boundsOf, figuresOf, missedOf } from './tables.js';

/* A document is a text that people write, with marks where figures belong. A mark is an HTML comment on a line of
 * its own:
 *
 *   <!-- picture NAME --> … <!-- end -->    the picture, and what is said about it; nothing if there is none
 *   <!-- scenario NAME --> … <!-- end -->   a scenario: its heading first, and <!-- figures --> for its tables
 *   <!-- bounds of NAME -->                 the same scenario as far as its figures, those of its first run that have bounds
 *   <!-- missed -->                         how many bounds are met, and which are not
 */

const GENERATED = `<!-- Written by \`npm run bench:report\` from benchmarks/report/*.md and from what \`npm run bench\` measured.
     Change those. -->`;

const PICTURE = /^<!-- picture ([\w-]+) -->\n([^]*?)^<!-- end -->\n/gm;
const SCENARIO = /^<!-- scenario ([\w-]+) -->\n([^]*?)^<!-- end -->\n/gm;
const BOUNDS = /^<!-- bounds of ([\w-]+) -->$/gm;
const FIGURES = /^<!-- figures -->$/m;
const MISSED = /^<!-- missed -->$/m;

/**
 * @typedef {object} Parts
 * @property {import('./runs.js').Run[]} runs
 * @property {Map<string, { title: string }>} pictures
 *
 * @typedef {{ run: import('./runs.js').Run, result: import('../terminal.js').Result }} Measured
 */

/**
 * @param {string} name
 * @param {string} text
 * @param {Parts} parts
 */
function pictureBlock(name, text, { pictures }) {
    const picture = pictures.get(name);
    return picture === undefined ? '' : `![${picture.title}](figures/${name}.svg)\n\n${text.trim()}\n`;
}

/**
 * @param {string} name of a scenario
 * @param {string} text
 * @param {import('./runs.js').Run[]} runs
 * @param {(measured: Measured[]) => string} tables
 */
function scenarioBlock(name, text, runs, tables) {
    const measured = runs.flatMap((run) =>
        run.scenarios
            .filter((result) => result.name === name && result.figures.length > 0)
            .map((result) => ({ run, result })),
    );
    if (!FIGURES.test(text)) {
        throw new ReportError(`the text of the scenario ${name} does not say where its figures belong`);
    }
    const [heading = ''] = text.trim().split('\n');
    return measured.length === 0
        ? `${heading}\n\nNot in this report. \`npm run bench -- ${name}\` measures it.\n`
        : `${text.trim().replace(FIGURES, () => tables(measured))}\n`;
}

/** @param {Measured[]} measured */
function allTables(measured) {
    return measured.map(({ run, result }) => figuresOf(run, result)).join('\n\n');
}

/** @param {Measured[]} measured */
function firstBounds([first]) {
    return first === undefined ? '' : boundsOf(first.run, first.result);
}

/** @param {string} text @param {string} file */
function finish(text, file) {
    const unknown = /^<!-- .* -->$/m.exec(text)?.[0];
    if (unknown !== undefined) {
        throw new ReportError(
            `benchmarks/report/${file} has a mark that is not known, or not ended: ${unknown}`,
        );
    }
    return `${GENERATED}\n\n${text.replace(/\n{3,}/g, '\n\n')}`;
}

/**
 * The document with all figures.
 *
 * @param {string} template scenarios.md
 * @param {Parts} parts
 */
export function writeTables(template, { runs }) {
    const told = new Set([...template.matchAll(SCENARIO)].map(([, name]) => name));
    const untold = runs.flatMap(({ scenarios }) => scenarios).find(({ name }) => !told.has(name));
    if (untold !== undefined) {
        throw new ReportError(
            `benchmarks/report/scenarios.md says nothing about the scenario ${untold.name}`,
        );
    }
    return finish(
        template.replace(SCENARIO, (_, name, block) => scenarioBlock(name, block, runs, allTables)),
        'scenarios.md',
    );
}

/**
 * The document that is committed.
 *
 * @param {string} template text.md
 * @param {string} scenarios scenarios.md
 * @param {Parts} parts
 */
export function writeDocument(template, scenarios, parts) {
    const told = new Set([...template.matchAll(PICTURE)].map(([, name]) => name));
    const untold = [...parts.pictures.keys()].find((name) => !told.has(name));
    if (untold !== undefined) {
        throw new ReportError(`benchmarks/report/text.md says nothing about the picture ${untold}`);
    }
    const blocks = new Map(
        [...scenarios.matchAll(SCENARIO)].map(([, name = '', block = '']) => [
            name,
            block.replace(/(?<=^<!-- figures -->\n)[^]*/m, ''),
        ]),
    );
    return finish(
        template
            .replace(PICTURE, (_, name, block) => pictureBlock(name, block, parts))
            .replace(BOUNDS, (_, name) =>
                scenarioBlock(name, `#${blocks.get(name) ?? ''}`, parts.runs, firstBounds),
            )
            .replace(MISSED, () => missedOf(parts.runs)),
        'text.md',
    );
}
