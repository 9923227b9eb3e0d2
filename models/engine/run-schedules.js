/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { randomChooser } from './choosers.js';
import { engineMachine, runSchedule } from './schedule.js';

/* Runs one schedule per seed, until one fails. Takes and returns plain data, for pages. */

/**
 * @typedef {import('./engine.js').Engine} Engine
 * @typedef {import('./schedule.js').Outcome} Outcome
 * @typedef {import('../explorer/scenario.js').Scenario} Scenario
 * @typedef {import('../explorer/machine.js').Machine} Machine
 *
 * @typedef {{ seed: number, count: number, pct?: number }} Order seed: of the first schedule; pct: see choosers.js
 *
 * @typedef {Pick<Outcome, 'failure' | 'inEngine' | 'end'>} Shown
 * @typedef {Shown & { seed: number, scenario: string, schedule: string[] }} Failure
 *
 * @typedef {{ schedules: number, distinct: number, steps: number, milliseconds: number, failure?: Failure }} Result
 */

/** Seeds of the schedules that measure the length of a schedule. */
const PROBES = [1, 2, 3];
const ANY_LENGTH = 40;

/**
 * @param {Engine} engine
 * @param {Scenario[]} scenarios used in turn, one per seed
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
        if (outcome.failure) {
            const { failure: found, inEngine, schedule, end } = outcome;
            failure = { seed, scenario: scenario.name, failure: found, inEngine, schedule: schedule(), end };
        }
    }
    return { schedules, distinct: paths.size, steps, milliseconds: performance.now() - start, failure };
}

/** @param {Engine} engine @param {Scenario} scenario */
function probed(engine, scenario) {
    const machine = engineMachine(engine, scenario);
    const walks = PROBES.map((seed) =>
        runSchedule(engine, scenario, randomChooser({ seed, length: ANY_LENGTH }), machine),
    );
    return { machine, length: Math.max(...walks.map(({ steps }) => steps)) };
}
