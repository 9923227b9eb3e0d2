/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { besideCell, boundCell, digits, quantity, verdict, withSpread } from '../words.js';
import { describeRun } from './runs.js';

/* Writes figures as tables in Markdown. */

/** @typedef {import('../words.js').Figure} Figure */
/** @typedef {import('../terminal.js').Result} Result */
/** @typedef {import('./runs.js').Run} Run */

/** @param {string[]} head @param {string[]} rules @param {string[][]} rows */
function table(head, rules, rows) {
    const line = (/** @type {string[]} */ cells) => `| ${cells.join(' | ').replaceAll('\n', ' ')} |`;
    return [line(head), `|${rules.join('|')}|`, ...rows.map(line)].join('\n');
}

/** @param {readonly Figure[]} figures figures of the same thing next to each other */
function tableOf(figures) {
    const head = ['figure', 'holdfast', 'compared with', 'ratio', 'bound', ''];
    const rules = ['---', '--:', '---', '--:', '---', '---'];
    const firsts = [...new Set(figures.map(({ what }) => what))];
    const rows = firsts.flatMap((what) =>
        figures
            .filter((figure) => figure.what === what)
            .map((figure, index) => [
                index === 0 ? what : '',
                index === 0 ? withSpread(figure.value, figure.unit, figure.spread) : '',
                besideCell(figure),
                figure.ratio === undefined ? '' : digits(figure.ratio),
                boundCell(figure),
                figure.missed ? `**${verdict(figure)}**` : verdict(figure),
            ]),
    );
    return table(head, rules, rows);
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

/**
 * How many of all bounds are met, and which are not.
 * @param {readonly Run[]} runs
 * @param {{ met: number, all: number, rows: string[] }} kept of scenarios that were not measured
 */
export function missedOf(runs, kept) {
    const bounded = runs.flatMap(({ scenarios }) =>
        scenarios.flatMap(({ name, figures }) =>
            figures.filter(({ bound }) => bound !== undefined).map((figure) => ({ name, figure })),
        ),
    );
    const missed = bounded.filter(({ figure }) => figure.missed);
    const met = kept.met + bounded.length - missed.length;
    const count = `${met} of ${kept.all + bounded.length} bounds are met.`;
    if (missed.length + kept.rows.length === 0) {
        return count;
    }
    const rows = missed.map(({ name, figure }) => [
        name,
        figure.what,
        figure.bound?.of === 'ratio'
            ? `ratio ${digits(figure.ratio ?? NaN)}`
            : quantity(figure.value, figure.unit),
        besideCell(figure),
        boundCell(figure),
    ]);
    const head = ['scenario', 'figure', 'measured', 'compared with', 'bound'];
    const made = table(head, ['---', '---', '--:', '---', '---'], rows);
    return [`${count} These are missed:\n`, made, ...kept.rows].join('\n');
}
