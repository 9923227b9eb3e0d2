/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* A mutex of any number of threads (models/any-number/). The search finds no violation in the shipped bytes,
 * and finds mistakes in the gate. The abstraction covers every state of a few threads, also of threads that
 * run the package as it ships, and fails to if a kind of move is left out. It has a counterpart for each
 * step of many threads, with event loops too. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Fixpoint, fixpointOf } from '../../models/any-number/fixpoint.js';
import { firstMissing } from '../../models/any-number/inclusion.js';
import { BLOCKING_SCENARIOS, FollowedScenario, LOOP_SCENARIOS } from '../../models/any-number/scenarios.js';
import { scripted, walked } from '../../models/any-number/walks.js';
import { AnyNumberChecks } from '../../models/mutants/any-number-checks.js';
import { C_MISTAKES } from '../../models/mutants/mistakes.js';
import { MutantBuild } from '../../models/mutants/mutant-build.js';
import { moduleOf, shippedModule } from '../../models/wasm/shipped-module.js';
import { randomOf, seedFor } from '../support/seed.js';

/** @typedef {import('../../models/any-number/walks.js').Script} Script */

/** The number of states. With fewer, the search has silently missed some. */
const STATES = 528;
const ACTORS = 3807;

/** The number of all worlds of two threads. */
const WORLDS_OF_TWO = 40_722;

const shipped = shippedModule();
const fixpoint = new Fixpoint(shipped);
/** The search with event loops takes minutes (`npm run model -- "and of event loops"`). */
const withLoops = new Fixpoint(shipped, { loops: true });

before(() => fixpoint.run());

test('any number: the search finds no violation in the shipped module', () => {
    const { states, actors } = fixpoint.size;
    assert.ok(states >= STATES && actors >= ACTORS, `only ${states} states of ${actors} actors`);
});

for (const { threads, worlds } of [
    { threads: 2, worlds: Infinity },
    { threads: 3, worlds: 10_000 },
    { threads: 4, worlds: 5000 },
]) {
    test(`any number: the abstraction covers ${threads} concrete clients, in ${worlds} states`, () => {
        const { missing, count } = firstMissing(fixpoint, threads, worlds);
        assert.equal(missing, '');
        assert.ok(count >= Math.min(worlds, WORLDS_OF_TWO), `only ${count} worlds`);
    });
}

test('any number: the search finds the same moves with and without its shortcuts', () => {
    const { missing, count } = fixpoint.firstMoveOut(randomOf(1), 10_000);
    assert.equal(missing, '');
    assert.equal(count, 10_000);
});

/** The thread sleeps on the lower half, then as the heir. @param {number} thread @returns {Script} */
function becomesNext(thread) {
    return [
        [thread, 'lock', 'sleeps'],
        [thread, '', 'sleeps'],
    ];
}

/** Kinds of steps in a walk of many threads, whatever the threads. */
const KINDS = [
    ...['reads', 'changes the word', 'compares in vain', 'falls asleep', 'does not sleep', 'its time is up'],
    ...['wakes the heir', 'wakes one (long)', 'wakes one (naps)', 'wakes nobody'],
    ...['lock', 'try', 'unlock', 'lock for 0', 'lock for 1', 'lock for 60000000', '0', '1', '60000000'],
    ...['try after 3', 'try after the slot of 3'],
];
const KINDS_OF_LOOPS = [
    ...['meets line', 'wakes the line', 'makes an entry', 'makes no entry', 'withdraw'],
    ...['nothing', 'oldest 3', 'reservation 3', 'slot 3'].map((watched) => `step 1 2 in line ${watched}`),
];

