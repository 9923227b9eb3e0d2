/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { existsSync, readFileSync } from 'node:fs';
import { machineLine } from '../words.js';

/* A file that `npm run bench -- --json FILE` wrote. */

/**
 * @typedef {object} Run
 * @property {import('../words.js').Machine} machine
 * @property {import('../scenarios/scenarios.js').Options} options
 * @property {import('../terminal.js').Result[]} scenarios
 */

/** In a line of small letters, 800 pixels wide. */
const CAPTION_LETTERS = 132;

/** The report cannot be made of what is there; the message says why. */
export class ReportError extends Error {
    /** @override */
    name = 'ReportError';
}

/** @param {unknown} value @param {string} type */
function isOf(value, type) {
    return type === 'array' ? Array.isArray(value) : typeof value === type;
}

/**
 * @param {any} value
 * @param {Record<string, string>} types of its properties
 * @param {string} name
 */
function demand(value, types, name) {
    if (typeof value !== 'object') {
        throw new ReportError(`${name} is missing`);
    }
    for (const [property, type] of Object.entries(types)) {
        if (!isOf(value[property], type)) {
            throw new ReportError(
                `${name} has no ${property} that is a${type === 'array' ? 'n' : ''} ${type}`,
            );
        }
    }
}

/** @param {any} run @returns {Run} */
function check(run) {
    demand(run, { machine: 'object', options: 'object', scenarios: 'array' }, 'the file');
    const texts = { date: 'string', machine: 'string', system: 'string', runtime: 'string' };
    demand(run.machine, { ...texts, cores: 'number' }, 'its machine');
    demand(run.options, { rounds: 'number', seconds: 'number' }, 'its options');
    for (const scenario of run.scenarios) {
        demand(scenario, { name: 'string', figures: 'array', series: 'array' }, 'a scenario');
        for (const figure of scenario.figures) {
            const types = { what: 'string', unit: 'string', value: 'number', missed: 'boolean' };
            demand(figure, types, `a figure of ${scenario.name}`);
        }
        for (const series of scenario.series) {
            const types = { picture: 'string', panel: 'string', contestant: 'string', points: 'array' };
            demand(series, types, `a series of ${scenario.name}`);
        }
    }
    return run;
}

/**
 * @param {string} file
 * @throws {ReportError}
 */
export function readRun(file) {
    if (!existsSync(file)) {
        throw new ReportError(`${file} is not there; npm run bench -- --json ${file} writes it`);
    }
    try {
        // A figure that is no number becomes null in JSON, and nothing else there does.
        return check(JSON.parse(readFileSync(file, 'utf8'), (_, value) => (value === null ? NaN : value)));
    } catch (error) {
        throw new ReportError(`${file}: ${error instanceof Error ? error.message : error}`);
    }
}

/** @param {Run} run */
function dayOf({ machine }) {
    return machine.date.slice(0, 10);
}

/** On which day, where and how often something was measured. @param {Run} run */
export function describeRun(run) {
    const { rounds, seconds } = run.options;
    return `${dayOf(run)}; ${machineLine(run.machine)}; ${rounds} ${rounds === 1 ? 'round' : 'rounds'}, ${seconds} s for one run of contending threads`;
}

/**
 * The same for a picture, in lines that fit.
 *
 * @param {Run[]} runs
 * @param {(run: Run) => string} runtimeOf
 */
export function captionOf(runs, runtimeOf) {
    return runs.flatMap((run) => {
        const machine = { ...run.machine, runtime: runtimeOf(run) };
        return wrap([dayOf(run), ...machineLine(machine).split('; ')]);
    });
}

/** @param {Run} run */
export function nodeOf({ machine }) {
    return machine.runtime;
}

/** Their figures begin with their names and versions. @param {Run} run */
export function browsersOf({ scenarios }) {
    const names = scenarios.flatMap(({ figures }) =>
        figures.flatMap(({ what }) => /^(?:Chromium|Firefox) [\d.]+/.exec(what) ?? []),
    );
    return [...new Set(names)].join(', ');
}

/** @param {string[]} parts */
function wrap(parts) {
    /** @type {string[]} */
    const lines = [];
    for (const part of parts) {
        const longer = `${lines.at(-1)}; ${part}`;
        if (lines.length > 0 && longer.length <= CAPTION_LETTERS) {
            lines[lines.length - 1] = longer;
        } else {
            lines.push(part);
        }
    }
    return lines;
}
