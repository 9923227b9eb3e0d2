/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import Table from 'cli-table3';
import { besideCell, boundCell, digits, machineLine, quantity, verdict, withSpread } from './words.js';

/* Prints all that goes to standard output. */

/** @typedef {import('./words.js').Figure} Figure */

/**
 * @typedef {object} Result the result of a scenario
 * @property {string} name
 * @property {string} title
 * @property {number} seconds that it took
 * @property {number | undefined} otherCores that other programs used meanwhile
 * @property {Figure[]} figures
 * @property {import('./figures.js').Series[]} series
 */

/** @param {import('./words.js').Machine} machine */
export function printMachine(machine) {
    console.log(`${machine.date}\n${machineLine(machine)}`);
}

/** @param {Result} result */
export function printResult({ name, title, seconds, otherCores, figures }) {
    const table = new Table({
        head: ['figure', 'holdfast', 'compared with', 'ratio', 'bound', ''],
        colAligns: ['left', 'right', 'right', 'right', 'left', 'left'],
        style: { head: [], border: [], compact: true },
    });
    for (const figure of figures) {
        const { what, unit, value, spread, ratio } = figure;
        table.push([
            what,
            withSpread(value, unit, spread),
            besideCell(figure),
            ratio === undefined ? '' : digits(ratio),
            boundCell(figure),
            verdict(figure),
        ]);
    }
    console.log(`\n${name}: ${title}\n${table.toString()}`);
    const others =
        otherCores === undefined ? '' : ` Other programs used ${otherCores.toFixed(2)} cores meanwhile.`;
    console.log(`It took ${seconds.toFixed(1)} s.${others}`);
}

/** @param {readonly Result[]} results */
export function printVerdict(results) {
    const bounded = results.flatMap(({ name, figures }) =>
        figures.filter(({ bound }) => bound !== undefined).map((figure) => ({ scenario: name, figure })),
    );
    const missed = bounded.filter(({ figure }) => figure.missed);
    console.log(`\n${bounded.length - missed.length} of ${bounded.length} bounds are met.`);
    for (const { scenario, figure } of missed) {
        const value =
            figure.bound?.of === 'ratio' ? digits(figure.ratio ?? NaN) : quantity(figure.value, figure.unit);
        console.log(`MISSED ${scenario}: ${figure.what}: ${value}, bound ${boundCell(figure)}`);
    }
}