for (const { blocking, loops = 0, steps } of [
    { blocking: 6, steps: 20_000 },
    { blocking: 12, steps: 20_000 },
    { blocking: 5, loops: 3, steps: 6000 },
    { blocking: 6, loops: 6, steps: 6000 },
]) {
    const who = `${blocking} threads${loops ? ` and ${loops} event loops` : ''}`;
    test(`any number: each step of a random walk of ${who} is a step of the abstraction`, (t) => {
        const seed = seedFor(t);
        const { missing, schedule, kinds, most } = walked(loops ? withLoops : fixpoint, {
            ...{ blocking, loops, steps, seed, isFound: loops === 0 },
        });
        assert.equal(missing, '', schedule.join('\n'));
        assert.ok(most.long >= 2, `only ${most.long} slept at once`);
        t.diagnostic(`${[...kinds.values()].reduce((all, count) => all + count)} steps`);
    });
}

test("any number: two waiters may sleep at the same time after both lost the heir's slot", () => {
    // Threads 0 and 2 have reserved the lock for 1 and 3, and are slow to wake them; 2 and 4 have watched
    // those reservations.
    const { missing, worlds, came } = scripted(
        fixpoint,
        [false, false, false, false, false],
        [
            [0, 'lock', 'is done'],
            ...becomesNext(1),
            [0, 'unlock', 'is to wake'],
            [2, 'try after 1', 'is done'],
            ...becomesNext(3),
            [2, 'unlock', 'is to wake'],
            [4, 'try after 3', 'is done'],
            [2, '', 'is done'],
            [0, '', 'is done'],
            [4, 'unlock', 'is done'],
        ],
        true,
    );
    assert.equal(missing, '');
    assert.equal(Math.max(...came.map((world) => worlds.highIn(world))), 2);
});

/**
 * Thread 1, beside the owner 0 and thread 2: in the middle of a step it has read that it is listed, and the
 * heir.
 * @type {Script}
 */
const NEXT_IN_LINE = [
    [0, 'lock', 'is done'],
    ...becomesNext(2),
    [1, 'step 1 1 by the line nothing', 'is done'],
    [1, '', 'moved'], // makes an entry in the async wait list
    [1, 'step 1 3 in line nothing', 'is done'], // and displaces the heir
    [1, '', 'moved'],
    [1, 'step 1 3 in line nothing', 'moved'],
    [1, '', 'moved'],
];

for (const { what, script } of /** @type {{ what: string, script: Script }[]} */ ([
    {
        what: 'loses the slot of the heir',
        script: [
            [0, 'unlock', 'is to wake'],
            [3, 'try after 1', 'is done'],
            [0, '', 'is done'],
        ],
    },
    { what: 'gets a reservation, and the list is woken', script: [[0, 'unlock', 'is done']] },
])) {
    test(`any number: the abstraction covers a step of an async waiter that ${what}`, () => {
        const kinds = [false, true, false, false];
        const { missing, worlds, came } = scripted(withLoops, kinds, [...NEXT_IN_LINE, ...script], false);
        assert.equal(missing, '');
        assert.ok(came.some((world) => worlds.abstracted(world).state.said));
    });
}

test('any number: the random walks together make every kind of move', () => {
    const [blocking, loops] = [
        walked(fixpoint, { blocking: 6, steps: 20_000, seed: 1, isFound: false }),
        walked(withLoops, { blocking: 3, loops: 3, steps: 12_000, seed: 1, isFound: false }),
    ];
    const missingIn = (/** @type {Map<string, number>} */ kinds, /** @type {string[]} */ all) => {
        const seen = [...kinds.keys()].flatMap((kind) => kind.replace(/^\d: /, '').split(', '));
        return all.filter((each) => !seen.includes(each));
    };
    assert.deepEqual(missingIn(blocking.kinds, KINDS), []);
    assert.deepEqual(missingIn(loops.kinds, KINDS_OF_LOOPS), []);
});

/** @param {string} name */
function scenarioOf(name) {
    const scenario = BLOCKING_SCENARIOS.find((each) => each.name === name);
    assert.ok(scenario, `there is no scenario ${name}`);
    return scenario;
}

