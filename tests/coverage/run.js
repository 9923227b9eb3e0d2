/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { fileURLToPath } from 'node:url';
import { coverageOfC } from './c-coverage.js';
import { coverageOfGlue } from './glue-coverage.js';
import { explained } from './uncovered.js';

/* `npm run coverage`: the code that the tests run, of the C library natively and of the glue in Node. Fails
 * if some code does not run and uncovered.js gives no reason. */

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** @param {{ all: number, run: number }} counts */
function ratio({ all, run }) {
    return all === 0 ? '–' : `${run} of ${all}`;
}

/**
 * @param {string} title
 * @param {import('./uncovered.js').FileCoverage[]} files
 */
function print(title, files) {
    console.log(`\n| ${title} | lines | branches |\n|---|---|---|`);
    const sum = { lines: { all: 0, run: 0 }, branches: { all: 0, run: 0 } };
    for (const { file, lines, branches } of files) {
        console.log(`| ${file} | ${ratio(lines)} | ${ratio(branches)} |`);
        sum.lines = { all: sum.lines.all + lines.all, run: sum.lines.run + lines.run };
        sum.branches = { all: sum.branches.all + branches.all, run: sum.branches.run + branches.run };
    }
    console.log(`| all | ${ratio(sum.lines)} | ${ratio(sum.branches)} |\n`);
    for (const coverage of files) {
        for (const { place, text, why } of explained(ROOT, coverage)) {
            console.log(
                `- ${coverage.file}:${place.line} (${place.what}) \`${text}\`: ${why || 'NO REASON GIVEN'}`,
            );
            process.exitCode = why ? process.exitCode : 1;
        }
    }
}

print('C library, native tests', coverageOfC(ROOT));
print('glue, tests in Node', coverageOfGlue(ROOT));
