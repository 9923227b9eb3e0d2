/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { writeFileSync } from 'node:fs';
import Table from 'cli-table3';
import { CommandError, run } from './commands.js';
import { isMissed } from './figures.js';
import { watchOtherLoad } from './other-load.js';
import { scenarios } from './scenarios.js';
import { boundCell, boundsOf, cellsOf, describeMachine, HEAD, machineLine } from './words.js';

const NAMES = scenarios.map(({ name }) => name);

const HELP = `usage: npm run bench -- [options] [scenario ...]

scenarios, all by default:
${scenarios.map(({ name, title }) => `  ${name.padEnd(12)}${title}`).join('\n')}

options:
  --full        all of it, for about twenty minutes, and not only what shows most
  --rounds N    how often everything is measured; figures are medians (3)
  --seconds S   how long one run of contending threads is measured (0.2; in full 1)
  --json FILE   write the figures there too
  --help        show this`;

const OPTIONS = /** @type {const} */ ({
    full: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string' },
    json: { type: 'string' },
    help: { type: 'boolean', default: false },
});

/** @typedef {{ values: Record<'full' | 'help', boolean> & { rounds: string, seconds?: string, json?: string }, positionals: string[] }} Words */

/** @param {Words} words @throws {CommandError} */
function read({ values, positionals }) {
    const unknown = positionals.find((name) => !NAMES.includes(name));
    if (unknown !== undefined) {
        throw new CommandError(`there is no scenario "${unknown}"; choose from ${NAMES.join(', ')}`);
    }
    const { full, json } = values;
    const [rounds, seconds] = [values.rounds, values.seconds ?? (full ? 1 : 0.2)].map(Number);
    if (!(Number(rounds) > 0 && Number.isInteger(rounds) && Number(seconds) > 0)) {
        throw new CommandError('--rounds takes a whole number above 0, --seconds a number above 0');
    }
    return {
        json,
        options: { full, isNamed: positionals.length > 0, rounds: Number(rounds), seconds: Number(seconds) },
        chosen: scenarios.filter(({ name }) => positionals.length === 0 || positionals.includes(name)),
    };
}

/** @param {import('./words.js').Result} result */
function printResult({ name, title, seconds, otherCores, figures }) {
    const table = new Table({
        head: HEAD,
        colAligns: ['left', 'right', 'right', 'right', 'left', 'left'],
        style: { head: [], border: [], compact: true },
    });
    table.push(...figures.map(cellsOf));
    console.log(`\n${name}: ${title}\n${table.toString()}`);
    const others =
        otherCores === undefined ? '' : ` Other programs used ${otherCores.toFixed(2)} cores meanwhile.`;
    console.log(`It took ${seconds.toFixed(1)} s.${others}`);
}

/** @param {readonly import('./words.js').Result[]} results */
function printVerdict(results) {
    const { all, missed } = boundsOf(results);
    console.log(`\n${all - missed.length} of ${all} bounds are met.`);
    for (const { name, figure, measured } of missed) {
        console.log(`MISSED ${name}: ${figure.what}: ${measured}, bound ${boundCell(figure)}`);
    }
}

/** @param {Words} words */
async function bench(words) {
    const { json, options, chosen } = read(words);
    if (words.values.help) {
        console.log(HELP);
        return;
    }
    const machine = describeMachine();
    console.log(`${machine.date}\n${machineLine(machine)}`);
    const extent = options.full ? 'long' : 'quick';
    console.log(
        `a ${extent} run: ${options.rounds} rounds, ${options.seconds} s for one run of contending threads`,
    );
    const results = [];
    for (const scenario of chosen) {
        const { name, title, inOtherProcesses } = scenario;
        const otherLoad = watchOtherLoad();
        const start = performance.now();
        const measured = await scenario.run(options);
        const { figures, series = [] } = Array.isArray(measured) ? { figures: measured } : measured;
        const judged = figures.map((figure) => ({ ...figure, missed: isMissed(figure) }));
        const result = {
            name,
            title,
            seconds: (performance.now() - start) / 1000,
            otherCores: inOtherProcesses ? undefined : otherLoad(),
            figures: judged,
            series,
        };
        printResult(result);
        results.push(result);
        if (json !== undefined) {
            // Writes after each scenario, so that a later one that fails does not lose the others.
            writeFileSync(
                json,
                `${JSON.stringify({ machine, options, scenarios: results }, undefined, 4)}\n`,
            );
        }
    }
    printVerdict(results);
}

// A missed bound is a result, not an error. Lost updates and failed runs are errors.
await run('bench', OPTIONS, bench);
