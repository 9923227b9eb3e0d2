/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Recursive mutexes, by the class and by the module of depths that ship, in the explorer of models/, and what is wrong on
 * purpose. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { recordedStates, shrinkage } from '../../models/explorer/recorded-states.js';
import { exploreScenario } from '../../models/explorer/scenario.js';
import { GlueCopy } from '../../models/mutants/glue-copy.js';
import { MutantBuild } from '../../models/mutants/mutant-build.js';
import { C_MISTAKES, GLUE_MISTAKES } from '../../models/mutants/mistakes.js';
import { findingIn, findingInModules, scenarioOf, withGlue } from '../../models/mutants/mutant-checks.js';
import { RECURSIVE_SCENARIOS } from '../../models/programs/recursive.scenarios.js';
import { shippedModule, shippedParts } from '../../models/wasm/shipped-module.js';
import { ONLY_IN_ALL } from '../support/tier.js';

/** `npm run model` explores the others. */
const MOST_STATES = 1000;

const shipped = shippedModule();
const parts = shippedParts();
const recorded = recordedStates();

/** @param {string} name */
const statesOf = (name) => recorded[name] ?? Infinity;

for (const scenario of RECURSIVE_SCENARIOS.filter(({ name }) => statesOf(name) <= MOST_STATES)) {
    test(`models: ${scenario.name}: nothing is found`, () => {
        const { states, failure, schedule } = exploreScenario(shipped, scenario, undefined, parts);
        assert.equal(failure, '', `${failure}\n${schedule.join('\n')}`);
        assert.equal(shrinkage(states, recorded[scenario.name]), '');
    });
}

/** @type {MutantBuild | undefined} */
let build;
/** @type {GlueCopy | undefined} */
let glueCopy;
after(() => {
    build?.remove();
    glueCopy?.remove();
});

/** @param {{ checks: string[] }} mutant */
const isRecursive = ({ checks: [scenario = ''] }) => scenario.startsWith('recursive mutex, ');

for (const { name, edits, checks } of C_MISTAKES.filter(isRecursive)) {
    test(`models: the explorer finds this mutant: ${name}`, ONLY_IN_ALL, () => {
        build ??= new MutantBuild();
        assert.notEqual(findingInModules(build.modulesWith(edits), checks[0] ?? ''), '', 'it found nothing');
    });
}

for (const { name, edits, checks } of GLUE_MISTAKES.filter(isRecursive)) {
    test(`models: the explorer finds this mutant: ${name}`, ONLY_IN_ALL, () => {
        glueCopy ??= new GlueCopy();
        const scenario = withGlue(scenarioOf(checks[0] ?? ''), glueCopy.sourcesWith(edits));
        assert.notEqual(findingIn(shipped, scenario), '', 'it found nothing');
    });
}
