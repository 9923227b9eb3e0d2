/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { ReportError } from './runs.js';
import { figuresOf, missedOf } from './tables.js';

/* The document is a text that people write, with marks where figures belong. A mark is an HTML comment on a line of
 * its own:
 *
 *   <!-- picture NAME --> … <!-- end -->    the picture, and what is said about it; nothing if there is none
 *   <!-- scenario NAME --> … <!-- end -->   a scenario: its heading first, and <!-- figures --> for its tables
 *   <!-- missed -->                         how many bounds are met, and which are not
 */

const GENERATED = `<!-- Written by \`npm run bench:report\` from benchmarks/report/text.md and from what \`npm run bench\` measured.
     Change those. -->`;

const BLOCK = /^<!-- (picture|scenario) ([\w-]+) -->\n([^]*?)^<!-- end -->\n/gm;
const FIGURES = /^<!-- figures -->$/m;
const MISSED = /^<!-- missed -->$/m;

/**
 * @typedef {object} Parts
 * @property {import('./runs.js').Run[]} runs
 * @property {Map<string, { title: string }>} pictures
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
 * @param {string} name
 * @param {string} text
 * @param {Parts} parts
 */
function scenarioBlock(name, text, { runs }) {
    const measured = runs.flatMap((run) =>
        run.scenarios
            .filter((result) => result.name === name && result.figures.length > 0)
            .map((result) => figuresOf(run, result)),
    );
    if (!FIGURES.test(text)) {
        throw new ReportError(`the text of the scenario ${name} does not say where its figures belong`);
    }
    const [heading = ''] = text.trim().split('\n');
    return measured.length === 0
        ? `${heading}\n\nNot in this report. \`npm run bench -- ${name}\` measures it.\n`
        : `${text.trim().replace(FIGURES, () => measured.join('\n\n'))}\n`;
}

/**
 * @param {string} template
 * @param {Parts} parts
 */
export function writeDocument(template, parts) {
    const told = new Set([...template.matchAll(BLOCK)].map(([, kind, name]) => `${kind} ${name}`));
    const scenarios = parts.runs.flatMap((run) => run.scenarios.map(({ name }) => name));
    const untold = [
        ...scenarios.map((name) => `scenario ${name}`),
        ...[...parts.pictures.keys()].map((name) => `picture ${name}`),
    ].find((block) => !told.has(block));
    if (untold !== undefined) {
        throw new ReportError(`benchmarks/report/text.md says nothing about the ${untold}`);
    }
    const text = template
        .replace(BLOCK, (_, kind, name, block) =>
            kind === 'picture' ? pictureBlock(name, block, parts) : scenarioBlock(name, block, parts),
        )
        .replace(MISSED, () => missedOf(parts.runs));
    const unknown = /^<!-- .* -->$/m.exec(text)?.[0];
    if (unknown !== undefined) {
        throw new ReportError(
            `benchmarks/report/text.md has a mark that is not known, or not ended: ${unknown}`,
        );
    }
    return `${GENERATED}\n\n${text.replace(/\n{3,}/g, '\n\n')}`;
}
