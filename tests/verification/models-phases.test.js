/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Condition, event, latch, barrier and once of the shipped module in the explorer of models/, and deliberate
 * mistakes: in C, in the glue, and in the judges' input. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { conditionJudge } from '../../models/explorer/judges.js';
import { Memory } from '../../models/explorer/memory.js';
import { GlueCopy } from '../../models/mutants/glue-copy.js';
import { scenarioOf } from '../../models/mutants/mutant-checks.js';
import { GLUE_MISTAKES } from '../../models/mutants/mistakes.js';
import { PHASE_SCENARIOS } from '../../models/programs/phase.scenarios.js';
import { exploreScenario } from '../../models/explorer/scenario.js';
import { shippedModule } from '../../models/wasm/shipped-module.js';
import { Violation } from '../../models/explorer/violation.js';
import { testMistakes, testScenarios } from '../support/explored.js';
import { isQuick, ONLY_IN_ALL } from '../support/tier.js';

const shipped = shippedModule();
const isOfC = (/** @type {{ name: string }} */ { name }) => name.startsWith('barrier of C');

/** `npm run model` explores the others. */
const MOST_STATES = isQuick ? 6000 : 10_000;
const MOST_STATES_OF_C = 4000;

testScenarios(
    PHASE_SCENARIOS.filter((scenario) => !isOfC(scenario)),
    MOST_STATES,
);
testScenarios(PHASE_SCENARIOS.filter(isOfC), MOST_STATES_OF_C);
testMistakes(PHASE_SCENARIOS);

/** @type {GlueCopy | undefined} */
let glueCopy;
after(() => glueCopy?.remove());

/**
 * The finding with a mistake in the glue of all threads.
 *
 * @param {string} name of the scenario
 * @param {string} mistake
 */
function findingWith(name, mistake) {
    const mutant = GLUE_MISTAKES.find((known) => known.name === mistake);
    assert.ok(mutant, 'there is no such mistake');
    glueCopy ??= new GlueCopy();
    const from = glueCopy.sourcesWith(mutant.edits);
    const scenario = scenarioOf(name);
    const threads = scenario.threads.map((thread) => ({ ...thread, from, busy: undefined }));
    return exploreScenario(shipped, { ...scenario, threads }).failure;
}

for (const name of [
    'condition, 1 loop of 2',
    'event, a pulse at the wrap, 1 waits, 1 loop',
    'automatic event, 1 waits, 1 loop',
    'latch, 2 count, 1 may give up, 1 loop of 2, of which 1 aborts',
    'barrier, 2 arrive, 1 loop is busy',
    'once, 1 loop between 2 that block',
]) {
    test(`models: an event loop that ignores its wake-ups is found, in ${name}`, ONLY_IN_ALL, () => {
        assert.equal(findingWith(name, 'a wake is ignored'), 'from here, some thread can never end');
    });
}

test(
    'models: an event loop that does not re-check the word after it has set its flag misses a notify',
    ONLY_IN_ALL,
    () => {
        assert.equal(
            findingWith(
                'condition, groups, a loop before, 1 comes after',
                'the async wait list is not announced after its entry',
            ),
            'from here, some thread can never end',
        );
    },
);

test('models: an access with the wrong width, or outside all words, is found', () => {
    const memory = new Memory();
    const address = memory.place('word', [{ name: '', bytes: 8 }]);
    /** @param {string} name @param {number} at */
    const access = (name, at) => ({ name, address: at, operands: [], look: '' });
    assert.equal(memory.indexOf(access('i64.atomic.load', address)), 0);
    assert.throws(() => memory.indexOf(access('i32.atomic.load', address)), Violation);
    assert.throws(() => memory.indexOf(access('i32.atomic.load', address + 4)), Violation);
    assert.throws(() => memory.indexOf(access('i64.atomic.load', address + 8)), Violation);
    assert.equal(memory.halfOf(access('memory.atomic.wait32', address + 4)), 1);
    assert.throws(() => memory.halfOf(access('memory.atomic.wait32', address + 8)), Violation);
    assert.throws(() => memory.halfOf(access('memory.atomic.wait32', address + 2)), Violation);
});

/* ---- The judge of conditions by itself ---- */

const RELEASED = 0;
const TIMED_OUT = 2;

/**
 * The judge's state after these changes.
 * @param {[thread: number, call: string, value?: number][]} steps
 */
function judged(steps) {
    const judge = conditionJudge('condition');
    return steps.reduce((state, [thread, name, value]) => {
        const isNotify = name === 'condition_notify';
        const call = /** @type {any} */ ({ name, on: 'condition', parameters: isNotify ? [value] : [0] });
        return judge.changed(state, {
            ...{ thread, call, address: 0, before: 0n, after: 0n },
            ...{ ends: true, value: name === 'condition_begin' ? 0 : value, wordAt: () => 0 },
        });
    }, judge.start());
}

test('models: the judge refuses a notify that releases a later wait', () => {
    const begun = /** @type {[number, string, number?][]} */ ([
        [0, 'condition_begin'],
        [1, 'condition_notify', 1],
        [2, 'condition_begin'],
    ]);
    assert.deepEqual(judged([...begun, [0, 'condition_wait', RELEASED]]).line, [2]);
    assert.throws(() => judged([...begun, [2, 'condition_wait', RELEASED]]), /is released by no notify/);
    assert.throws(
        () => judged([...begun, [0, 'condition_wait', TIMED_OUT]]),
        /but a notify may have released it/,
    );
    assert.deepEqual(judged([...begun, [2, 'condition_wait', TIMED_OUT]]).line, [0, -1]);
});

test('models: the judge lets a notify release at most the current waiters, and at most its number', () => {
    const two = /** @type {[number, string, number?][]} */ ([
        [0, 'condition_begin'],
        [1, 'condition_begin'],
    ]);
    assert.deepEqual(judged([...two, [2, 'condition_notify', 1]]).line, [0, 1, -1]);
    assert.deepEqual(judged([...two, [2, 'condition_notify', 9]]).line, [0, 1, -1, -1]);
    assert.deepEqual(judged([...two, [2, 'condition_notify', 9], [2, 'condition_notify', 9]]).line, [
        ...[0, 1, -1, -1],
    ]);
});

test('models: the judge refuses a notify that returns a wrong number of released waiters', () => {
    const judge = conditionJudge('condition');
    const released = judged([
        [0, 'condition_begin'],
        [2, 'condition_notify', 9],
    ]);
    const tell = (/** @type {number} */ thread, /** @type {number} */ value) =>
        judge.told(released, thread, {
            task: 0,
            name: 'condition_notify',
            on: 'condition',
            parameters: [9],
            value,
        });
    assert.throws(() => tell(2, 9), /returned 9 and has released 1/);
    assert.throws(() => tell(2, 0), /returned 0 and has released 1/);
    assert.throws(() => tell(1, 1), /returned 1 and has released 0/); // the release was for the other thread
    assert.deepEqual(tell(2, 1).released, []);
});
