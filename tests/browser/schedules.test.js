/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* The deterministic scheduler of models/engine/ on the workers of a page; tests/verification/schedules.test.js tests it in Node. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { askingModule } from '../../models/engine/asking-module.js';
import { openBrowserController } from '../../models/engine/in-browser.js';
import { nodeController } from '../../models/engine/in-node.js';
import { isForPages, LARGER_SCENARIOS } from '../../models/engine/larger.scenarios.js';
import { differenceOf } from '../../models/engine/replay.js';
import { MutantBuild } from '../../models/mutants/mutant-build.js';
import { C_MISTAKES } from '../../models/mutants/mistakes.js';
import { ENDING_SCENARIOS as EXPLORED } from '../../models/programs/scenarios.js';
import { exploreScenario } from '../../models/explorer/scenario.js';
import { moduleOf, shippedModule } from '../../models/wasm/shipped-module.js';
import { seedFor } from '../support/seed.js';
import { isQuick, ONLY_IN_ALL } from '../support/tier.js';

const SCENARIOS = [...EXPLORED, ...LARGER_SCENARIOS].filter(isForPages);
const SCHEDULES = isQuick ? 200 : 1000;
const MUTANT_SCHEDULES = 100;
const MUTANT = C_MISTAKES.find(({ name }) => name === 'anybody may unlock') ?? assert.fail();
const SCENARIO = EXPLORED.find(({ name }) => name === MUTANT.checks[0]) ?? assert.fail();

describe('in chromium', () => {
    /** @type {import('../../models/engine/in-node.js').Controller} */
    let chromium;
    before(async () => {
        chromium = await openBrowserController('chromium');
    });
    after(() => chromium?.close());

    test('schedules: random schedules find no violation in the shipped module', async (t) => {
        const order = { seed: seedFor(t), count: SCHEDULES };
        const { schedules, failure } = await chromium.run(askingModule(shippedModule()), SCENARIOS, order);
        assert.equal(failure, undefined, JSON.stringify(failure, undefined, 4));
        assert.equal(schedules, SCHEDULES);
    });

    test(
        "schedules: a faulty lock fails as in Node, by seed and by the explorer's steps",
        ONLY_IN_ALL,
        async () => {
            const build = new MutantBuild();
            const module = moduleOf(build.bytesWith(MUTANT.edits));
            build.remove();
            const asking = askingModule(module);
            const order = { seed: 1, count: MUTANT_SCHEDULES };
            const inNode = await nodeController.run(asking, [SCENARIO], order);
            const inChromium = await chromium.run(asking, [SCENARIO], order);
            assert.ok(inNode.failure);
            assert.deepEqual(inChromium.failure, inNode.failure);
            assert.equal(inChromium.schedules, inNode.schedules);

            const explored = exploreScenario(module, SCENARIO);
            const replayed = await chromium.replay(asking, SCENARIO, explored.schedule);
            assert.notEqual(replayed.failure, '');
            assert.equal(differenceOf(explored, replayed), '');
            assert.deepEqual(replayed, await nodeController.replay(asking, SCENARIO, explored.schedule));
        },
    );
});
