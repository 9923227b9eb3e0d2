/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { PUT_BACK } from './put-back.js';
import { ShellCopy } from './shell-copy.js';
import { SHELL_MUTANTS } from './shell-mutants.js';

/* Whether the fuzzer, or a test, notices mistakes in the shell, and the defects that were mended, put back. */

const PROGRAMS = 250;
/** Of those that a switch of the fuzzer names there are fewer in a thousand. */
const PROGRAMS_WITH_SWITCH = 900;

/** Tests that run the shell, the quickest first. */
const TESTS = [
    'request-queue',
    'mutex',
    'waits',
    'condition',
    'semaphore',
    'rwlock',
    'barrier',
    'seldom',
    'regressions',
    'traps',
];

/**
 * @param {ShellCopy} copy
 * @param {string[]} names of test files
 * @returns {string} the first that fails, and which of its tests
 */
function noticedByTest(copy, names) {
    for (const name of names) {
        const test = copy.failingTest(`tests/${name}.test.js`);
        if (test) {
            return `${name}.test.js (${test})`;
        }
    }
    return '';
}

/**
 * @typedef {(killers: { name: string, checks: [string, string][] }) => boolean} Report
 *
 * @param {Report} report
 * @returns {boolean[]} which are noticed
 */
export function runShellMutants(report) {
    const copy = new ShellCopy();
    const unchanged = copy.fuzzed(PROGRAMS);
    if (unchanged) {
        throw new Error(`the fuzzer fails on the glue as it is, so that nothing can be said: ${unchanged}`);
    }
    const killed = Object.entries(SHELL_MUTANTS).flatMap(([file, mutants]) =>
        mutants.map(([name, from, to]) => {
            const [fuzzed, test] = copy.with([{ name, file, from, to }], () => {
                const found = copy.fuzzed(PROGRAMS);
                return [found, found ? '' : noticedByTest(copy, TESTS)];
            });
            return report({
                name: `${file}: ${name}`,
                checks: [
                    [`fuzzer (${fuzzed})`, fuzzed ?? ''],
                    [test ?? '', test ?? ''],
                ],
            });
        }),
    );
    copy.remove();
    return killed;
}

/** @param {Report} report @returns {boolean[]} which are noticed */
export function runPutBack(report) {
    const copy = new ShellCopy();
    const killed = PUT_BACK.map(({ defect, name, edits, switches, tests }) => {
        const [fuzzed, test] = copy.with(
            edits.map((edit) => ({ name, ...edit })),
            () => {
                const found = switches.length > 0 ? copy.fuzzed(PROGRAMS_WITH_SWITCH, switches) : '';
                return [found, found ? '' : noticedByTest(copy, tests)];
            },
        );
        return report({
            name: `${defect}: ${name}${edits.length === 0 ? ' (not mended yet)' : ''}`,
            checks: [
                [`fuzzer (${fuzzed})`, fuzzed ?? ''],
                [test ?? '', test ?? ''],
            ],
        });
    });
    copy.remove();
    return killed;
}
