/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { BROWSER_NAMES } from '../../browsers/launch.js';
import { exploreScenario } from '../explorer/scenario.js';
import { ENDING_SCENARIOS as SCENARIOS } from '../programs/scenarios.js';
import { shippedModule } from '../wasm/shipped-module.js';
import { askingModule } from './asking-module.js';
import { openBrowserController } from './in-browser.js';
import { nodeController } from './in-node.js';
import { isForPages, LARGER_SCENARIOS } from './larger.scenarios.js';
import { forEachMutant } from './mutant-runs.js';
import { differenceOf, replay } from './replay.js';
import { runSchedules } from './run-schedules.js';

const USAGE = `npm run schedules -- [options]
    --count N         how many schedules; 10000 by default
    --seed N          of the first one; the next ones have N + 1, N + 2, …
    --pct D           by priorities, for bugs of depth D; without it: random walks
    --in NAME         node, the default, or ${BROWSER_NAMES.join(' or ')}
    --scenario NAME   only scenarios with that in their names; a seed stands for another schedule then
    --mutants         for each seeded bug, how many schedules it takes to find it, of at most N; in Node
    --replay FILE     the steps that the explorer or a failing schedule printed, in the scenario of that very name`;

const MS_PER_SECOND = 1000;
const NUMBER_WIDTH = 8;
const LARGEST_SEED = 2 ** 31;

const ALL_SCENARIOS = [...SCENARIOS, ...LARGER_SCENARIOS];

/**
 * @typedef {import('./run-schedules.js').Order} Order
 * @typedef {import('../explorer/scenario.js').Scenario} Scenario
 */

function parse() {
    const { values } = parseArgs({
        options: {
            count: { type: 'string', default: '10000' },
            seed: { type: 'string', default: String(Math.floor(Math.random() * LARGEST_SEED)) },
            pct: { type: 'string' },
            in: { type: 'string', default: 'node' },
            scenario: { type: 'string', default: '' },
            replay: { type: 'string' },
            mutants: { type: 'boolean', default: false },
            help: { type: 'boolean', default: false },
        },
    });
    const seed = wholeNumber('seed', values.seed);
    const count = wholeNumber('count', values.count);
    const pct = values.pct === undefined ? undefined : wholeNumber('pct', values.pct);
    return { ...values, order: { seed, count, pct } };
}

/** @param {string} option @param {string} text */
function wholeNumber(option, text) {
    if (!/^[0-9]+$/.test(text)) {
        throw new Error(`--${option} takes a whole number, not ${text}`);
    }
    return Number(text);
}

/** @param {string} name */
function scenarioOf(name) {
    const scenario = ALL_SCENARIOS.find((known) => known.name === name);
    if (!scenario) {
        throw new Error(`there is no scenario ${name}`);
    }
    return scenario;
}

/** @param {string} place */
async function openController(place) {
    const name = BROWSER_NAMES.find((known) => known === place);
    if (!name && place !== 'node') {
        throw new Error(`--in takes node or ${BROWSER_NAMES.join(' or ')}, not ${place}`);
    }
    return name ? openBrowserController(name) : nodeController;
}

/** @param {Order} order */
function methodOf({ pct }) {
    return pct === undefined ? 'random walks' : `priorities, depth ${pct}`;
}

/** @param {string} place @param {Scenario[]} scenarios @param {Order} order */
async function search(place, scenarios, order) {
    const controller = await openController(place);
    const possible = place === 'node' ? scenarios : scenarios.filter(isForPages);
    const result = await controller.run(askingModule(shippedModule()), possible, order);
    await controller.close();
    const { schedules, distinct, steps, milliseconds, failure } = result;
    const seconds = milliseconds / MS_PER_SECOND;
    console.log(
        `seed ${order.seed}, ${methodOf(order)}, ${possible.length} scenarios, ${controller.version}: ` +
            `${schedules} schedules, ${distinct} of them distinct, ${steps} steps, ` +
            `${seconds.toFixed(1)} s, ${Math.round(schedules / seconds)} schedules/s: ` +
            `${failure ? 'failed' : 'nothing found'}`,
    );
    if (failure) {
        console.log(`seed ${failure.seed}, ${failure.scenario}: ${failure.failure}`);
        printLines(failure);
        console.log('Once more: --count 1 with that seed and the same --pct and --scenario, or --replay.');
        process.exitCode = 1;
    }
}

/** @param {Order} order */
async function countForMutants(order) {
    console.log(`seed ${order.seed}, ${methodOf(order)}: schedules until each seeded bug is found`);
    await forEachMutant(scenarioOf, ({ name, engine, scenario, module }) => {
        const { schedules, failure } = runSchedules(engine, [scenario], order);
        const count = String(failure ? schedules : `> ${schedules}`).padStart(NUMBER_WIDTH);
        console.log(`${count}  ${name}: ${failure ? failure.failure : 'not found'} (${scenario.name})`);
        const explored = exploreScenario(module, scenario);
        const difference = differenceOf(explored, replay(engine, scenario, explored.schedule));
        if (difference) {
            console.log(`    what the explorer finds is another thing in the engine: ${difference}`);
            process.exitCode = 1;
        }
    });
    console.log('What the explorer finds was replayed too; where nothing is said, the engine agrees.');
}

/** @param {string} place @param {string} file @param {string} name */
async function replayFile(place, file, name) {
    const scenario = scenarioOf(name);
    const lines = readFileSync(file, 'utf8').split('\n');
    const controller = await openController(place);
    const outcome = await controller.replay(askingModule(shippedModule()), scenario, lines);
    await controller.close();
    console.log(outcome.failure || 'nothing found');
    printLines(outcome);
    process.exitCode = outcome.failure ? 1 : 0;
}

/** @param {{ schedule: string[], end: string[], inEngine: string[] }} outcome */
function printLines({ schedule, end, inEngine }) {
    const shown = inEngine.map((line) => `in the engine: ${line}`);
    [...schedule, ...end, ...shown].forEach((line) => console.log(`    ${line}`));
}

const options = parse();
if (options.help) {
    console.log(USAGE);
} else if (options.replay) {
    await replayFile(options.in, options.replay, options.scenario);
} else if (options.mutants) {
    await countForMutants(options.order);
} else {
    const chosen = ALL_SCENARIOS.filter(({ name }) => name.includes(options.scenario));
    await search(options.in, chosen, options.order);
}
