/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { readFileSync, writeFileSync } from 'node:fs';

/* The ways to die, the limits of runtimes, and the outcomes as Markdown, between two marks of
 * docs/runtimes.md. */

const DOCUMENT = new URL('../../docs/runtimes.md', import.meta.url);
const BEGIN = '<!-- written by npm run deaths -- --write -->\n';
const END = '<!-- end of deaths -->';

const NODE = ['node-20', 'node-22', 'node-24', 'node-26'];
const SERVERS = [...NODE, 'bun', 'deno'];
const BROWSERS = ['chromium', 'firefox', 'webkit'];
const ALL = [...SERVERS, ...BROWSERS];

/** Each way to die, with the places that have it. @type {Record<string, string[]>} */
const PLACES_OF = {
    'terminate(), idle': ALL,
    'terminate(), blocked': ALL,
    'terminate(), computing': ALL,
    'terminate() of its parent, idle': ALL,
    'terminate() of its parent, blocked': ALL,
    'terminate() of its parent, computing': ALL,
    'uncaught error': SERVERS,
    'process.exit()': SERVERS,
    'end of its program': SERVERS,
    'close()': BROWSERS,
    'out of memory': NODE,
    'removal of the iframe': BROWSERS,
    'removal of its iframe, idle': BROWSERS,
    'removal of its iframe, blocked': BROWSERS,
    'removal of its iframe, computing': BROWSERS,
};

export const WAYS = Object.keys(PLACES_OF);

/**
 * The reasons why some ways to die kill no thread, by place.
 * @type {Record<string, Record<string, string>>}
 */
const NOBODY_DIES = {
    deno: {
        'terminate(), blocked': 'goes on',
        'terminate(), computing': 'goes on',
        'terminate() of its parent, blocked': 'goes on',
        'terminate() of its parent, computing': 'goes on',
    },
    chromium: { 'uncaught error': 'lives on' },
    firefox: { 'uncaught error': 'lives on' },
    webkit: { 'uncaught error': 'lives on' },
};

/** @param {string} word of a place @param {string} name of a way */
export function isPossible(word, name) {
    return PLACES_OF[name]?.includes(word) === true && NOBODY_DIES[word]?.[name] === undefined;
}

/**
 * @typedef {Pick<import('./places.js').Place, 'name' | 'word'> & import('./places.js').Result & { version: string }} Column
 */

/** @param {string[]} cells */
const line = (cells) => `| ${cells.join(' | ')} |\n`;

/** @param {string} first @param {Column[]} columns */
const headOf = (first, columns) =>
    line([first, ...columns.map(({ name }) => name)]) +
    line(['---', ...columns.map(() => '--:')]) +
    line(['version', ...columns.map(({ version }) => version)]);

/** @param {number[]} times sorted @param {number} part */
const at = (times, part) => Math.round(times[Math.ceil(times.length * part) - 1] ?? NaN);

/** @param {number[]} times */
function cellOf(times) {
    const sorted = [...times].sort((one, two) => one - two);
    return `${times.length}: ${at(sorted, 0.5)} / ${at(sorted, 0.99)} / ${at(sorted, 1)}`;
}

/** @param {Column} column @param {string} name */
function deathsIn({ word, deaths }, name) {
    const result = deaths.find((each) => each.name === name);
    return result === undefined || result.times.length === 0
        ? (NOBODY_DIES[word]?.[name] ?? '–')
        : cellOf(result.times);
}

/** @param {Column[]} columns */
export function tableOfDeaths(columns) {
    const all = columns.map(({ deaths }) => deaths.flatMap(({ times }) => times));
    return (
        headOf('died by', columns) +
        WAYS.map((name) => line([name, ...columns.map((column) => deathsIn(column, name))])).join('') +
        line(['**all**', ...all.map((times) => (times.length === 0 ? '–' : cellOf(times)))])
    );
}

/** @param {Column[]} columns */
export function tableOfProbes(columns) {
    const states = [...new Set(columns.flatMap(({ probes }) => probes.map(({ state }) => state)))];
    const count = (/** @type {'looks' | 'unknown' | 'dead'} */ what, state = '') =>
        columns.map(({ probes }) =>
            probes
                .filter((each) => state === '' || each.state === state)
                .reduce((sum, each) => sum + each[what], 0)
                .toLocaleString('en'),
        );
    return (
        headOf('looks at a thread that is', columns) +
        states.map((state) => line([state, ...count('looks', state)])).join('') +
        line(['**all**', ...count('looks')]) +
        line(['nobody knew', ...count('unknown')]) +
        line(['called dead', ...count('dead')])
    );
}

/** @param {{ deaths: string, probes: string, where: string }} tables */
export function writeTables({ deaths, probes, where }) {
    const text = readFileSync(DOCUMENT, 'utf8');
    const begin = text.indexOf(BEGIN) + BEGIN.length;
    const written = `\nMeasured on: ${where}.\n\n${deaths}\n${probes}\n`;
    writeFileSync(DOCUMENT, text.slice(0, begin) + written + text.slice(text.indexOf(END)));
}
