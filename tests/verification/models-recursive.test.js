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
import { findingIn, findingOf, scenarioOf, withGlue } from '../../models/mutants/mutant-checks.js';
import { DEPTH_MUTANTS, RECURSIVE_GLUE_MUTANTS } from '../../models/mutants/recursive-mutants.js';
import { RECURSIVE_SCENARIOS } from '../../models/programs/recursive.scenarios.js';
import { shippedModule, shippedParts } from '../../models/wasm/shipped-module.js';
import { randomOf, seedFor } from '../support/seed.js';
import { ONLY_IN_ALL } from '../support/tier.js';

/** `npm run model` explores the others. */
const MOST_STATES = 1000;
/** A search that finds something ends sooner. */
const MOST_STATES_OF_MUTANTS = 3000;
/** Each is built, which takes seconds; `npm run mutants` takes all of them. */
const SAMPLE = 2;

const shipped = shippedModule();
const parts = shippedParts();
const recorded = recordedStates();

/** @param {string} name */
const statesOf = (name) => recorded[name] ?? Infinity;

/** @param {import('../../models/mutants/mutants.js').SourceMutant} mutant */
const isFoundSoon = ({ foundIn = '' }) => statesOf(foundIn) <= MOST_STATES_OF_MUTANTS;

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

/** @template T @param {import('node:test').TestContext} t @param {T[]} list */
function sampleOf(t, list) {
    const random = randomOf(seedFor(t));
    return new Set(Array.from({ length: SAMPLE }, () => list[random.below(list.length)] ?? assert.fail()));
}

test('models: the explorer finds a sample of mutants in recursive-mutex depths', ONLY_IN_ALL, (t) => {
    build ??= new MutantBuild();
    for (const mutant of sampleOf(t, DEPTH_MUTANTS.filter(isFoundSoon))) {
        assert.notEqual(
            findingOf(build, mutant),
            '',
            `in ${mutant.foundIn} nothing is found: ${mutant.name}`,
        );
    }
});

test('models: the explorer finds a sample of mutants in the class RecursiveMutex', ONLY_IN_ALL, (t) => {
    glueCopy ??= new GlueCopy();
    const copy = glueCopy;
    for (const mutant of sampleOf(t, RECURSIVE_GLUE_MUTANTS.filter(isFoundSoon))) {
        const from = copy.with(mutant, () => copy.sources());
        const finding = findingIn(shipped, withGlue(scenarioOf(mutant.foundIn ?? ''), from));
        assert.notEqual(finding, '', `in ${mutant.foundIn} nothing is found: ${mutant.name}`);
    }
});
