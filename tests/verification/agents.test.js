/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* The table of threads of the shipped module in the explorer of models/, and deliberate mistakes, in C and in
 * the threads' calls. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exploreScenario } from '../../models/explorer/scenario.js';
import { agentsScenarioOf } from '../../models/mutants/mutant-checks.js';
import { AGENTS_SCENARIOS } from '../../models/programs/agents.scenarios.js';
import { shippedModule } from '../../models/wasm/shipped-module.js';
import { testMistakes, testScenarios } from '../support/explored.js';
import { isQuick } from '../support/tier.js';

const shipped = shippedModule();
/** `npm run model` explores the others. */
const MOST_STATES = isQuick ? 40_000 : 70_000;

testScenarios(AGENTS_SCENARIOS, MOST_STATES);
testMistakes(AGENTS_SCENARIOS);

for (const [isWrong, name, finding] of /** @type {const} */ ([
    [
        'counts an entry before it arms it',
        'agents, 2 join a slot',
        /^T\d has \d entries, but \d are counted$/,
    ],
    [
        'arms an entry after it has left',
        'agents, one leaves, 1 joins',
        /^the slot of T1 has an entry of another$/,
    ],
])) {
    test(`models: the explorer finds a thread that ${isWrong}`, () => {
        const scenario = agentsScenarioOf(name);
        const agents = scenario.agents.map((agent) => ({ ...agent, isWrong }));
        const { failure, schedule } = exploreScenario(shipped, { ...scenario, agents });
        assert.match(failure, finding);
        assert.match(schedule[0] ?? '', /^T\d agents?_\w+\([\d, ]+\): i32\.atomic\.\S+ (slot|table)/);
    });
}
