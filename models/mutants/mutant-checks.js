/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

import { recordedStates } from '../explorer/recorded-states.js';
import { exploreScenario, walkScenario } from '../explorer/scenario.js';
import { decode } from '../wasm/decoder.js';
import { AGENTS_SCENARIOS } from '../programs/agents.scenarios.js';
import { ALL_SCENARIOS, SCENARIOS } from '../programs/scenarios.js';
import { barrierCallsOf, depthsOf, moduleOf, shippedParts, UnknownLoop } from '../wasm/shipped-module.js';
import { Violation } from '../explorer/violation.js';

/* The explorer over changed modules, and with changed glue. */

/**
 * @typedef {import('../explorer/scenario.js').Scenario} Scenario
 * @typedef {import('../explorer/scenario.js').AnyScenario} AnyScenario
 */

/** The limit of a search: this many times the states of the shipped module. */
const STATES_FACTOR = 20;

/**
 * The number of random walks before a search that never ends: the search tries similar orders for a long time, a walk
 * a new one each time.
 */
const WALKS = 2000;

const recorded = recordedStates();
const shipped = shippedParts();

/** The number of states of the shipped module. @param {string} name of a scenario */
function statesOf(name) {
    return recorded[name] ?? Infinity;
}

/** @template {{ name: string }} S @param {S[]} scenarios @param {string} name */
function scenarioIn(scenarios, name) {
    const scenario = scenarios.find((known) => known.name === name);
    if (!scenario) {
        throw new Error(`there is no scenario ${name}`);
    }
    return scenario;
}

/** @param {string} name */
export function scenarioOf(name) {
    return scenarioIn(SCENARIOS, name);
}

/**
 * The explorer's finding in changed modules; '' if none, or if a spin loop has another form, which the
 * specification checks.
 *
 * @param {ReturnType<import('./mutant-build.js').MutantBuild['modulesWith']>} modules
 * @param {string} name of a scenario
 */
export function findingInModules({ bytes, holds, depths, barrierCalls, channel }, name) {
    try {
        return findingIn(moduleOf(bytes), scenarioIn(ALL_SCENARIOS, name), {
            ...{ holds: moduleOf(holds), depths: depthsOf(depths) },
            barrierCalls: barrierCallsOf(barrierCalls),
            channel: decode(channel),
        });
    } catch (error) {
        if (error instanceof UnknownLoop) {
            return '';
        }
        throw error;
    }
}

/** @param {string} name */
export function agentsScenarioOf(name) {
    return scenarioIn(AGENTS_SCENARIOS, name);
}

/**
 * @param {Scenario} scenario
 * @param {string} from a folder with other sources
 * @returns {Scenario} with that glue in all of its threads
 */
export function withGlue(scenario, from) {
    return { ...scenario, threads: scenario.threads.map((thread) => ({ ...thread, from })) };
}

/**
 * The explorer's finding in a scenario; '' if there is none.
 * @param {import('../wasm/decoder.js').Module} module
 * @param {AnyScenario} scenario
 * @param {import('../explorer/scenario.js').FurtherModules} [parts] by default as they ship
 */
export function findingIn(module, scenario, parts = shipped) {
    const states = statesOf(scenario.name);
    try {
        const isEndless = states === Infinity && 'threads' in scenario;
        const walked = isEndless ? walkScenario(module, scenario, WALKS, parts).failure : '';
        return walked || exploreScenario(module, scenario, STATES_FACTOR * states, parts).failure;
    } catch (error) {
        if (error instanceof Violation) {
            return error.message; // before the first state
        }
        throw error;
    }
}
