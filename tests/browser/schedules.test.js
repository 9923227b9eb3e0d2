/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* The deterministic scheduler of models/engine/ on the workers of a page; tests/schedules.test.js tests it in Node. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { askingModule } from '../../models/engine/asking-module.js';
import { openBrowserController } from '../../models/engine/in-browser.js';
import { LARGER_SCENARIOS } from '../../models/engine/larger.scenarios.js';
import { forEachMutant } from '../../models/engine/mutant-runs.js';
import { replay, stepsIn } from '../../models/engine/replay.js';
import { runSchedules } from '../../models/engine/run-schedules.js';
import { MUTEX_SCENARIOS } from '../../models/mutex.scenarios.js';
import { exploreScenario } from '../../models/scenario.js';
import { shippedModule } from '../../models/shipped-module.js';
import { seedFor } from '../support/seed.js';

const SCENARIOS = [...MUTEX_SCENARIOS, ...LARGER_SCENARIOS];
const SCHEDULES = 1000;
const MUTANT_SCHEDULES = 100;
const MUTANT = 'anybody may unlock';

describe('in chromium', () => {
    /** @type {import('../../models/engine/in-browser.js').BrowserController} */
    let chromium;
    before(async () => {
        chromium = await openBrowserController('chromium');
    });
    after(() => chromium?.close());

    test('schedules: nothing is found in the shipped module', async (t) => {
        const order = { seed: seedFor(t), count: SCHEDULES };
        const { schedules, failure } = await chromium.run(askingModule(shippedModule()), SCENARIOS, order);
        assert.equal(failure, undefined, JSON.stringify(failure, undefined, 4));
        assert.equal(schedules, SCHEDULES);
    });

    test('schedules: a wrong lock fails as in Node, by the same seed and by the steps of the explorer', async () => {
        /** @type {Promise<void> | undefined} */
        let compared;
        await forEachMutant(
            (name) => /** @type {any} */ (MUTEX_SCENARIOS.find((scenario) => scenario.name === name)),
            ({ engine, scenario, module }) => {
                const order = { seed: 1, count: MUTANT_SCHEDULES };
                const inNode = runSchedules(engine, [scenario], order);
                const { schedule } = exploreScenario(module, scenario);
                const replayedInNode = replay(engine, scenario, schedule);
                compared = (async () => {
                    const asking = askingModule(module);
                    const inChromium = await chromium.run(asking, [scenario], order);
                    assert.ok(inNode.failure);
                    assert.deepEqual(inChromium.failure, inNode.failure);
                    assert.equal(inChromium.schedules, inNode.schedules);
                    const replayed = await chromium.replay(asking, scenario, schedule);
                    assert.notEqual(replayed.failure, '');
                    assert.deepEqual(replayed, replayedInNode);
                    assert.deepEqual(replayed.schedule, stepsIn(schedule));
                })();
            },
            (name) => name === MUTANT,
        );
        assert.ok(compared, `there is no mutant: ${MUTANT}`);
        await compared;
    });
});
