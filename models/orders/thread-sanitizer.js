/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { join } from 'node:path';
import { runQuietly } from '../../scripts/run-quietly.mjs';
import { MutantBuild } from '../mutants/mutant-build.js';
import { isShown, orderSites, RELAXED_SITE, sitesByEnvironment } from './order-sites.js';

/* The native tests under ThreadSanitizer, with one order relaxed. It reports a race by the synchronisation of
 * a run, even if the processor kept the order by itself, as x86 does. */

/** @typedef {import('./order-sites.js').OrderSite} OrderSite */

/** For each function or file, the test in which several threads run its operations, with arguments. */
const TESTS = /** @type {[RegExp, string, ...string[]][]} */ ([
    [/channel/, 'channel_matrix'],
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

/** One run may miss the interleaving that shows the race. */
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

const RELEASE_SEQUENCE = 'release_sequence';

/** The tests, in one build. */
export class SanitizedTests {
    #build = new MutantBuild('native-tsan');
    #folder;

    constructor() {
        const tests = orderSites()
            .filter(isShown)
            .map((site) => testOf(site)[0]);
        this.#folder = this.#build.buildWith(sitesByEnvironment(), RELEASE_SEQUENCE, ...new Set(tests));
    }

    remove() {
        this.#build.remove();
    }

    /**
     * The report on the test of a site, or ''.
     *
     * @param {OrderSite} site
     * @param {{ isRelaxed: boolean }} options
     */
    reportOn(site, { isRelaxed }) {
        return this.#reportOn(testOf(site), isRelaxed ? site.number : 0);
    }

    /** The report on a release that reaches a thread through a third one, or ''. @param {'rmw' | 'store'}
     * how */
    reportOnReleaseSequence(how) {
        return this.#reportOn([RELEASE_SEQUENCE, how], 0);
    }

    /** @param {string[]} test and its arguments @param {number} relaxed */
    #reportOn([test = '', ...words], relaxed) {
        const settings = ['TSAN_OPTIONS=halt_on_error=1', `${RELAXED_SITE}=${relaxed}`];
        const commandLine = ['env', ...settings, join(this.#folder, 'tests', 'native', test), ...words];
        for (let run = 1; run <= RUNS; run += 1) {
            const { ok, output } = runQuietly(commandLine, { limitSeconds: LIMIT_SECONDS });
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
}
