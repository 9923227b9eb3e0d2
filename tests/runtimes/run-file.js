/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runQuietly } from '../../scripts/run-quietly.mjs';
import { fetchRuntime } from './fetch.js';
import { readReport } from './junit.js';

/* Runs a file of tests in a runtime. The report stays in build/runtimes/reports. */

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const REPORTS = join(ROOT, 'build', 'runtimes', 'reports');
/** A limit for a whole file, beside the tests' own watchdogs. */
const LIMIT_SECONDS = 300;
const LAST_WORDS = 2000;
const ENDS_WELL = 'the process ends by itself, and as its tests say';

/** @typedef {import('./runtimes.js').Runtime} Runtime */
/** @typedef {import('./junit.js').Case} Case */

/** @param {Runtime} runtime @param {string} file @param {string} ending */
const pathOf = ({ word }, file, ending) => join(REPORTS, `${word}-${file.replaceAll('/', '-')}.${ending}`);

/**
 * @param {Runtime} runtime
 * @param {string} file of tests, from the repository's root
 * @returns {Case[]} its tests, and one case more for the process that ran them
 */
export function runFile(runtime, file) {
    mkdirSync(REPORTS, { recursive: true });
    const [report, result] = [pathOf(runtime, file, 'xml'), pathOf(runtime, file, 'json')];
    // Removes an earlier run's results, which a run that is cut short would leave.
    [report, result].forEach((path) => rmSync(path, { force: true }));
    const { ok, output } = runQuietly([fetchRuntime(runtime), ...runtime.test(file, report)], {
        cwd: ROOT,
        limitSeconds: LIMIT_SECONDS,
    });
    // A hanging run leaves no report.
    const cases = existsSync(report) ? readReport(readFileSync(report, 'utf8')) : [];
    const endsWell = cases.length > 0 && ok === cases.every(({ outcome }) => outcome !== 'failed');
    cases.push({
        title: ENDS_WELL,
        outcome: endsWell ? 'passed' : 'failed',
        message: endsWell ? '' : output.slice(-LAST_WORDS),
    });
    writeFileSync(result, JSON.stringify(cases, undefined, 1));
    return cases;
}

/**
 * The results of the last run.
 *
 * @param {Runtime} runtime
 * @param {string} file
 * @returns {Case[]} one failure, if the run left no report
 */
export function readCases(runtime, file) {
    const path = pathOf(runtime, file, 'json');
    if (!existsSync(path)) {
        return [{ title: ENDS_WELL, outcome: 'failed', message: `there is no ${relative(ROOT, path)}` }];
    }
    return JSON.parse(readFileSync(path, 'utf8'));
}
