/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { BROWSER_NAMES } from '../../browsers/launch.js';
import { MUTEX_SCENARIOS } from '../mutex.scenarios.js';
import { shippedModule } from '../shipped-module.js';
import { askingModule } from './asking-module.js';
import { Engine } from './engine.js';
import { runInBrowser } from './in-browser.js';
import { LARGER_SCENARIOS } from './larger.scenarios.js';
import { forEachMutant } from './mutant-runs.js';
import { startNodeThread } from './node-threads.js';
import { replay } from './replay.js';
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

const ALL_SCENARIOS = [...MUTEX_SCENARIOS, ...LARGER_SCENARIOS];

/** @typedef {import('./run-schedules.js').Order} Order */

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
    const { seed, count, pct } = values;
    return {
        ...values,
        order: { seed: Number(seed), count: Number(count), ...(pct && { pct: Number(pct) }) },
    };
}

/** @param {string} name */
function scenarioOf(name) {
    const scenario = ALL_SCENARIOS.find((known) => known.name === name);
    if (!scenario) {
        throw new Error(`there is no scenario ${name}`);
    }
    return scenario;
}

/**
 * @template T
 * @param {import('../scenario.js').Scenario[]} scenarios
 * @param {(engine: Engine) => T} use
 */
async function withEngine(scenarios, use) {
    const threads = Math.max(...scenarios.map((scenario) => scenario.threads.length));
    const engine = await Engine.start(askingModule(shippedModule()), threads, startNodeThread);
    try {
        return use(engine);
    } finally {
        await engine.end();
    }
}

/**
 * @param {string} place
 * @param {import('../scenario.js').Scenario[]} scenarios
 * @param {Order} order
 */
async function runIn(place, scenarios, order) {
    if (place === 'node') {
        const result = await withEngine(scenarios, (engine) => runSchedules(engine, scenarios, order));
        return { ...result, version: `Node ${process.version}` };
    }
    const name = BROWSER_NAMES.find((known) => known === place);
    if (!name) {
        throw new Error(`--in takes node or ${BROWSER_NAMES.join(' or ')}, not ${place}`);
    }
    return runInBrowser(name, askingModule(shippedModule()), scenarios, order);
}

/** @param {Order} order */
function methodOf({ pct }) {
    return pct === undefined ? 'random walks' : `priorities, depth ${pct}`;
}

/**
 * @param {string} place
 * @param {import('../scenario.js').Scenario[]} scenarios
 * @param {Order} order
 */
async function search(place, scenarios, order) {
    const result = await runIn(place, scenarios, order);
    const { schedules, distinct, steps, milliseconds, failure, version } = result;
    const seconds = milliseconds / MS_PER_SECOND;
    console.log(
        `seed ${order.seed}, ${methodOf(order)}, ${scenarios.length} scenarios, ${version}: ` +
            `${schedules} schedules, ${distinct} of them distinct, ${steps} steps, ` +
            `${seconds.toFixed(1)} s, ${Math.round(schedules / seconds)} schedules/s: ` +
            `${failure ? 'failed' : 'nothing found'}`,
    );
    if (failure) {
        printFailure(failure);
        process.exitCode = 1;
    }
}

/** @param {import('./run-schedules.js').Failure} failure */
function printFailure({ seed, scenario, failure, inEngine, schedule, end }) {
    console.log(`seed ${seed}, ${scenario}: ${failure}`);
    [...schedule, ...end, ...inEngine.map((line) => `in the engine: ${line}`)].forEach((line) =>
        console.log(`    ${line}`),
    );
    console.log('Once more: --count 1 with that seed and the same --pct and --scenario, or --replay.');
}

/** @param {Order} order */
async function countForMutants(order) {
    console.log(`seed ${order.seed}, ${methodOf(order)}: schedules until each seeded bug is found`);
    await forEachMutant(scenarioOf, ({ name, engine, scenario }) => {
        const { schedules, failure } = runSchedules(engine, [scenario], order);
        const count = String(failure ? schedules : `> ${schedules}`).padStart(NUMBER_WIDTH);
        console.log(`${count}  ${name}: ${failure ? failure.failure : 'not found'} (${scenario.name})`);
    });
}

/**
 * @param {string} file
 * @param {string} name
 */
async function replayFile(file, name) {
    const scenario = scenarioOf(name);
    const lines = readFileSync(file, 'utf8').split('\n');
    const { outcome } = await withEngine([scenario], (engine) => replay(engine, scenario, lines));
    console.log(outcome.failure || 'nothing found');
    [...outcome.schedule(), ...outcome.end].forEach((line) => console.log(`    ${line}`));
    process.exitCode = outcome.failure ? 1 : 0;
}

const options = parse();
if (options.help) {
    console.log(USAGE);
} else if (options.replay) {
    await replayFile(options.replay, options.scenario);
} else if (options.mutants) {
    await countForMutants(options.order);
} else {
    const chosen = ALL_SCENARIOS.filter(({ name }) => name.includes(options.scenario));
    await search(options.in, chosen, options.order);
}
