/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { parseArgs } from 'node:util';
import { fixpointOf } from './any-number/fixpoint.js';
import { BLOCKING_SCENARIOS, FollowedScenario, LOOP_SCENARIOS } from './any-number/scenarios.js';
import { isLarge, recordedStates, recordStates, shrinkage } from './explorer/recorded-states.js';
import { exploreScenario, walkScenario } from './explorer/scenario.js';
import { explore } from './keyed/explore.js';
import { glueOf } from './keyed/glue.js';
import { KEYED_SCENARIOS } from './keyed/keyed.scenarios.js';
import { KNOWN } from './programs/phase.scenarios.js';
import { ALL_SCENARIOS, SCENARIOS } from './programs/scenarios.js';
import { shippedModule, shippedParts } from './wasm/shipped-module.js';

const USAGE = `npm run model -- [--quick | --walks <count>] [--record] [part of a scenario's name]
    --quick          not the larger scenarios, which take hours and up to 6 GB; "12+ states": there are more
    --walks <count>  the larger scenarios only, by so many random walks through each, which prove nothing
    --record         write the numbers of states to models/programs/states.json`;

const MS_PER_SECOND = 1000;
const COUNT_WIDTH = 9;
/** The limit of worlds in each scenario of clients. */
const WORLDS_FOLLOWED = 400;
const SECONDS_WIDTH = 7;

/**
 * @typedef {import('./explorer/scenario.js').Scenario} Scenario
 * @typedef {import('./explorer/scenario.js').AnyScenario} AnyScenario
 */

/**
 * Prints the outcome of each scenario. @template {{ name: string }} S
 * @param {S[]} scenarios
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

/** The runs of `runEach` for any number of threads. */
const ANY_NUMBER = [
    { name: 'any number of threads that block for a mutex', loops: false },
    { name: 'any number of threads that block and of event loops for a mutex', loops: true },
];

/** @param {(typeof ANY_NUMBER)[number]} which */
function searchAnyNumber({ loops }) {
    const module = shippedModule();
    const { fixpoint, isWhole, failure, schedule } = fixpointOf(module, { loops });
    const states = `${fixpoint?.size.states}${isWhole ? '' : '+'}`.padStart(COUNT_WIDTH);
    const missing = fixpoint && isWhole && !failure ? missingIn(fixpoint, module, loops) : '';
    return { count: `${states} states`, found: failure || missing, schedule };
}

/**
 * The first behaviour of the package, in the explorer's scenarios, that the search lacks, or ''. It tries a
 * limited number of worlds.
 *
 * @param {import('./any-number/fixpoint.js').Fixpoint} fixpoint
 * @param {import('./wasm/decoder.js').Module} module
 * @param {boolean} loops
 */
function missingIn(fixpoint, module, loops) {
    for (const scenario of loops ? LOOP_SCENARIOS : BLOCKING_SCENARIOS) {
        const { missing } = new FollowedScenario(fixpoint, module, scenario).firstMissing(WORLDS_FOLLOWED);
        if (missing) {
            return `${scenario.name} is not in it: ${missing}`;
        }
    }
    return '';
}

/** @param {AnyScenario} scenario @param {boolean} records */
function search(scenario, records) {
    const { states, failure, schedule } = exploreScenario(
        shippedModule(),
        scenario,
        undefined,
        shippedParts(),
    );
    const recorded = recordedStates();
    if (records && !failure) {
        recorded[scenario.name] = states;
        // In the order of the scenarios, without removed ones.
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
    const { moves, failure, schedule } = walkScenario(shippedModule(), scenario, walks, shippedParts());
    return { count: `${String(moves).padStart(COUNT_WIDTH)} moves`, found: failure, schedule };
}

/** Fails unless each known defect is found. @param {Scenario[]} scenarios */
function runKnown(scenarios) {
    for (const scenario of scenarios) {
        const { failure } = exploreScenario(shippedModule(), scenario);
        console.log(`known: ${scenario.name}: ${failure || 'it is no longer found'}`);
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
    runEach(
        ANY_NUMBER.filter(({ name, loops }) => name.includes(part) && !(quick && loops)),
        searchAnyNumber,
    );
    runEach(quick ? chosen.filter((scenario) => !isLarge(scenario, recorded)) : chosen, (scenario) =>
        search(scenario, record),
    );
    const glue = await glueOf();
    const ofKeys = KEYED_SCENARIOS.map((scenario) => ({ ...scenario, name: `keyed, ${scenario.name}` }));
    runEach(
        ofKeys.filter(({ name, isLong }) => name.includes(part) && !(quick && isLong)),
        (scenario) => {
            const { states, failure, schedule } = explore(glue, scenario);
            return { count: `${String(states).padStart(COUNT_WIDTH)} states`, found: failure, schedule };
        },
    );
}
