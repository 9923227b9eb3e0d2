/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { readFileSync } from 'node:fs';
import os from 'node:os';
import Table from 'cli-table3';
import { isMissed } from './figures.js';

/* All that is printed on standard output. */

/** @typedef {import('./figures.js').Figure} Figure */

function distribution() {
    try {
        return /^PRETTY_NAME="?(.*?)"?$/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1];
    } catch {
        return undefined;
    }
}

/** What a figure has to be read with. */
export function describeMachine() {
    return {
        date: new Date().toISOString(),
        machine: `${os.cpus()[0]?.model.trim() ?? 'unknown processor'}, ${os.arch()}`,
        cores: os.availableParallelism(),
        system: [distribution(), os.type(), os.release()].filter(Boolean).join(', '),
        runtime: `Node.js ${process.version}, V8 ${process.versions.v8}`,
    };
}

/** @param {ReturnType<typeof describeMachine>} machine */
export function printMachine({ date, machine, cores, system, runtime }) {
    console.log(`${date}\n${machine}, ${cores} cores; ${system}; ${runtime}`);
}

/** @param {number} value */
function digits(value) {
    if (value >= 1000) {
        return Math.round(value).toLocaleString('en');
    }
    if (value > 0 && value < 0.01) {
        return value.toPrecision(1);
    }
    return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(3);
}

/**
 * @param {number} value
 * @param {string} unit
 */
function quantity(value, unit) {
    return unit === '' ? digits(value) : `${digits(value)} ${unit}`;
}

/** @param {Figure} figure */
function boundCell({ unit, bound }) {
    if (bound === undefined) {
        return '';
    }
    const limit = bound.most ?? bound.least ?? NaN;
    const sign = bound.most === undefined ? '≥' : '≤';
    const text = bound.of === 'ratio' ? `ratio ${sign} ${limit}` : `${sign} ${quantity(limit, unit)}`;
    return bound.note === undefined ? text : `${text}, ${bound.note}`;
}

/** @param {Figure} figure */
function verdict(figure) {
    return figure.bound === undefined ? '' : isMissed(figure) ? 'MISSED' : 'met';
}

/**
 * @param {{ name: string, title: string }} scenario
 * @param {readonly Figure[]} figures
 * @param {number | undefined} otherCores that other programs used meanwhile
 */
export function printFigures({ name, title }, figures, otherCores) {
    const table = new Table({
        head: ['figure', 'holdfast', 'compared with', 'ratio', 'bound', ''],
        colAligns: ['left', 'right', 'right', 'right', 'left', 'left'],
        style: { head: [], border: [], compact: true },
    });
    for (const figure of figures) {
        const { what, unit, value, beside, ratio } = figure;
        table.push([
            what,
            quantity(value, unit),
            beside === undefined ? '' : `${beside.name} ${quantity(beside.value, unit)}`,
            ratio === undefined ? '' : digits(ratio),
            boundCell(figure),
            verdict(figure),
        ]);
    }
    console.log(`\n${name}: ${title}\n${table.toString()}`);
    if (otherCores !== undefined) {
        console.log(`Other programs used ${otherCores.toFixed(2)} cores meanwhile.`);
    }
}

/** @param {readonly { scenario: string, figure: Figure }[]} results */
export function printVerdict(results) {
    const bounded = results.filter(({ figure }) => figure.bound !== undefined);
    const missed = bounded.filter(({ figure }) => isMissed(figure));
    console.log(`\n${bounded.length - missed.length} of ${bounded.length} bounds are met.`);
    for (const { scenario, figure } of missed) {
        const value =
            figure.bound?.of === 'ratio' ? digits(figure.ratio ?? NaN) : quantity(figure.value, figure.unit);
        console.log(`MISSED ${scenario}: ${figure.what}: ${value}, bound ${boundCell(figure)}`);
    }
}
