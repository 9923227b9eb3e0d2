/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { recordedStates, shrinkage } from '../../models/explorer/recorded-states.js';
import { exploreScenario } from '../../models/explorer/scenario.js';
import { GlueCopy } from '../../models/mutants/glue-copy.js';
import { C_MISTAKES, GLUE_MISTAKES } from '../../models/mutants/mistakes.js';
import { findingIn, findingInModules, scenarioOf, withGlue } from '../../models/mutants/mutant-checks.js';
import { MutantBuild } from '../../models/mutants/mutant-build.js';
import { shippedModule, shippedParts } from '../../models/wasm/shipped-module.js';
import { ONLY_IN_ALL } from './tier.js';

/* Scenarios of the explorer as tests, and mistakes that it finds in them. */

/** @typedef {import('../../models/explorer/scenario.js').AnyScenario} AnyScenario */

const shipped = shippedModule();
const parts = shippedParts();
const recorded = recordedStates();

/**
 * Tests that nothing is found. `npm run model` explores the larger ones too.
 *
 * @param {AnyScenario[]} scenarios
 * @param {number} most states
 */
export function testScenarios(scenarios, most) {
    for (const scenario of scenarios.filter(({ name }) => (recorded[name] ?? Infinity) <= most)) {
        test(`models: ${scenario.name}: no violation is found`, () => {
            const { states, failure, schedule } = exploreScenario(shipped, scenario, undefined, parts);
            assert.equal(failure, '', `${failure}\n${schedule.join('\n')}`);
            assert.equal(shrinkage(states, recorded[scenario.name]), '');
        });
    }
}

/** Tests that each mistake is found whose first check is one of these. @param {AnyScenario[]} scenarios */
export function testMistakes(scenarios) {
    /** @type {MutantBuild | undefined} */
    let build;
    /** @type {GlueCopy | undefined} */
    let glue;
    after(() => {
        build?.remove();
        glue?.remove();
    });
    for (const mistake of [...C_MISTAKES, ...GLUE_MISTAKES]) {
        const { name, edits } = mistake;
        const [check = ''] = mistake.checks;
        if (scenarios.some((scenario) => scenario.name === check)) {
            test(`models: the explorer finds this mutant: ${name}`, ONLY_IN_ALL, () => {
                const finding = GLUE_MISTAKES.includes(mistake)
                    ? findingIn(
                          shipped,
                          withGlue(scenarioOf(check), (glue ??= new GlueCopy()).sourcesWith(edits)),
                      )
                    : findingInModules((build ??= new MutantBuild()).modulesWith(edits), check);
                assert.notEqual(finding, '', 'it found nothing');
            });
        }
    }
}
