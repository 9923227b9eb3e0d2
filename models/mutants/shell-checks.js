/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { PUT_BACK } from './put-back.js';
import { ShellCopy } from './shell-copy.js';
import { FUZZER, SHELL_MUTANTS } from './shell-mutants.js';

/* Whether the fuzzer, or a test, notices mistakes in the shell, and the defects that were mended, put back. */

const PROGRAMS = 250;
/** Of those that a switch of the fuzzer names there are fewer in a thousand. */
const PROGRAMS_WITH_SWITCH = 900;

/** Tests that run the shell, the quickest first. */
export const NOTICING_TESTS = [
    'tests/glue/waiting-decisions.test.js',
    'tests/glue/request-queue.test.js',
    'tests/glue/alarms.test.js',
    'tests/glue/timeouts.test.js',
    'tests/glue/sweep.test.js',
    'tests/glue/shared-signal.test.js',
    'tests/glue/throwing-signals.test.js',
    'tests/glue/yielding.test.js',
    'tests/glue/mutex.test.js',
    'tests/glue/primitives-waits.test.js',
    'tests/glue/condition.test.js',
    'tests/glue/semaphore.test.js',
    'tests/glue/rwlock.test.js',
    'tests/glue/barrier.test.js',
    'tests/glue/missing-runtime-parts.test.js',
    'tests/glue/mutex-unlock-refused.test.js',
    'tests/glue/mutex-lost-locks.test.js',
    'tests/glue/freed-locks.test.js',
    'tests/glue/process-lifetime.test.js',
    'tests/glue/mutex-many-requests.test.js',
    'tests/glue/mutex-absent-waiters.test.js',
    'tests/glue/mutex-busy-waiters.test.js',
    'tests/glue/mutex-contended.test.js',
    'tests/glue/primitives-threads.test.js',
];

/**
 * @param {ShellCopy} copy
 * @param {string[]} files
 * @returns {string} the first that fails, and which of its tests
 */
function noticedByTest(copy, files) {
    for (const file of files) {
        const test = copy.failingTest(file);
        // Twice: on a busy machine a test may fail once for want of time.
        if (test && fails(copy, file, test)) {
            return `${file} (${test})`;
        }
    }
    return '';
}

/**
 * Whether a test fails again: by itself, or only after those before it.
 *
 * @param {ShellCopy} copy
 * @param {string} file
 * @param {string} test
 */
function fails(copy, file, test) {
    return (
        (test !== ShellCopy.NO_END && copy.failingTest(file, test) === test) || copy.failingTest(file) !== ''
    );
}

/**
 * What notices the glue as it is now: the fuzzer, or else a test.
 *
 * @param {ShellCopy} copy
 * @param {number} programs
 * @param {string[]} switches
 * @param {string[]} tests
 * @returns {[string, string][]}
 */
function checksOf(copy, programs, switches, tests) {
    const fuzzed = programs > 0 ? copy.fuzzed(programs, switches) : '';
    const test = fuzzed ? '' : noticedByTest(copy, tests);
    return [
        [`fuzzer (${fuzzed})`, fuzzed],
        [test, test],
    ];
}

/**
 * The same, but first of all the check that is known to notice the mistake.
 *
 * @param {ShellCopy} copy
 * @param {{ foundBy: string }} mutant
 * @returns {[string, string][]}
 */
function checksOn(copy, { foundBy }) {
    const test =
        foundBy === FUZZER || foundBy === '' ? '' : noticedByTest(copy, [`tests/glue/${foundBy}.test.js`]);
    return test ? [[test, test]] : checksOf(copy, PROGRAMS, [], NOTICING_TESTS);
}

/** @param {[string, string][]} checks of the glue as it is, in its copy */
function checkUnchanged(checks) {
    const found = checks.find(([, finding]) => finding);
    if (found) {
        throw new Error(`the glue as it is fails in its copy, so that nothing can be said: ${found[0]}`);
    }
}

/**
 * @typedef {(killers: { name: string, checks: [string, string][] }) => boolean} Report
 *
 * @param {Report} report
 * @param {string} only those whose names have that text
 * @returns {boolean[]} which are noticed
 */
export function runShellMutants(report, only) {
    const copy = new ShellCopy();
    checkUnchanged(checksOf(copy, PROGRAMS, [], NOTICING_TESTS));
    const mutants = Object.entries(SHELL_MUTANTS).flatMap(([file, ofFile]) =>
        ofFile.map(([name, from, to, foundBy]) => ({ name: `${file}: ${name}`, file, from, to, foundBy })),
    );
    const killed = mutants
        .filter(({ name }) => name.includes(only))
        .map((mutant) =>
            report({ name: mutant.name, checks: copy.with([mutant], () => checksOn(copy, mutant)) }),
        );
    copy.remove();
    return killed;
}

/**
 * @param {Report} report
 * @param {string} only those whose names have that text
 * @returns {boolean[]} which are noticed
 */
export function runPutBack(report, only) {
    const copy = new ShellCopy();
    const chosen = PUT_BACK.filter(({ defect, name }) => `${defect}: ${name}`.includes(only));
    checkUnchanged(checksOf(copy, 0, [], [...new Set(chosen.flatMap(({ tests }) => tests))]));
    const killed = chosen.map(({ defect, name, edits, switches, tests }) => {
        const checks = copy.with(
            edits.map((edit) => ({ name, ...edit })),
            () => checksOf(copy, switches.length > 0 ? PROGRAMS_WITH_SWITCH : 0, switches, tests),
        );
        return report({
            name: `${defect}: ${name}${edits.length === 0 ? ' (not mended yet)' : ''}`,
            checks,
        });
    });
    copy.remove();
    return killed;
}
