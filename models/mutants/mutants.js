/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { placesIn } from './operators.js';
import { Source } from './tokens.js';

/* Two kinds of lists. Both name functions, and the checks that should notice a mistake there:
 * `specification`, `litmus`, a scenario of the explorer, a native test, a file of tests/glue/ or a model of
 * tests/verification/, `fuzzer` or `fuzzer with SWITCH`. `abandoned: reader` stands for the tests of that file
 * that have this text in their names.
 *
 * Functions, of which each operator makes mutants:
 *
 *     === FILE [for all; of them]
 *     function, function [for these, too]
 *
 * A file alone stands for all of its functions. Mistakes, by hand:
 *
 *     === FILE
 *     what goes wrong [check; check]
 *         function: operator word 2               the second such place that has this word in it; without a number, the only one
 *         function: /pattern/ → replacement       where it matches, once; a blank stands for any white space
 *         FILE: function: …                       in another file
 *
 * A constant or a macro stands for its value, and * for the whole file. */

/**
 * @typedef {{ file: string, text: string }} Edit a file with new contents
 *
 * @typedef {object} Mutant
 * @property {string} name
 * @property {string[]} checks
 * @property {Edit[]} edits
 *
 * @typedef {{ file: string, unit: string | undefined, checks: string[] }} Listed a function, or all of a file
 */

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const NAMED = /^(?<isFile>=== )?(?<name>[^[]*?)(?: \[(?<checks>.*)\])?$/;
const EDIT =
    /^ +(?:(?<file>\S+\.\w+): )?(?<unit>\S+): (?:\/(?<pattern>.*)\/ →(?: (?<to>.*))?|(?<operator>[a-z]+)(?: (?<word>[\w#]*[a-zA-Z]\w*))?(?: (?<nth>\d+))?)$/;
const ALL = '*';

/** @param {string} file */
const textOf = (file) => readFileSync(join(ROOT, file), 'utf8');

/** @param {string} list @returns {{ name: string, isFile: boolean, checks: string[] }[]} */
function namedIn(list) {
    return list.split('\n').flatMap((line) => {
        const { isFile, name = '', checks } = /^[^# ]/.test(line) ? (NAMED.exec(line)?.groups ?? {}) : {};
        return name ? { name, isFile: isFile !== undefined, checks: checks?.split('; ') ?? [] } : [];
    });
}

/** @param {string} list @returns {Listed[]} */
export function functionsOf(list) {
    /** @type {Listed[]} */
    const listed = [];
    let [file, usual] = ['', /** @type {string[]} */ ([])];
    for (const { isFile, name, checks } of namedIn(list.replace(/\n +/g, ' '))) {
        if (isFile) {
            [file, usual] = [name, checks];
            listed.push({ file, unit: ALL, checks });
        } else {
            listed.push(...name.split(', ').map((unit) => ({ file, unit, checks: [...usual, ...checks] })));
        }
    }
    return listed.filter(
        ({ file: of, unit }) => unit !== ALL || !listed.some((one) => one.file === of && one.unit !== ALL),
    );
}

/** @param {Listed} listed @returns {Mutant[]} all that operators make of it */
export function mutantsOf({ file, unit, checks }) {
    const text = textOf(file);
    const places = placesIn(file, text).filter((place) => unit === ALL || place.unit === unit);
    if (places.length === 0) {
        throw new Error(`${file}: there is nothing to change in ${unit}`);
    }
    return places.map((place) => {
        const { start, end, to, operator } = place;
        const line = text.slice(0, start).split('\n').length;
        const shown = text.slice(start, end).replace(/\s+/g, ' ');
        const name = `${file}:${line} ${place.unit}: ${operator} ${shown} → ${to.replace(/\s+/g, ' ') || 'nothing'}`;
        return { name, checks, edits: [{ file, text: `${text.slice(0, start)}${to}${text.slice(end)}` }] };
    });
}

/** @param {string} list @returns {Mutant[]} */
export function mistakesOf(list) {
    const blocks = list
        .trim()
        .replace(/\n +(?=\[)/g, ' ')
        .split(/\n+(?=[^ \n])/);
    let file = '';
    return blocks.flatMap((block) => {
        const [head = '', ...lines] = block.split('\n');
        const [named] = namedIn(head);
        file = named?.isFile ? named.name : file;
        /** @type {Map<string, string>} */
        const texts = new Map();
        for (const line of named?.isFile ? [] : lines) {
            const { groups } = EDIT.exec(line) ?? {};
            const of = groups?.file ?? file;
            texts.set(of, edited(of, texts.get(of) ?? textOf(of), groups, `${head}: ${line.trim()}`));
        }
        const edits = Array.from(texts, ([of, text]) => ({ file: of, text }));
        return named && !named.isFile ? [{ name: named.name, checks: named.checks, edits }] : [];
    });
}

/**
 * @param {string} file
 * @param {string} text
 * @param {Record<string, string> | undefined} edit the parts of EDIT
 * @param {string} name
 * @returns {string}
 */
function edited(file, text, edit, name) {
    const { unit = '', pattern, to = '', operator, word, nth } = edit ?? {};
    const found = pattern ? matches(file, text, unit, pattern, to) : placed(file, text, unit, operator, word);
    const place = nth ? found[Number(nth) - 1] : found[0];
    if (!place || (!nth && found.length > 1)) {
        throw new Error(`${file}: ${name}: it fits ${found.length} times`);
    }
    return `${text.slice(0, place.start)}${place.to}${text.slice(place.end)}`;
}

/** @param {string} file @param {string} text @param {string} unit @param {string} [operator] @param {string} [word] */
function placed(file, text, unit, operator, word) {
    return placesIn(file, text).filter((place) => {
        const words = new Set(text.slice(place.start, place.end).match(/[\w#]+/g));
        const isThere = unit === ALL || place.unit === unit;
        return isThere && place.operator === operator && (!word || words.has(word));
    });
}

/** @param {string} file @param {string} text @param {string} unit @param {string} pattern @param {string} to */
function matches(file, text, unit, pattern, to) {
    const regex = new RegExp(pattern.replaceAll(' ', '\\s+'), 'g');
    const source = new Source(file, text);
    const spans = source.units.filter(({ name }) => name === unit).map((one) => source.extentOf(one));
    return (unit === ALL ? [{ start: 0, end: text.length }] : spans).flatMap(({ start, end }) =>
        Array.from(text.slice(start, end).matchAll(regex), (match) => ({
            ...{ start: start + match.index, end: start + match.index + match[0].length },
            to: to.replace(/\$(\d)/g, (_, group) => match[Number(group)] ?? ''),
        })),
    );
}
