/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { parseArgs } from 'node:util';
import { PHASE_SCENARIOS } from './phase.scenarios.js';
import { explorePrograms } from './program-scenario.js';
import { PHASE_STATES, recordedStates, recordStates, shrinkage } from './recorded-states.js';
import { exploreScenario } from './scenario.js';
import { SCENARIOS } from './scenarios.js';
import { shippedModule } from './shipped-module.js';

const USAGE = `npm run model -- [--quick] [--record] [part of a scenario's name]
    --quick    not the larger scenarios, which take a few minutes and up to 4 GB
    --record   write the numbers of states to models/states.json and models/phase-states.json`;

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
 * @template {{ name: string, long?: boolean }} S
 * @typedef {object} Collection
 * @property {S[]} scenarios
 * @property {(module: import('./wasm-decoder.js').Module, scenario: S) => import('./explore.js').Exploration} explore
 * @property {URL} [file] with the numbers of states
 */

/**
 * @template {{ name: string, long?: boolean }} S
 * @param {Collection<S>} collection
 * @param {(scenario: S) => boolean} isChosen
 * @param {boolean} records
 */
function runAll({ scenarios, explore, file }, isChosen, records) {
    const module = shippedModule();
    const recorded = recordedStates(file);
    for (const scenario of scenarios.filter(isChosen)) {
        const start = performance.now();
        const { states, failure, schedule } = explore(module, scenario);
        const seconds = ((performance.now() - start) / MS_PER_SECOND).toFixed(1);
        if (records && !failure) {
            recorded[scenario.name] = states;
        }
        const verdict = failure || shrinkage(states, recorded[scenario.name]) || 'nothing found';
        const figures = `${String(states).padStart(STATES_WIDTH)} states ${seconds.padStart(SECONDS_WIDTH)} s`;
        console.log(`${figures}  ${scenario.name}: ${verdict}`);
        if (verdict !== 'nothing found') {
            schedule.forEach((line) => console.log(`    ${line}`));
            process.exitCode = 1;
        }
    }
    if (records) {
        // In the order of the scenarios, and without those that are no more.
        recordStates(Object.fromEntries(scenarios.map(({ name }) => [name, recorded[name]])), file);
    }
}

const { quick = false, record = false, help = false, part } = parse();
if (help) {
    console.log(USAGE);
} else {
    /** @param {{ name: string, long?: boolean }} scenario */
    const isChosen = ({ name, long: isLong = false }) => (!quick || !isLong) && name.includes(part);
    runAll({ scenarios: SCENARIOS, explore: exploreScenario }, isChosen, record);
    runAll({ scenarios: PHASE_SCENARIOS, explore: explorePrograms, file: PHASE_STATES }, isChosen, record);
}
