/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { randomChooser } from './choosers.js';
import { engineMachine, runSchedule } from './schedule.js';

/* Many schedules, one a seed, until one fails. Plain data in and out, so that it can be had from a browser. */

/**
 * @typedef {import('../explorer/scenario.js').Scenario} Scenario
 * @typedef {import('../explorer/machine.js').Machine} Machine
 *
 * @typedef {object} Order
 * @property {number} seed of the first schedule; the next ones follow it
 * @property {number} count
 * @property {number} [pct] see choosers.js
 *
 * @typedef {object} Failure
 * @property {number} seed
 * @property {string} scenario
 * @property {string} failure
 * @property {string[]} inEngine
 * @property {string[]} schedule
 * @property {string[]} end
 *
 * @typedef {object} Result
 * @property {number} schedules
 * @property {number} distinct how many of them differ
 * @property {number} steps
 * @property {number} milliseconds
 * @property {Failure | undefined} failure
 */

/** Schedules that only tell how long one is. */
const PROBES = [1, 2, 3];
const ANY_LENGTH = 40;

/**
 * @param {import('./engine.js').Engine} engine
 * @param {Scenario[]} scenarios a seed stands for a schedule of one of them
 * @param {Order} order
 * @returns {Result}
 */
export function runSchedules(engine, scenarios, { seed: firstSeed, count, pct }) {
    const start = performance.now();
    /** @type {Map<Scenario, { machine: Machine, length: number }>} */
    const known = new Map();
    const paths = new Set();
    let schedules = 0;
    let steps = 0;
    let failure;
    for (let seed = firstSeed; seed < firstSeed + count && !failure; seed += 1) {
        const scenario = /** @type {Scenario} */ (scenarios[seed % scenarios.length]);
        const { machine, length } = known.get(scenario) ?? probed(engine, scenario);
        known.set(scenario, { machine, length });
        const outcome = runSchedule(engine, scenario, randomChooser({ seed, length, pct }), machine);
        schedules += 1;
        steps += outcome.steps;
        paths.add(`${scenario.name} ${outcome.path}`);
        failure = failureOf(outcome, scenario, seed);
    }
    return { schedules, distinct: paths.size, steps, milliseconds: performance.now() - start, failure };
}

/**
 * @param {import('./engine.js').Engine} engine
 * @param {Scenario} scenario
 */
function probed(engine, scenario) {
    const machine = engineMachine(engine, scenario);
    const walks = PROBES.map((seed) =>
        runSchedule(engine, scenario, randomChooser({ seed, length: ANY_LENGTH }), machine),
    );
    return { machine, length: Math.max(...walks.map(({ steps }) => steps)) };
}

/**
 * @param {import('./schedule.js').Outcome} outcome
 * @param {Scenario} scenario
 * @param {number} seed
 * @returns {Failure | undefined}
 */
function failureOf({ failure, inEngine, schedule, end }, { name }, seed) {
    return failure ? { seed, scenario: name, failure, inEngine, schedule: schedule(), end } : undefined;
}