for (const { name, worlds } of [
    { name: '3 workers', worlds: 606 },
    { name: '2 workers with 2 rounds, slices', worlds: 1200 },
    { name: 'a try that watches, 2 workers, slices', worlds: 3000 },
    { name: '2 time limits, 1 worker', worlds: 3000 },
    { name: '4 workers, any is woken', worlds: 3000 },
    { name: 'an unlock by a stranger, 2 workers', worlds: 114 },
]) {
    test(`any number: the abstraction covers the threads of "${name}", in ${worlds} states`, () => {
        const followed = new FollowedScenario(fixpoint, shipped, scenarioOf(name));
        const { missing, count } = followed.firstMissing(worlds);
        assert.equal(missing, '');
        assert.ok(count >= worlds, `only ${count} worlds`);
    });
}

test('any number: the abstraction covers the package in each scenario with event loops', () => {
    assert.ok(LOOP_SCENARIOS.length > 50);
    for (const scenario of LOOP_SCENARIOS) {
        const { missing, count } = new FollowedScenario(withLoops, shipped, scenario, false).firstMissing(
            200,
        );
        assert.equal(missing, '', scenario.name);
        assert.ok(count >= 200, scenario.name);
    }
});

for (const { without, scenario } of [
    { without: 'wakes', scenario: '3 workers' },
    { without: 'its time is up', scenario: '2 time limits, 1 worker' },
    { without: 'falls asleep', scenario: '3 workers' },
    { without: 'compares in vain', scenario: '3 workers' },
]) {
    test(`any number: the check finds that the abstraction is incomplete without the moves "${without}"`, () => {
        const less = new Fixpoint(shipped, { without });
        less.run();
        assert.notEqual(firstMissing(less, 2, Infinity).missing, '');
        const followed = new FollowedScenario(less, shipped, scenarioOf(scenario));
        assert.notEqual(followed.firstMissing(Infinity).missing, '');
    });
}

/** A few mutants that are found soon; `npm run mutants -- any-number` tries all. */
const MUTANTS = /** @type {[name: string, found: RegExp][]} */ ([
    ['a thread passes although there is no room', /what another thread holds is taken/],
    ['any reservation may be taken away', /has not watched its reservation/],
    ["a reservation counts as outlasted when the caller's time limit ends", /no whole wait has watched/],
    ['a woken sleeper does not answer for the others', /nobody naps/],
    ['a passing heir leaves its reservation to the next', /no whole wait has watched/],
]);

/** @type {MutantBuild} */
let build;
/** @type {AnyNumberChecks} */
let checks;
before(() => {
    build = new MutantBuild();
    checks = new AnyNumberChecks();
});
after(() => build.remove());

for (const [name, found] of MUTANTS) {
    test(`any number: the search finds this mutant: ${name}`, () => {
        const mutant = C_MISTAKES.find((each) => each.name === name);
        assert.ok(mutant);
        const { report, replay } = checks.verdictOn(moduleOf(build.bytesWith(mutant.edits)));
        assert.match(report, found);
        assert.match(replay, /steps of [234] threads/);
    });
}

/** Mutants that the search with event loops finds early. */
const MUTANTS_OF_LOOPS = /** @type {[name: string, found: RegExp][]} */ ([
    ['an event loop on the async wait list does not set its flag', /nobody wakes the async wait list/],
    ['an event loop claims its slot as if it could block', /puts another thread into the slot/],
    ['the slot of an event loop is taken over', /takes the slot of the heir/],
]);

for (const [name, found] of MUTANTS_OF_LOOPS) {
    test(`any number: the search with event loops finds this mutant: ${name}`, () => {
        const mutant = C_MISTAKES.find((each) => each.name === name);
        assert.ok(mutant);
        assert.match(fixpointOf(moduleOf(build.bytesWith(mutant.edits)), { loops: true }).failure, found);
    });
}
