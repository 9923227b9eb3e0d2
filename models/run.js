/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { parseArgs } from 'node:util';
import { isLarge, recordedStates, recordStates, shrinkage } from './explorer/recorded-states.js';
import { exploreScenario, walkScenario } from './explorer/scenario.js';
import { KNOWN } from './programs/phase.scenarios.js';
import { ALL_SCENARIOS, SCENARIOS } from './programs/scenarios.js';
import { shippedHolds, shippedModule } from './wasm/shipped-module.js';

const USAGE = `npm run model -- [--quick | --walks <count>] [--record] [part of a scenario's name]
    --quick          not the larger scenarios, which take hours and up to 6 GB
    --walks <count>  the larger scenarios only, by so many random walks through each, which prove nothing
    --record         write the numbers of states to models/programs/states.json`;

const MS_PER_SECOND = 1000;
const COUNT_WIDTH = 9;
const SECONDS_WIDTH = 7;

/**
 * @typedef {import('./explorer/scenario.js').Scenario} Scenario
 * @typedef {import('./explorer/scenario.js').AnyScenario} AnyScenario
 */

/**
 * Prints what came of each scenario.
 * @template {AnyScenario} S @param {S[]} scenarios
 * @param {(scenario: S) => { count: string, found: string, schedule: string[] }} run
 */
function runEach(scenarios, run) {
    for (const scenario of scenarios) {
        const start = performance.now();
        const { count, found, schedule } = run(scenario);
        const seconds = ((performance.now() - start) / MS_PER_SECOND).toFixed(1);
        const figures = `${count} ${seconds.padStart(SECONDS_WIDTH)} s`;
        console.log(`${figures}  ${scenario.name}: ${found || 'nothing found'}`);
        if (found) {
            schedule.forEach((line) => console.log(`    ${line}`));
            process.exitCode = 1;
        }
    }
}

/** @param {AnyScenario} scenario @param {boolean} records */
function search(scenario, records) {
    const { states, failure, schedule } = exploreScenario(
        shippedModule(),
        scenario,
        undefined,
        shippedHolds(),
    );
    const recorded = recordedStates();
    if (records && !failure) {
        recorded[scenario.name] = states;
        // In the order of the scenarios, and without those that are no more.
        recordStates(Object.fromEntries(ALL_SCENARIOS.map(({ name }) => [name, recorded[name]])));
    }
    return {
        count: `${String(states).padStart(COUNT_WIDTH)} states`,
        found: failure || shrinkage(states, recorded[scenario.name]),
        schedule,
    };
}

/** @param {Scenario} scenario @param {number} walks */
function walk(scenario, walks) {
    const { moves, failure, schedule } = walkScenario(shippedModule(), scenario, walks);
    return { count: `${String(moves).padStart(COUNT_WIDTH)} moves`, found: failure, schedule };
}

/** What is known has to be found, too. @param {Scenario[]} scenarios */
function runKnown(scenarios) {
    for (const scenario of scenarios) {
        const { failure } = exploreScenario(shippedModule(), scenario);
        console.log(`known: ${scenario.name}: ${failure || 'it is found no more'}`);
        process.exitCode = failure ? process.exitCode : 1;
    }
}

const { values, positionals } = parseArgs({
    options: {
        quick: { type: 'boolean' },
        walks: { type: 'string' },
        record: { type: 'boolean' },
        help: { type: 'boolean' },
    },
    allowPositionals: true,
});
const { quick = false, record = false, help = false, walks } = values;
const part = positionals.join(' ');
const recorded = recordedStates();
/** @template {AnyScenario} S @param {S[]} scenarios */
const chosenOf = (scenarios) => scenarios.filter(({ name }) => name.includes(part));
if (help) {
    console.log(USAGE);
} else if (walks !== undefined && !(Number(walks) > 0)) {
    console.error(`model: --walks takes a number of at least 1; this is '${walks}'`);
    process.exitCode = 1;
} else if (walks !== undefined) {
    runEach(
        chosenOf(SCENARIOS).filter((scenario) => isLarge(scenario, recorded)),
        (scenario) => walk(scenario, Number(walks)),
    );
} else {
    const chosen = chosenOf(ALL_SCENARIOS);
    runKnown(quick ? [] : chosenOf(KNOWN));
    runEach(quick ? chosen.filter((scenario) => !isLarge(scenario, recorded)) : chosen, (scenario) =>
        search(scenario, record),
    );
}
