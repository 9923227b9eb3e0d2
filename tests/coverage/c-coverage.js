/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { runQuietly } from '../../scripts/run-quietly.mjs';

/* The native tests in the preset native-coverage, and what gcov counted. A header is compiled into many objects:
 * a line has run if it ran in one of them. The preset does not optimise, so each branch is one of the source. */

/**
 * @typedef {object} GcovLine
 * @property {number} line_number
 * @property {number} count
 * @property {{ count: number }[]} branches
 *
 * @typedef {{ files: { file: string, lines: GcovLine[] }[] }} GcovReport
 * @typedef {import('./uncovered.js').Place} Place
 * @typedef {import('./uncovered.js').FileCoverage} FileCoverage
 */

const PRESET = 'native-coverage';
const COUNTED = /\.gcda$/;

/**
 * @param {string[]} commandLine
 * @param {string} cwd
 */
function outputOf(commandLine, cwd) {
    const { ok, output } = runQuietly(commandLine, { cwd });
    if (!ok) {
        throw new Error(`${commandLine.join(' ')} failed:\n${output}`);
    }
    return output;
}

/**
 * @param {string} folder
 * @returns {string[]}
 */
function countsIn(folder) {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((name) => COUNTED.test(name))
        .map((name) => join(folder, name));
}

/**
 * @param {string} root of the project
 * @returns {FileCoverage[]}
 */
export function coverageOfC(root) {
    const folder = join(root, 'build', PRESET);
    outputOf(['cmake', '--preset', PRESET], root);
    outputOf(['cmake', '--build', '--preset', PRESET], root);
    countsIn(folder).forEach((file) => rmSync(file));
    outputOf(['ctest', '--preset', PRESET], root);
    const reports = countsIn(folder)
        .flatMap((file) => outputOf(['gcov', '-b', '--json-format', '--stdout', file], folder).split('\n'))
        .filter((line) => line.startsWith('{'))
        .map((line) => /** @type {GcovReport} */ (JSON.parse(line)));
    return merge(root, reports);
}

/**
 * @param {string} root
 * @param {GcovReport[]} reports
 */
function merge(root, reports) {
    /** @type {Map<string, Map<number, { count: number, branches: number[] }>>} */
    const files = new Map();
    for (const { file, lines } of reports.flatMap((report) => report.files)) {
        const name = file.startsWith(root) ? file.slice(root.length).replace(/^\//, '') : '';
        if (!name.startsWith('c-src/')) {
            continue;
        }
        const known = files.get(name) ?? new Map();
        files.set(name, known);
        for (const { line_number: at, count, branches } of lines) {
            const before = known.get(at) ?? { count: 0, branches: branches.map(() => 0) };
            known.set(at, {
                count: before.count + count,
                branches: branches.map((branch, index) => (before.branches[index] ?? 0) + branch.count),
            });
        }
    }
    return Array.from(files, ([file, lines]) => summaryOf(file, lines)).sort((a, b) =>
        a.file.localeCompare(b.file),
    );
}

/**
 * @param {string} file
 * @param {Map<number, { count: number, branches: number[] }>} lines
 * @returns {FileCoverage}
 */
function summaryOf(file, lines) {
    const all = [...lines].sort(([a], [b]) => a - b);
    const branches = all.flatMap(([line, { branches: counts }]) => counts.map((count) => ({ line, count })));
    return {
        file,
        lines: { all: all.length, run: all.filter(([, { count }]) => count > 0).length },
        branches: { all: branches.length, run: branches.filter(({ count }) => count > 0).length },
        missed: all
            .filter(([, { count, branches: counts }]) => count === 0 || counts.includes(0))
            .map(([line, { count }]) => ({ line, what: count === 0 ? 'line' : 'branch' })),
    };
}
