/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* The table of threads of the shipped module in the explorer of models/, and what is wrong on purpose: in the C, and in
 * what threads do. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { recordedStates, shrinkage } from '../../models/explorer/recorded-states.js';
import { exploreScenario } from '../../models/explorer/scenario.js';
import { C_MISTAKES } from '../../models/mutants/mistakes.js';
import { MutantBuild } from '../../models/mutants/mutant-build.js';
import { agentsScenarioOf, findingInModules } from '../../models/mutants/mutant-checks.js';
import { AGENTS_SCENARIOS } from '../../models/programs/agents.scenarios.js';
import { shippedModule, shippedParts } from '../../models/wasm/shipped-module.js';
import { isQuick, ONLY_IN_ALL } from '../support/tier.js';

const shipped = shippedModule();
const parts = shippedParts();
const recorded = recordedStates();

/** `npm run model` explores the others. */
const MOST_STATES = isQuick ? 40_000 : 70_000;

for (const scenario of AGENTS_SCENARIOS.filter(({ name }) => (recorded[name] ?? Infinity) <= MOST_STATES)) {
    test(`models: ${scenario.name}: nothing is found`, () => {
        const { states, failure, schedule } = exploreScenario(shipped, scenario, undefined, parts);
        assert.equal(failure, '', `${failure}\n${schedule.join('\n')}`);
        assert.equal(shrinkage(states, recorded[scenario.name]), '');
    });
}

/** @type {MutantBuild | undefined} */
let build;
after(() => build?.remove());

/** @param {{ checks: string[] }} mutant */
const isOfAgents = ({ checks: [scenario] }) => AGENTS_SCENARIOS.some(({ name }) => name === scenario);

for (const { name, edits, checks } of C_MISTAKES.filter(isOfAgents)) {
    test(`models: the explorer finds this mutant: ${name}`, ONLY_IN_ALL, () => {
        build ??= new MutantBuild();
        assert.notEqual(findingInModules(build.modulesWith(edits), checks[0] ?? ''), '', 'it found nothing');
    });
}

for (const [isWrong, name, finding] of /** @type {const} */ ([
    ['counts first', 'agents, 2 join a slot', /^T\d has \d entries, but \d are counted$/],
    ['arms when it has left', 'agents, one leaves, 1 joins', /^the slot of T1 has an entry of another$/],
])) {
    test(`models: the explorer finds the mistake of a thread that ${isWrong}`, () => {
        const scenario = agentsScenarioOf(name);
        const agents = scenario.agents.map((agent) => ({ ...agent, isWrong }));
        const { failure, schedule } = exploreScenario(shipped, { ...scenario, agents });
        assert.match(failure, finding);
        assert.match(schedule[0] ?? '', /^T\d agents?_\w+\([\d, ]+\): i32\.atomic\.\S+ (slot|table)/);
    });
}
