/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { runQuietly } from '../../scripts/run-quietly.mjs';
import { testFilesOf } from '../../scripts/test-files.mjs';

/* The tests of the glue in Node, with V8's counts in all their processes and threads, collected by c8. Runs
 * of the glue in the models and in browsers do not count. */

/**
 * @typedef {{ start: { line: number }, end: { line: number } }} Range
 *
 * @typedef {object} IstanbulFile as c8 writes it: each line is a statement, each block that V8 counts a branch
 * @property {string} path
 * @property {Record<string, Range>} statementMap
 * @property {Record<string, number>} s
 * @property {Record<string, { loc: Range }>} branchMap
 * @property {Record<string, number[]>} b
 */

/** Tests of the glue that bundle it, or run it in other tools. */
const OTHERS = ['tests/glue/copies.test.js', 'tests/glue/fake-timers.test.js'];

/** Tests that run the glue as users do. */
const TESTS = [
    ...testFilesOf(['tests/glue']).filter((file) => !OTHERS.includes(file)),
    'tests/docs/examples.test.js',
    'tests/docs/readme.test.js',
    'tests/verification/layout.test.js',
];

/** Files that scripts generate, and that contain only data. */
const GENERATED = [
    'core-bytes',
    'freeing-bytes',
    'family-bytes',
    'holds-bytes',
    'depths-bytes',
    'file-bytes',
    'layout',
].map((name) => `js-glue/memory/${name}.js`);

/**
 * @param {string} root of the project
 * @returns {import('./uncovered.js').FileCoverage[]}
 */
export function coverageOfGlue(root) {
    const folder = join(root, 'build', 'glue-coverage');
    rmSync(folder, { recursive: true, force: true });
    const { ok, output } = runQuietly(
        [
            process.execPath,
            join(root, 'node_modules', 'c8', 'bin', 'c8.js'),
            '--all',
            '--src=js-glue',
            '--include=js-glue/**',
            ...GENERATED.map((file) => `--exclude=${file}`),
            '--reporter=json',
            `--reports-dir=${folder}`,
            `--temp-directory=${join(folder, 'counts')}`,
            process.execPath,
            '--test',
            '--test-concurrency=1',
            ...TESTS,
        ],
        { cwd: root },
    );
    if (!ok) {
        throw new Error(`the tests of the glue failed:\n${output}`);
    }
    /** @type {Record<string, IstanbulFile>} */
    const report = JSON.parse(readFileSync(join(folder, 'coverage-final.json'), 'utf8'));
    const files = Object.values(report).map((file) => summaryOf(root, file));
    assertAllThere(root, files);
    return files.sort((a, b) => a.file.localeCompare(b.file));
}

/**
 * @param {string} root
 * @param {IstanbulFile} file
 * @returns {import('./uncovered.js').FileCoverage}
 */
function summaryOf(root, { path, statementMap, s, branchMap, b }) {
    const lines = Object.entries(statementMap).map(([id, { start }]) => ({
        line: start.line,
        count: s[id] ?? 0,
    }));
    const branches = Object.entries(branchMap).map(([id, { loc }]) => ({
        line: loc.start.line,
        count: b[id]?.[0] ?? 0,
    }));
    const missedLines = lines.filter(({ count }) => count === 0).map(({ line }) => line);
    const missedBranches = branches.filter(({ line, count }) => count === 0 && !missedLines.includes(line));
    return {
        file: path.slice(root.length).replace(/^\//, ''),
        lines: { all: lines.length, run: lines.length - missedLines.length },
        branches: { all: branches.length, run: branches.filter(({ count }) => count > 0).length },
        missed: [
            ...missedLines.map((line) => ({ line, what: /** @type {const} */ ('line') })),
            ...missedBranches.map(({ line }) => ({ line, what: /** @type {const} */ ('branch') })),
        ].sort((a, b) => a.line - b.line),
    };
}

/**
 * @param {string} root
 * @param {{ file: string }[]} files
 */
function assertAllThere(root, files) {
    const sources = readdirSync(join(root, 'js-glue'), { recursive: true, encoding: 'utf8' }).filter((name) =>
        name.endsWith('.js'),
    );
    const expected = sources.map((name) => `js-glue/${name}`).filter((file) => !GENERATED.includes(file));
    const missing = expected.filter((file) => !files.some((covered) => covered.file === file));
    if (missing.length > 0) {
        throw new Error(`no counts for ${missing.join(', ')}`);
    }
}
