/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { join } from 'node:path';
import { runQuietly } from '../../scripts/run-quietly.mjs';

/* The native tests under ThreadSanitizer, with one order relaxed. It knows which synchronisation a run had, so it
 * reports a race also where the processor kept the order by itself, as x86 does. */

/**
 * @typedef {import('../mutants/mutant-build.js').Edit} Edit
 * @typedef {import('../mutants/mutant-build.js').MutantBuild} MutantBuild
 */

/** The test whose threads meet at the operations of a file. */
const TESTS = /** @type {[RegExp, string][]} */ ([
    [/recursive/, 'recursive_mutex_matrix'],
    [/mutex|gate/, 'mutex_matrix'],
    [/event/, 'event_matrix'],
    [/latch/, 'latch_matrix'],
    [/barrier/, 'barrier_matrix'],
    [/inside/, 'lifetimes'],
    [/once/, 'once_matrix'],
    [/space/, 'space_threads'],
]);

/** A run may miss the interleaving that it needs. */
const RUNS = 5;
const LIMIT_SECONDS = 120;

/** @param {MutantBuild} build @param {string} file @param {Edit[]} edits @returns {string} what it reports, or '' */
export function sanitizerReport(build, file, edits) {
    const test = TESTS.find(([pattern]) => pattern.test(file))?.[1];
    if (!test) {
        throw new Error(`no test under ThreadSanitizer is known for ${file}`);
    }
    return reportOf([programOf(build, test, edits)]);
}

/**
 * What it reports of a release that a third thread passes on.
 * @param {MutantBuild} build @param {'rmw' | 'store'} how
 */
export function releaseSequenceReport(build, how) {
    return reportOf([programOf(build, 'release_sequence', []), how]);
}

/** @param {MutantBuild} build @param {string} target @param {Edit[]} edits */
function programOf(build, target, edits) {
    return join(build.buildWith(edits, target), 'tests', 'native', target);
}

/** @param {string[]} commandLine */
function reportOf(commandLine) {
    const sanitized = ['env', 'TSAN_OPTIONS=halt_on_error=1', ...commandLine];
    for (let run = 1; run <= RUNS; run += 1) {
        const { ok, output } = runQuietly(sanitized, { limitSeconds: LIMIT_SECONDS });
        const report = /ThreadSanitizer: (.*?)(?: \(pid=\d+\))?$/m.exec(output)?.[1];
        if (report) {
            return `${report}${run > 1 ? `, in run ${run}` : ''}`;
        }
        if (!ok) {
            throw new Error(`${commandLine.join(' ')} failed, but not by a report:\n${output}`);
        }
    }
    return '';
}
