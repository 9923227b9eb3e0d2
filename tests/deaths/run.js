/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { PLACES } from './places.js';
import { isPossible, tableOfDeaths, tableOfProbes, WAYS, writeTables } from './table.js';

/** The folder of each place's report. */
const REPORTS = new URL('../../build/deaths/', import.meta.url);

const WORDS = PLACES.map(({ word }) => word);

const USAGE = `npm run deaths -- [options]
    --deaths N   of each way to die, in each place (50)
    --probes N   looks at threads that live, in each place (100000)
    --seed S     of all that is drawn (1)
    --in PLACE   ${WORDS.join(', ')}; may be given several times (all)
    --reports    the tables of what earlier runs left in build/deaths, which need not be one run
    --write      the tables into docs/runtimes.md`;

class UsageError extends Error {}

/** @param {string} name @param {string} text */
function number(name, text) {
    const value = Number(text);
    if (!(Number.isSafeInteger(value) && value >= 0)) {
        throw new UsageError(`--${name} ${text} is not a valid number`);
    }
    return value;
}

function parseWords() {
    try {
        return parseArgs({
            options: {
                deaths: { type: 'string', default: '50' },
                probes: { type: 'string', default: '100000' },
                seed: { type: 'string', default: '1' },
                in: { type: 'string', multiple: true, default: WORDS },
                reports: { type: 'boolean', default: false },
                write: { type: 'boolean', default: false },
                help: { type: 'boolean', default: false },
            },
        }).values;
    } catch (error) {
        throw new UsageError(error instanceof Error ? error.message : String(error));
    }
}

function parse() {
    const words = parseWords();
    const unknown = words.in.find((word) => !WORDS.includes(word));
    if (unknown !== undefined) {
        throw new UsageError(`--in ${unknown} is none of ${WORDS.join(', ')}`);
    }
    return {
        ...words,
        deaths: number('deaths', words.deaths),
        probes: number('probes', words.probes),
        seed: number('seed', words.seed),
        places: PLACES.filter(({ word }) => words.in.includes(word)),
    };
}

/** @param {import('./places.js').Place} place */
const reportOf = ({ word }) => new URL(`${word}.json`, REPORTS);

/**
 * @param {import('./places.js').Place} place
 * @returns {import('./table.js').Column} what the last run left
 */
function readReport(place) {
    return JSON.parse(readFileSync(reportOf(place), 'utf8'));
}

/**
 * @param {import('./places.js').Place} place
 * @param {{ deaths: number, probes: number, seed: number }} options
 * @returns {Promise<import('./table.js').Column>}
 */
async function playIn(place, { deaths, probes, seed }) {
    const tell = (/** @type {string} */ line) => console.error(`${place.name}: ${line}`);
    const names = WAYS.filter((name) => isPossible(place.word, name));
    const none = { names: [], deaths: 0, probes: 0, seed };
    const column = {
        name: place.name,
        word: place.word,
        version: await place.version(),
        deaths: deaths === 0 ? [] : (await place.play({ ...none, names, deaths }, tell)).deaths,
        probes: probes === 0 ? [] : (await place.play({ ...none, probes }, tell)).probes,
    };
    mkdirSync(REPORTS, { recursive: true });
    writeFileSync(reportOf(place), JSON.stringify(column));
    return column;
}

async function main() {
    const { places, help, reports, write, ...options } = parse();
    if (help) {
        console.log(USAGE);
        return;
    }
    if (write && (places.length < PLACES.length || options.deaths * options.probes === 0)) {
        throw new UsageError('--write is for all places and both tables');
    }
    const columns = [];
    for (const place of places) {
        columns.push(reports ? readReport(place) : await playIn(place, options));
    }
    const [processor] = cpus();
    const where = `${processor?.model.replace(/ \d+-Core Processor/, '')}, ${cpus().length} cores`;
    const tables = { deaths: tableOfDeaths(columns), probes: tableOfProbes(columns), where };
    const asked = [options.deaths > 0 ? tables.deaths : '', options.probes > 0 ? tables.probes : ''];
    console.log([where, ...asked].join('\n\n'));
    const faults = columns.flatMap(({ name, deaths, probes }) => [
        ...deaths.flatMap(({ fault }) => (fault === undefined ? [] : [`${name}: ${fault}`])),
        ...probes.flatMap(({ state, dead }) =>
            dead === 0 ? [] : [`${name}: ${state}: ${dead} called dead`],
        ),
    ]);
    faults.forEach((fault) => console.error(`\n${fault}`));
    if (faults.length > 0) {
        process.exitCode = 1;
    } else if (write) {
        writeTables(tables);
    }
}

try {
    await main();
} catch (error) {
    console.error(error instanceof UsageError ? `${error.message}\n\n${USAGE}` : error);
    process.exitCode = 1;
}
