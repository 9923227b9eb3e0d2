/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { besideCell, boundCell, digits, quantity, verdict, withSpread } from '../words.js';
import { groupBy } from './group-by.js';
import { describeRun } from './runs.js';

/* Figures as tables of Markdown. */

/** @typedef {import('../words.js').Figure} Figure */
/** @typedef {import('../terminal.js').Result} Result */
/** @typedef {import('./runs.js').Run} Run */

/** A table with more rows shows only those that have a bound at once. */
const LONG = 16;

/** @param {string} text */
function cell(text) {
    return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}

/**
 * @param {string[]} head
 * @param {string[]} rules
 * @param {string[][]} rows
 */
function table(head, rules, rows) {
    const line = (/** @type {string[]} */ cells) => `| ${cells.map(cell).join(' | ')} |`;
    return [line(head), `|${rules.join('|')}|`, ...rows.map(line)].join('\n');
}

/** @param {Figure} figure */
function verdictCell(figure) {
    return figure.missed ? `**${verdict(figure)}**` : verdict(figure);
}

/** @param {readonly Figure[]} figures */
function tableOf(figures) {
    const head = ['figure', 'holdfast', 'compared with', 'ratio', 'bound', ''];
    const rules = ['---', '--:', '---', '--:', '---', '---'];
    const rows = [...groupBy(figures, ({ what }) => what).values()].flatMap((group) => {
        let shown = '';
        return group.map((figure, index) => {
            const value = withSpread(figure.value, figure.unit, figure.spread);
            const again = value === shown;
            shown = value;
            return [
                index === 0 ? figure.what : '',
                again ? '' : value,
                besideCell(figure),
                figure.ratio === undefined ? '' : digits(figure.ratio),
                boundCell(figure),
                verdictCell(figure),
            ];
        });
    });
    return table(head, rules, rows);
}

/** @param {readonly Figure[]} figures */
function foldLong(figures) {
    const bounded = figures.filter(({ bound }) => bound !== undefined);
    const others = figures.filter(({ bound }) => bound === undefined);
    if (figures.length <= LONG || bounded.length === 0 || others.length === 0) {
        return tableOf(figures);
    }
    return [
        tableOf(bounded),
        `<details><summary>${others.length} more figures, without bounds</summary>`,
        tableOf(others),
        '</details>',
    ].join('\n\n');
}

/** @param {Figure} figure */
function isAbsent({ beside }) {
    return beside !== undefined && beside.value === undefined;
}

/**
 * Why contestants are in no row, or not in all rows that others are in.
 *
 * @param {readonly Figure[]} figures
 */
function absentees(figures) {
    const present = figures.filter((figure) => !isAbsent(figure));
    const reasons = figures.filter(isAbsent).flatMap(({ what, beside }) => {
        const { name = '', cannot = 'no value' } = beside ?? {};
        const others = present.filter((figure) => figure.beside?.name === name);
        if (others.some((figure) => figure.what === what)) {
            return []; // it could elsewhere, in another process
        }
        return [`${name} (${others.length > 0 ? `${what}: ` : ''}${cannot})`];
    });
    return reasons.length === 0 ? '' : `Cannot take part: ${[...new Set(reasons)].join('; ')}.`;
}

/**
 * The figures of a scenario that have bounds, or all where none has.
 *
 * @param {Run} run
 * @param {Result} result
 */
export function boundsOf(run, result) {
    const bounded = result.figures.filter(({ bound }) => bound !== undefined);
    const figures = bounded.length > 0 ? bounded : result.figures.filter((figure) => !isAbsent(figure));
    return `${tableOf(figures)}\n\n${source(run, result)}`;
}

/** @param {Run} run @param {Result} result */
function source(run, { otherCores }) {
    const others = otherCores === undefined ? '' : `; other programs used ${otherCores.toFixed(2)} cores`;
    return `<sub>${describeRun(run)}${others}</sub>`;
}

/**
 * All that one run measured in a scenario.
 *
 * @param {Run} run
 * @param {Result} result
 */
export function figuresOf(run, result) {
    const { figures } = result;
    return [
        foldLong(figures.filter((figure) => !isAbsent(figure) || figure.bound !== undefined)),
        absentees(figures),
        source(run, result),
    ]
        .filter(Boolean)
        .join('\n\n');
}

/**
 * How many of all bounds are met, and which are not.
 *
 * @param {readonly Run[]} runs
 */
export function missedOf(runs) {
    const bounded = runs.flatMap(({ scenarios }) =>
        scenarios.flatMap(({ name, figures }) =>
            figures.filter(({ bound }) => bound !== undefined).map((figure) => ({ name, figure })),
        ),
    );
    const missed = bounded.filter(({ figure }) => figure.missed);
    const count = `${bounded.length - missed.length} of ${bounded.length} bounds are met.`;
    if (missed.length === 0) {
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
    return `${count} These are missed:\n\n${table(head, ['---', '---', '--:', '---', '---'], rows)}`;
}
