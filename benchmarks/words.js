/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { existsSync, readFileSync } from 'node:fs';
import os from 'node:os';

/* Formats figures, bounds and machines as text, the same for the terminal and the report. */

/** @typedef {import('./figures.js').Figure & { missed: boolean }} Figure */

/**
 * @typedef {object} Result the result of a scenario
 * @property {string} name
 * @property {string} title
 * @property {number} seconds that it took
 * @property {number | undefined} otherCores that other programs used meanwhile
 * @property {Figure[]} figures
 * @property {import('./figures.js').Series[]} series
 *
 * @typedef {object} Run what `npm run bench -- --json FILE` writes
 * @property {ReturnType<typeof describeMachine>} machine
 * @property {import('./scenarios.js').Options} options
 * @property {Result[]} scenarios
 */

function distribution() {
    const file = '/etc/os-release';
    return existsSync(file) && /^PRETTY_NAME="?(.*?)"?$/m.exec(readFileSync(file, 'utf8'))?.[1];
}

/** The machine that a figure belongs to. */
export function describeMachine() {
    return {
        date: new Date().toISOString(),
        machine: `${os.cpus()[0]?.model.trim() ?? 'unknown processor'}, ${os.arch()}`,
        cores: os.availableParallelism(),
        system: [distribution(), os.type(), os.release()].filter(Boolean).join(', '),
        runtime: `Node.js ${process.version}, V8 ${process.versions.v8}`,
    };
}

/** @param {Run['machine']} machine */
export function machineLine({ machine, cores, system, runtime }) {
    return `${machine}, ${cores} cores; ${system}; ${runtime}`;
}

/** @param {number} value */
export function digits(value) {
    if (value >= 999.5) {
        return Math.round(value).toLocaleString('en');
    }
    if (value > 0 && value < 0.01) {
        return value.toPrecision(1);
    }
    return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(3);
}

/** @param {number} value @param {string} unit @param {import('./figures.js').Spread} [spread] */
function quantity(value, unit, spread) {
    const text = unit === '' ? digits(value) : `${digits(value)} ${unit}`;
    return spread === undefined ? text : `${text} (${digits(spread[0])}–${digits(spread[1])})`;
}

/** @param {Figure} figure */
export function boundCell({ unit, bound }) {
    if (bound === undefined) {
        return '';
    }
    const limit = bound.most ?? bound.least ?? NaN;
    const sign = bound.most === undefined ? '≥' : '≤';
    const text = bound.of === 'ratio' ? `ratio ${sign} ${limit}` : `${sign} ${quantity(limit, unit)}`;
    return bound.note === undefined ? text : `${text}, ${bound.note}`;
}

/** @param {Figure} figure */
export function besideCell({ unit, beside }) {
    if (beside === undefined) {
        return '';
    }
    const { name, value, spread, cannot = 'no value' } = beside;
    return value === undefined ? `${name}: ${cannot}` : `${name} ${quantity(value, unit, spread)}`;
}

export const HEAD = ['figure', 'holdfast', 'compared with', 'ratio', 'bound', ''];

/** The cells of a figure's row. @param {Figure} figure */
export function cellsOf(figure) {
    const { what, unit, value, spread, ratio, bound, missed } = figure;
    return [
        what,
        quantity(value, unit, spread),
        besideCell(figure),
        ratio === undefined ? '' : digits(ratio),
        boundCell(figure),
        bound === undefined ? '' : missed ? 'MISSED' : 'met',
    ];
}

/** How many bounds there are, and those that are missed. @param {readonly Result[]} results */
export function boundsOf(results) {
    const bounded = results.flatMap(({ name, figures }) =>
        figures.filter(({ bound }) => bound !== undefined).map((figure) => ({ name, figure })),
    );
    const missed = bounded
        .filter(({ figure }) => figure.missed)
        .map(({ name, figure }) => {
            const { unit, value, ratio = NaN, bound } = figure;
            const measured = bound?.of === 'ratio' ? `ratio ${digits(ratio)}` : quantity(value, unit);
            return { name, figure, measured };
        });
    return { all: bounded.length, missed };
}
