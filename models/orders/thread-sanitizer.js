/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { join } from 'node:path';
import { runQuietly } from '../../scripts/run-quietly.mjs';

/* The native tests under ThreadSanitizer, with one order relaxed. It knows which synchronisation a run had, so it
 * reports a race also where the processor kept the order by itself, as x86 does. */

/**
 * @typedef {import('../mutants/mutant-build.js').Edit} Edit
 * @typedef {import('../mutants/mutant-build.js').MutantBuild} MutantBuild
 * @typedef {import('./order-sites.js').OrderSite} OrderSite
 */

/** The test whose threads meet at the operations of a function, or of a file, and its arguments. */
const TESTS = /** @type {[RegExp, string, ...string[]][]} */ ([
    [/hf__gate_join/, 'pthread', 'rwlocks'],
    [/pthread.mutex/, 'pthread', 'mutexes'],
    [/condition/, 'lifetimes'],
    [/recursive/, 'recursive_mutex_matrix'],
    [/rwlock/, 'rwlock_matrix'],
    [/semaphore/, 'semaphore_matrix'],
    [/hf__gate_shut|hf_event_reset/, 'litmus', 'event'],
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

/** @param {OrderSite} site @returns {[string, ...string[]]} the test that shows it, and its arguments */
export function testOf({ file, inFunction }) {
    const [, test, ...words] = TESTS.find(([pattern]) => pattern.test(`${file} ${inFunction}`)) ?? [];
    if (!test) {
        throw new Error(`no test under ThreadSanitizer is known for ${inFunction} of ${file}`);
    }
    return [test, ...words];
}

/** @param {MutantBuild} build @param {OrderSite} site @param {Edit[]} edits @returns {string} what it reports, or '' */
export function sanitizerReport(build, site, edits) {
    const [test, ...words] = testOf(site);
    return reportOf([programOf(build, test, edits), ...words]);
}

/**
 * ThreadSanitizer's report on a release that a third thread passes on.
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
