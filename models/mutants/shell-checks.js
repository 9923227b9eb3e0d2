/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { NO_END } from './project-copy.js';
import { PUT_BACK } from './put-back.js';
import { ShellCopy } from './shell-copy.js';
import { FUZZER, SHELL_MUTANTS } from './shell-mutants.js';

/* Checks that the fuzzer or a test finds mistakes in the shell, and defects put back. */

/**
 * @typedef {import('./mutants.js').SourceMutant} SourceMutant
 * @typedef {[check: string, finding: string]} Check '' is the finding of a check that found nothing
 * @typedef {(name: string, checks: Check[]) => boolean} Report whether any check found something
 */

const PROGRAMS = 250;
/** Programs that need a switch are rarer. */
const PROGRAMS_WITH_SWITCH = 900;

/** Tests that run the shell, the quickest first. */
export const NOTICING_TESTS = [
    'tests/glue/request-queue.test.js',
    'tests/glue/alarms.test.js',
    'tests/glue/timeouts.test.js',
    'tests/glue/sweep.test.js',
    'tests/glue/shared-signal.test.js',
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

/** The first file that fails, and which of its tests. @param {ShellCopy} copy @param {string[]} files */
function noticedByTest(copy, files) {
    for (const file of files) {
        const test = copy.failingTest(file);
        // Twice: on a busy machine a test may fail once for want of time.
        if (test && failsAgain(copy, file, test)) {
            return `${file} (${test})`;
        }
    }
    return '';
}

/** By itself, or only after those before it. @param {ShellCopy} copy @param {string} file @param {string} test */
function failsAgain(copy, file, test) {
    return (test !== NO_END && copy.failingTest(file, test) === test) || copy.failingTest(file) !== '';
}

/**
 * The fuzzer, or else a test.
 * @param {ShellCopy} copy @param {number} programs @param {string[]} switches @param {string[]} tests
 * @returns {Check[]}
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
 * The same, behind the check that is known to notice the mistake.
 * @param {ShellCopy} copy @param {SourceMutant} mutant @returns {Check[]}
 */
function checksOn(copy, { foundIn }) {
    const test = foundIn === FUZZER ? '' : noticedByTest(copy, [`tests/glue/${foundIn}.test.js`]);
    return test ? [[test, test]] : checksOf(copy, PROGRAMS, [], NOTICING_TESTS);
}

/** @param {Check[]} checks of the glue as it is, in its copy */
function checkUnchanged(checks) {
    const found = checks.find(([, finding]) => finding);
    if (found) {
        throw new Error(`the glue as it is fails in its copy, so that nothing can be said: ${found[0]}`);
    }
}

/** @param {Report} report @param {(mutant: { name: string }) => boolean} isWanted */
export function runShellMutants(report, isWanted) {
    const copy = new ShellCopy();
    checkUnchanged(checksOf(copy, PROGRAMS, [], NOTICING_TESTS));
    const killed = SHELL_MUTANTS.map((mutant) => ({ ...mutant, name: `${mutant.file}: ${mutant.name}` }))
        .filter(isWanted)
        .map((mutant) =>
            report(
                mutant.name,
                copy.with([mutant], () => checksOn(copy, mutant)),
            ),
        );
    copy.remove();
    return killed;
}

/** @param {Report} report @param {(mutant: { name: string }) => boolean} isWanted */
export function runPutBack(report, isWanted) {
    const copy = new ShellCopy();
    const chosen = PUT_BACK.filter(isWanted);
    checkUnchanged(checksOf(copy, 0, [], [...new Set(chosen.flatMap(({ tests }) => tests))]));
    const killed = chosen.map(({ name, edits, switches, tests }) => {
        const programs = switches.length > 0 ? PROGRAMS_WITH_SWITCH : 0;
        return report(
            name,
            copy.with(edits, () => checksOf(copy, programs, switches, tests)),
        );
    });
    copy.remove();
    return killed;
}
