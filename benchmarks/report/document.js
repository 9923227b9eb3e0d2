/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { ReportError } from './runs.js';
import { figuresOf, missedOf } from './tables.js';

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
 */
function scenarioBlock(name, text, runs) {
    for (const run of runs) {
        const result = run.scenarios.find((scenario) => scenario.name === name);
        if (result !== undefined && result.figures.length > 0) {
            return `${text.trim()}\n\n${figuresOf(run, result)}\n`;
        }
    }
    const [heading = ''] = text.split('\n');
    return `${heading}\n\nNot in this report. \`npm run bench -- ${name}\` measures it.\n`;
}

/**
 * @param {string} template text.md
 * @param {import('./runs.js').Run[]} runs of which the first that has a scenario is shown
 * @param {Map<string, { title: string }>} pictures
 */
export function writeDocument(template, runs, pictures) {
    const text = template
        .replace(PICTURE, (_, name, block) => {
            const picture = pictures.get(name);
            return picture === undefined ? '' : `![${picture.title}](figures/${name}.svg)\n\n${block}`;
        })
        .replace(SCENARIO, (_, name, block) => scenarioBlock(name, block, runs))
        .replace(MISSED, () => missedOf(runs));
    const unknown = /^<!-- .* -->$/m.exec(text)?.[0];
    if (unknown !== undefined) {
        throw new ReportError(
            `benchmarks/report/text.md has a mark that is not known, or not ended: ${unknown}`,
        );
    }
    return `${GENERATED}\n\n${text.replace(/\n{3,}/g, '\n\n')}`;
}
