/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { fixpointOf } from '../any-number/fixpoint.js';
import { concreteOf } from '../any-number/inclusion.js';
import { BLOCKING_SCENARIOS, LOOP_SCENARIOS } from '../any-number/scenarios.js';
import { recordedStates } from '../explorer/recorded-states.js';
import { shippedModule } from '../wasm/shipped-module.js';
import { findingIn } from './mutant-checks.js';

/* Compares two reports on a mistake: by the search for any number of blocking threads (models/any-number/),
 * and by the explorer with a few. */

/**
 * Ways to replay a report: the threads' choices, the numbers of threads, and the most worlds. With fewer
 * choices a search gets deeper. In the second way, the time is always up when a thread checks it.
 *
 * @type {{ choices: string[] | undefined, threads: number[], most: number }[]}
 */
const REPLAYS = [
    { choices: ['lock', 'unlock'], threads: [2, 3, 4], most: 40_000 },
    { choices: ['lock', 'unlock', 'lock for 60000000', '0'], threads: [3], most: 300_000 },
    { choices: undefined, threads: [2, 3, 4], most: 40_000 },
];
/** Larger scenarios take minutes for each mistake that they do not reveal. */
const MOST_STATES = 13_000;

const recorded = recordedStates();
const SCENARIOS = BLOCKING_SCENARIOS.filter(({ name }) => (recorded[name] ?? Infinity) <= MOST_STATES).sort(
    (one, other) => (recorded[one.name] ?? 0) - (recorded[other.name] ?? 0),
);

/**
 * @typedef {object} Verdict
 * @property {string} report the failure with any number of threads, or ''
 * @property {string} replay the same failure with a few threads, or ''
 * @property {string} finding the explorer's finding, if nothing was reported or replayed
 * @property {boolean} isSame whether blocking threads behave as with the shipped module
 */

export class AnyNumberChecks {
    #shipped = /** @type {import('../any-number/fixpoint.js').Fixpoint} */ (
        fixpointOf(shippedModule()).fixpoint
    ).text();

    /** @param {import('../wasm/decoder.js').Module} module @returns {Verdict} */
    verdictOn(module) {
        const { failure: report, fixpoint } = fixpointOf(module);
        // Without a fixpoint, the report compares two words, and there is nothing to replay.
        const replay = !report ? '' : fixpoint ? replayOf(fixpoint, report) : 'by two words of calls';
        const isSame = !report && fixpoint?.text() === this.#shipped;
        return { report, replay, isSame, finding: isSame || replay ? '' : findingOf(module) };
    }
}

/**
 * The report of any number of threads and event loops. It takes up to minutes.
 *
 * @param {import('../wasm/decoder.js').Module} module
 */
export function reportWithLoops(module) {
    return fixpointOf(module, { loops: true }).failure;
}

/** True if the explorer needs event loops to find the mutant. @param {{ checks: string[] }} mutant */
export function isOfLoops({ checks }) {
    return LOOP_SCENARIOS.some(({ name }) => checks.includes(name));
}

/** @param {import('../any-number/fixpoint.js').Fixpoint} fixpoint @param {string} report */
function replayOf(fixpoint, report) {
    for (const { choices, threads, most } of REPLAYS) {
        for (const number of threads) {
            const { schedule, count } = concreteOf(fixpoint, report, number, most, choices);
            if (schedule.length > 0) {
                return `${schedule.length} steps of ${number} threads, in ${count} worlds`;
            }
        }
    }
    return '';
}

/** @param {import('../wasm/decoder.js').Module} module */
function findingOf(module) {
    for (const scenario of SCENARIOS) {
        const finding = findingIn(module, scenario);
        if (finding) {
            return `${scenario.name}: ${finding}`;
        }
    }
    return '';
}
