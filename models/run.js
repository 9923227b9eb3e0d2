/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { parseArgs } from 'node:util';
import { isLarge, recordedStates, recordStates, shrinkage } from './explorer/recorded-states.js';
import { exploreScenario } from './explorer/scenario.js';
import { KNOWN } from './programs/phase.scenarios.js';
import { SCENARIOS } from './programs/scenarios.js';
import { shippedModule } from './wasm/shipped-module.js';

const USAGE = `npm run model -- [--quick] [--record] [part of a scenario's name]
    --quick    not the larger scenarios, which take a few minutes and up to 4 GB
    --record   write the numbers of states to models/programs/states.json`;

const MS_PER_SECOND = 1000;
const STATES_WIDTH = 9;
const SECONDS_WIDTH = 7;

function parse() {
    const { values, positionals } = parseArgs({
        options: { quick: { type: 'boolean' }, record: { type: 'boolean' }, help: { type: 'boolean' } },
        allowPositionals: true,
    });
    return { ...values, part: positionals.join(' ') };
}

/**
 * @param {import('./explorer/scenario.js').Scenario[]} scenarios
 * @param {boolean} records
 */
function runAll(scenarios, records) {
    const module = shippedModule();
    for (const scenario of scenarios) {
        const start = performance.now();
        const { states, failure, schedule } = exploreScenario(module, scenario);
        const seconds = ((performance.now() - start) / MS_PER_SECOND).toFixed(1);
        const recorded = recordedStates();
        if (records && !failure) {
            recorded[scenario.name] = states;
            // In the order of the scenarios, and without those that are no more.
            recordStates(Object.fromEntries(SCENARIOS.map(({ name }) => [name, recorded[name]])));
        }
        const verdict = failure || shrinkage(states, recorded[scenario.name]) || 'nothing found';
        const figures = `${String(states).padStart(STATES_WIDTH)} states ${seconds.padStart(SECONDS_WIDTH)} s`;
        console.log(`${figures}  ${scenario.name}: ${verdict}`);
        if (verdict !== 'nothing found') {
            schedule.forEach((line) => console.log(`    ${line}`));
            process.exitCode = 1;
        }
    }
}

/** What is known has to be found, too. @param {import('./explorer/scenario.js').Scenario[]} scenarios */
function runKnown(scenarios) {
    for (const scenario of scenarios) {
        const { failure } = exploreScenario(shippedModule(), scenario);
        console.log(`known: ${scenario.name}: ${failure || 'it is found no more'}`);
        process.exitCode = failure ? process.exitCode : 1;
    }
}

const { quick = false, record = false, help = false, part } = parse();
if (help) {
    console.log(USAGE);
} else {
    const recorded = recordedStates();
    const chosen = SCENARIOS.filter(({ name }) => name.includes(part));
    runKnown(quick ? [] : KNOWN.filter(({ name }) => name.includes(part)));
    runAll(quick ? chosen.filter((scenario) => !isLarge(scenario, recorded)) : chosen, record);
}
