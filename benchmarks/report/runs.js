/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { readFileSync } from 'node:fs';
import { CommandError } from '../commands.js';
import { machineLine } from '../words.js';

/* A file that `npm run bench -- --json FILE` wrote. */

/**
 * @typedef {object} Run
 * @property {import('../words.js').Machine} machine
 * @property {import('../scenarios/scenarios.js').Options} options
 * @property {import('../terminal.js').Result[]} scenarios
 */

/** @param {string} file @returns {Run} @throws {CommandError} */
export function readRun(file) {
    try {
        // In this JSON null always means NaN.
        return JSON.parse(readFileSync(file, 'utf8'), (_, value) => (value === null ? NaN : value));
    } catch (error) {
        throw new CommandError(`${file}: ${error}; npm run bench -- --json ${file} writes it`);
    }
}

/** Describes a run: its day, machine, rounds and seconds. @param {Run} run */
export function describeRun({ machine, options: { rounds, seconds } }) {
    const often = `${rounds} ${rounds === 1 ? 'round' : 'rounds'}, ${seconds} s for one run of contending threads`;
    return `${machine.date.slice(0, 10)}; ${machineLine(machine)}; ${often}`;
}

/** The machine and the day of a picture, in lines that fit. @param {Run} run @param {string} runtime */
export function captionOf({ machine: { date, machine, cores, system } }, runtime) {
    return [`${date.slice(0, 10)}; ${machine}, ${cores} cores; ${system}`, runtime];
}

/** The browsers of a run, with versions: their figures begin with these. @param {Run} run */
export function browsersOf({ scenarios }) {
    const names = scenarios.flatMap(({ figures }) =>
        figures.flatMap(({ what }) => /^(?:Chromium|Firefox) [\d.]+/.exec(what) ?? []),
    );
    return [...new Set(names)].join(', ');
}
