/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { besideCell, boundCell, boundsOf, cellsOf, HEAD, machineLine } from '../words.js';

/* Writes figures as tables in Markdown. */

/** @typedef {import('../words.js').Result} Result */
/** @typedef {import('../words.js').Run} Run */

/** @param {string[]} head @param {string[]} rules @param {string[][]} rows */
function table(head, rules, rows) {
    const line = (/** @type {string[]} */ cells) => `| ${cells.join(' | ').replaceAll('\n', ' ')} |`;
    return [line(head), `|${rules.join('|')}|`, ...rows.map(line)].join('\n');
}

/** @param {readonly Result['figures'][0][]} figures figures of the same thing next to each other */
function tableOf(figures) {
    const firsts = [...new Set(figures.map(({ what }) => what))];
    const rows = firsts.flatMap((what) =>
        figures
            .filter((figure) => figure.what === what)
            .map(cellsOf)
            .map(([name = '', value = '', ...cells], index) => [
                ...(index === 0 ? [name, value] : ['', '']),
                ...cells.map((cell) => (cell === 'MISSED' ? `**${cell}**` : cell)),
            ]),
    );
    return table(HEAD, ['---', '--:', '---', '--:', '---', '---'], rows);
}

/** Describes a run: its day, machine, rounds and seconds. @param {Run} run */
function describeRun({ machine, options: { rounds, seconds } }) {
    const often = `${rounds} ${rounds === 1 ? 'round' : 'rounds'}, ${seconds} s for one run of contending threads`;
    return `${machine.date.slice(0, 10)}; ${machineLine(machine)}; ${often}`;
}

/**
 * The figures of a scenario that have bounds, or all figures if none has.
 * @param {Run} run
 * @param {Result} result
 */
export function figuresOf(run, { figures, otherCores }) {
    const bounded = figures.filter(({ bound }) => bound !== undefined);
    const present = figures.filter(({ beside }) => beside === undefined || beside.value !== undefined);
    const others = otherCores === undefined ? '' : `; other programs used ${otherCores.toFixed(2)} cores`;
    return `${tableOf(bounded.length > 0 ? bounded : present)}\n\n<sub>${describeRun(run)}${others}</sub>`;
}

const MET = /^(\d+) of (\d+) bounds are met/m;
const VERDICT = /\| (met|\*\*MISSED\*\*) \|$/gm;
const MISSED_ROW = /^\| ([\w-]+) \| .*\|$/gm;

/**
 * How many of all bounds are met, and which are not.
 * @param {readonly Run[]} runs
 * @param {string} before what the page has said
 * @param {Map<string, string>} replaced the tables of scenarios on the page that the runs replace, by name
 */
export function missedOf(runs, before, replaced) {
    const [, met = '0', all = '0'] = MET.exec(before) ?? [];
    const verdicts = [...replaced.values()].flatMap((text) =>
        Array.from(text.matchAll(VERDICT), ([, verdict]) => verdict),
    );
    const kept = Array.from(before.matchAll(MISSED_ROW))
        .filter(([, name = '']) => name !== 'scenario' && !replaced.has(name))
        .map(([row]) => row);
    const made = boundsOf(runs.flatMap(({ scenarios }) => scenarios));
    const metNow = Number(met) - verdicts.filter((verdict) => verdict === 'met').length;
    const allNow = Number(all) - verdicts.length + made.all;
    const count = `${metNow + made.all - made.missed.length} of ${allNow} bounds are met.`;
    if (made.missed.length + kept.length === 0) {
        return count;
    }
    const rows = made.missed.map(({ name, figure, measured }) => [
        name,
        figure.what,
        measured,
        besideCell(figure),
        boundCell(figure),
    ]);
    const head = ['scenario', 'figure', 'measured', 'compared with', 'bound'];
    const written = table(head, ['---', '---', '--:', '---', '---'], rows);
    return [`${count} These are missed:\n`, written, ...kept].join('\n');
}
