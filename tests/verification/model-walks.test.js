/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Random walks through the scenarios that are too large to search daily, and failures that a walk must
 * find. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { isLarge, recordedStates } from '../../models/explorer/recorded-states.js';
import { walkScenario } from '../../models/explorer/scenario.js';
import { Violation } from '../../models/explorer/violation.js';
import { walk } from '../../models/explorer/walk.js';
import { GlueCopy } from '../../models/mutants/glue-copy.js';
import { scenarioOf, withGlue } from '../../models/mutants/mutant-checks.js';
import { GLUE_MISTAKES } from '../../models/mutants/mistakes.js';
import { SCENARIOS } from '../../models/programs/scenarios.js';
import { shippedModule, shippedParts } from '../../models/wasm/shipped-module.js';

const WALKS = 10;
/** A common mistake is found within a few walks, mostly in the first. */
const MOST_WALKS = 200;

const recorded = recordedStates();
const parts = shippedParts();

test('models: random walks through the large scenarios find no violation', () => {
    const large = SCENARIOS.filter((scenario) => isLarge(scenario, recorded));
    assert.notEqual(large.length, 0);
    for (const scenario of large) {
        const { failure, schedule } = walkScenario(shippedModule(), scenario, WALKS, parts);
        assert.equal(failure, '', `${scenario.name}: ${failure}\n${schedule.join('\n')}`);
    }
});

const copy = new GlueCopy();
after(() => copy.remove());

for (const [name, scenario] of /** @type {const} */ ([
    ['a wake is ignored', '2 workers with 2 rounds, 1 loop with 2 requests and aborts'],
    ['the last request gives up, and the thread stays the heir', '2 workers, 2 loops with aborts'],
])) {
    const mutant = GLUE_MISTAKES.find((known) => known.name === name);
    test(`models: random walks through a large scenario find this mutant: ${name}`, () => {
        const sources = copy.sourcesWith(mutant?.edits ?? assert.fail('no such mistake'));
        const { failure, schedule } = walkScenario(
            shippedModule(),
            withGlue(scenarioOf(scenario), sources),
            MOST_WALKS,
        );
        assert.match(failure, /, by the walk of seed \d+$/);
        assert.match(schedule[0] ?? '', /^T\d /);
    });
}

/**
 * A machine of one thread that counts to 3; all its moves but the last are due.
 *
 * @param {Partial<import('../../models/explorer/explore.js').Explorable<number, { due: boolean, thread: number }>>} [other]
 */
function countingTo3(other) {
    return {
        hasTellingCycles: false,
        start: () => 0,
        keyOf: String,
        movesOf: (/** @type {number} */ count) => (count < 3 ? [{ due: true, thread: 0 }] : []),
        apply: (/** @type {number} */ count) => count + 1,
        isDone: (/** @type {number} */ count) => count === 3,
        isServed: (/** @type {number} */ count) => count === 3,
        leftBehind: () => '',
        describe: (/** @type {number} */ count) => `from ${count}`,
        describeWorld: (/** @type {number} */ count) => [`at ${count}`],
        ...other,
    };
}

test('models: a walk ends when all threads are done', () => {
    assert.deepEqual(walk(countingTo3(), 1), { moves: 3, failure: '', schedule: [] });
});

for (const [what, machine, failure, schedule] of /** @type {const} */ ([
    [
        'a violation',
        countingTo3({
            apply: (count) => {
                if (count === 1) {
                    throw new Violation('two are inside');
                }
                return count + 1;
            },
        }),
        'two are inside',
        ['from 0', 'from 1', 'at 1'],
    ],
    [
        'a thread that is stuck',
        countingTo3({ movesOf: (count) => (count < 2 ? [{ due: true, thread: 0 }] : []) }),
        'a thread has not ended',
        ['from 0', 'from 1', 'at 2'],
    ],
    [
        'something left behind',
        countingTo3({ leftBehind: () => 'a timer' }),
        'a timer',
        ['from 0', 'from 1', 'from 2', 'at 3'],
    ],
])) {
    test(`models: a walk reports ${what}, and the moves before`, () => {
        assert.deepEqual(walk(machine, 1), { moves: schedule.length - 1, failure, schedule });
    });
}

test('models: after its first moves a walk takes only moves that are due', () => {
    // The move that is not due changes nothing. If walks took it all the time, few would reach 3.
    const machine = countingTo3({
        movesOf: () => [
            { due: false, thread: 0 },
            { due: true, thread: 1 },
        ],
        apply: (count) => count,
        isDone: () => false,
        isServed: () => false,
        describe: (_, { due }) => (due ? 'due' : 'not due'),
    });
    const { schedule } = walk(machine, 1);
    assert.ok(schedule.lastIndexOf('not due') < 60, 'it takes others later');
    assert.ok(schedule.includes('not due'), 'it takes none at first');
});
