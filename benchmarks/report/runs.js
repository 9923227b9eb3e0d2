/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { readFileSync } from 'node:fs';
import { machineLine } from '../words.js';

/* A file that `npm run bench -- --json FILE` wrote. */

/**
 * @typedef {object} Run
 * @property {import('../words.js').Machine} machine
 * @property {import('../scenarios/scenarios.js').Options} options
 * @property {import('../terminal.js').Result[]} scenarios
 */

/** The report cannot be made of what is there; the message says why. */
export class ReportError extends Error {
    /** @override */
    name = 'ReportError';
}

/**
 * @param {string} file
 * @returns {Run}
 * @throws {ReportError}
 */
export function readRun(file) {
    try {
        // A figure that is no number becomes null in JSON, and nothing else there does.
        return JSON.parse(readFileSync(file, 'utf8'), (_, value) => (value === null ? NaN : value));
    } catch (error) {
        throw new ReportError(`${file}: ${error}; npm run bench -- --json ${file} writes it`);
    }
}

/** On which day, where and how often something was measured. @param {Run} run */
export function describeRun({ machine, options: { rounds, seconds } }) {
    const often = `${rounds} ${rounds === 1 ? 'round' : 'rounds'}, ${seconds} s for one run of contending threads`;
    return `${machine.date.slice(0, 10)}; ${machineLine(machine)}; ${often}`;
}

/**
 * The machine and the day of a picture, in lines that fit.
 *
 * @param {Run} run
 * @param {string} runtime
 */
export function captionOf({ machine: { date, machine, cores, system } }, runtime) {
    return [`${date.slice(0, 10)}; ${machine}, ${cores} cores; ${system}`, runtime];
}

/** Their figures begin with their names and versions. @param {Run} run */
export function browsersOf({ scenarios }) {
    const names = scenarios.flatMap(({ figures }) =>
        figures.flatMap(({ what }) => /^(?:Chromium|Firefox) [\d.]+/.exec(what) ?? []),
    );
    return [...new Set(names)].join(', ');
}
