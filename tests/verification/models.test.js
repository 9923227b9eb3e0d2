/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* The shipped module in the explorer of models/, the explorer on locks with deliberate mistakes, and its
 * interpreter compared with the real engine. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import {
    GATE_LINE_OFFSET,
    GATE_OWN_OFFSET,
    RESULT_OK,
    RWLOCK_SHARED,
    STEP_KIND_POLLING,
    THREAD_BITS,
} from '../../js-glue/memory/layout.js';
import { GlueCopy } from '../../models/mutants/glue-copy.js';
import { MutantBuild } from '../../models/mutants/mutant-build.js';
import { findingIn, scenarioOf, withGlue } from '../../models/mutants/mutant-checks.js';
import { C_MISTAKES, GLUE_MISTAKES } from '../../models/mutants/mistakes.js';
import { recordedStates } from '../../models/explorer/recorded-states.js';
import { exploreScenario } from '../../models/explorer/scenario.js';
import { ALL_SCENARIOS, LOCK_SCENARIOS } from '../../models/programs/scenarios.js';
import { limitLooksOf, moduleOf, shippedModule } from '../../models/wasm/shipped-module.js';
import { call, resume } from '../../models/wasm/interpreter.js';
import { textOf } from '../support/documents.js';
import { testScenarios } from '../support/explored.js';
import { randomOf, seedFor } from '../support/seed.js';
import { isQuick, ONLY_IN_ALL } from '../support/tier.js';

const MODULE_BYTES = readFileSync(new URL('../../wasm/holdfast.wasm', import.meta.url));

/** The size of the sample: each mutant is built, which takes seconds. `npm run mutants` tries all. */
const SAMPLE = 8;

const shipped = shippedModule();
const recorded = recordedStates();

/** `npm run model` explores the others. */
const MOST_STATES = isQuick ? 6000 : 20_000;

testScenarios(LOCK_SCENARIOS, MOST_STATES);

/** The smallest scenario whose loop rests between sections: it notices a rest that has become a timer. */
const WITH_RESTS = '1 worker, 1 loop with 3 long sections, rests and aborts';
if (isQuick) {
    testScenarios([scenarioOf(WITH_RESTS)], Infinity);
}

test('models: each scenario has a recorded number of states, and each record a scenario', () => {
    const names = ALL_SCENARIOS.map(({ name }) => name);
    assert.equal(new Set(names).size, names.length, 'two scenarios have one name');
    assert.deepEqual(
        Object.keys(recorded).filter((name) => !names.includes(name)),
        [],
        'no scenario has that name',
    );
    assert.deepEqual(
        ALL_SCENARIOS.filter(({ name }) => recorded[name] === undefined).map(({ name }) => name),
        [],
        'not recorded',
    );
});

const DOCUMENT = 'docs/verification.md';

test(`models: ${DOCUMENT} has the recorded numbers of states`, () => {
    const [, table = ''] = /^\| scenario \| states \|.*\n\|.*\n((?:\|.*\n)+)/m.exec(textOf(DOCUMENT)) ?? [];
    const rows = [...table.matchAll(/^\| (.*?) \| (.*?) \|/gm)].map(([, name = '', states]) => [
        name,
        states,
    ]);
    assert.notEqual(rows.length, 0, 'there is no table');
    assert.deepEqual(
        rows,
        rows.map(([name = '']) => [name, recorded[name]?.toLocaleString('en')]),
    );
});

test(`models: ${DOCUMENT} gives the number of scenarios and the sum of their states`, () => {
    const said = textOf(DOCUMENT).matchAll(/(\d+) scenarios, ([\d.]+) million\s+states/g);
    const all = Object.values(recorded).flatMap((states) => states ?? []);
    const millions = all.reduce((sum, states) => sum + states / 1e6, 0);
    assert.deepEqual(
        [...said].map(([, scenarios, some]) => [scenarios, some]),
        [[`${all.length}`, millions.toFixed(1)]],
    );
});

/** @type {MutantBuild | undefined} */
let build;
/** @type {GlueCopy | undefined} */
let glueCopy;
after(() => {
    build?.remove();
    glueCopy?.remove();
});

/**
 * True if this file explores the scenario that finds the mutant; `npm run mutants` tries the others.
 *
 * @param {import('../../models/mutants/mutants.js').Mutant} mutant
 */
function isFoundSoon({ checks: [scenario = ''] }) {
    const isOfLocks = LOCK_SCENARIOS.some(({ name }) => name === scenario);
    return isOfLocks && (recorded[scenario] ?? Infinity) <= MOST_STATES;
}

test('models: the explorer finds a sample of faulty locks', ONLY_IN_ALL, (t) => {
    build ??= new MutantBuild();
    const random = randomOf(seedFor(t));
    const known = C_MISTAKES.filter(isFoundSoon);
    const sample = Array.from({ length: SAMPLE }, () => known[random.below(known.length)]);
    for (const mutant of new Set(sample)) {
        const { name, edits, checks } = mutant ?? assert.fail();
        const [scenario = ''] = checks;
        const module = moduleOf(build.bytesWith(edits));
        const finding = findingIn(module, scenarioOf(scenario));
        assert.notEqual(finding, '', `in ${scenario} nothing is found: ${name}`);
    }
});

/** A folder with a mistake in the glue. @param {string} name */
function sourcesWith(name) {
    glueCopy ??= new GlueCopy();
    const { edits } = GLUE_MISTAKES.find((known) => known.name === name) ?? assert.fail('no such mistake');
    return glueCopy.sourcesWith(edits);
}

for (const mutant of GLUE_MISTAKES.filter(isFoundSoon)) {
    const { name, checks } = mutant;
    test(`models: the explorer finds this mutant: ${name}`, ONLY_IN_ALL, () => {
        const scenario = withGlue(scenarioOf(checks[0] ?? ''), sourcesWith(name));
        assert.notEqual(findingIn(shipped, scenario), '', 'it found nothing');
    });
}

/* Mistakes after which the words are right, but something is left in the thread's runtime. */
for (const [name, left] of /** @type {const} */ ([
    ['the listener of a signal stays', 'a listener of a signal'],
    ['a time limit stays when the wait is over', 'a timer'],
    ['the process is kept alive when the wait is over', 'what keeps its process alive'],
])) {
    test(
        `models: the explorer finds this mutant, which leaves a listener, a timer or a live process behind: ${name}`,
        ONLY_IN_ALL,
        () => {
            const { checks } = GLUE_MISTAKES.find((known) => known.name === name) ?? assert.fail();
            const scenario = withGlue(scenarioOf(checks[0] ?? ''), sourcesWith(name));
            assert.equal(findingIn(shipped, scenario), `a thread leaves ${left} behind`);
        },
    );
}

test('models: an unchanged copy of the sources builds the shipped module', ONLY_IN_ALL, () => {
    build ??= new MutantBuild();
    assert.ok(MODULE_BYTES.equals(build.bytesWith([])));
});

test('models: a counterexample ends with the words of the lock and the state of each thread', () => {
    const scenario = scenarioOf('1 worker, 2 loops');
    const { threads } = scenario;
    const { schedule } = exploreScenario(shipped, withGlue(scenario, sourcesWith('a wake is ignored')));
    const end = schedule.slice(-threads.length);
    assert.match(
        schedule.join('\n'),
        /^words: lock 0x[0-9a-f]+, lock\.line 0x[0-9a-f]+, lock\.own 0x0; waiting: /m,
    );
    threads.forEach((_, at) => assert.match(end[at] ?? '', new RegExp(`^T${at} (is|sleeps) `)));
    assert.match(schedule[0] ?? '', /^T\d .*: i64\.atomic\.rmw\.cmpxchg lock 0x0 0x1000000\d$/);
});

test('models: an instruction that the decoder does not know is an error', () => {
    const HEADER = [0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0];
    const TYPE = [1, 4, 1, 0x60, 0, 0];
    const FUNCTION = [3, 2, 1, 0];
    const [UNREACHABLE, END] = [0x00, 0x0b];
    const CODE = [10, 5, 1, 3, 0, UNREACHABLE, END];
    const bytes = Uint8Array.of(...HEADER, ...TYPE, ...FUNCTION, ...CODE);
    assert.ok(WebAssembly.validate(bytes));
    assert.throws(() => moduleOf(bytes), /unknown instruction/);
});

/* ---- The interpreter against the engine ---- */

const GATE_ADDRESS = 1024;
const SEQUENCES = isQuick ? 600 : 3000;
const CALLS = 12;
const THREADS = 3;
const TIMED_OUT = 2;
const CAPACITIES = 4;

/**
 * A gate in the engine's memory.
 * @param {string} tier told apart by a custom section, since the engine compiles the same bytes only once
 */
function engineGate(tier) {
    const name = new TextEncoder().encode(tier);
    const bytes = Uint8Array.of(...MODULE_BYTES, 0, name.length + 1, name.length, ...name);
    const memory = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true });
    const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytes), { env: { memory } });
    const words = new BigInt64Array(memory.buffer, GATE_ADDRESS, 2);
    return {
        /** @param {bigint} word */
        reset(word) {
            words.set([word, 0n]);
        },
        /**
         * @param {string} name
         * @param {number[]} parameters
         */
        call: (name, parameters) => /** @type {Function} */ (exports[name])(GATE_ADDRESS, ...parameters),
        words: () => [...words],
    };
}

/** The interpreter's module, with the same limits of spin loops as the engine's. */
const looking = limitLooksOf(MODULE_BYTES).limited ?? assert.fail('its loops are not known');

/** A gate in the interpreter, with one thread only: no other thread wakes it or changes its words. */
function interpretedGate() {
    let word = 0n;
    /** @type {Record<number, number>} the words of 32 bits, by address */
    const small = {};
    /** @param {number} address */
    function readSmall(address) {
        return small[address] ?? assert.fail(`no word of 32 bits is at ${address}`);
    }
    /** @param {import('../../models/wasm/interpreter.js').Atomic} atomic */
    function perform({ name, address, operands: [first, second] }) {
        switch (name) {
            case 'i64.atomic.load':
                assert.equal(address, GATE_ADDRESS);
                return word;
            case 'i64.atomic.rmw.cmpxchg': {
                const before = word;
                word = word === first ? BigInt(second ?? 0) : word;
                return before;
            }
            case 'i32.atomic.load':
                return readSmall(address);
            case 'i32.atomic.store':
                readSmall(address);
                small[address] = Number(first) | 0;
                return 0;
            case 'i32.atomic.rmw.cmpxchg': {
                const before = readSmall(address);
                small[address] = before === (Number(first) | 0) ? Number(second) | 0 : before;
                return before;
            }
            case 'memory.atomic.notify':
                return 0;
            default: {
                assert.equal(name, 'memory.atomic.wait32');
                const half = address === GATE_ADDRESS ? word : word >> 32n;
                assert.equal(BigInt.asIntN(32, half), BigInt(first ?? 0));
                return TIMED_OUT;
            }
        }
    }
    return {
        /** @param {bigint} newWord */
        reset(newWord) {
            word = newWord;
            small[GATE_ADDRESS + GATE_LINE_OFFSET] = 0;
            small[GATE_ADDRESS + GATE_OWN_OFFSET] = 0;
        },
        /**
         * @param {string} name
         * @param {number[]} parameters
         */
        call(name, parameters) {
            let stop = call(looking, name, [GATE_ADDRESS, ...parameters]);
            while (stop.atomic) {
                stop = resume(looking, stop.frames, perform(stop.atomic));
            }
            return stop.value;
        },
        words() {
            const line = BigInt.asUintN(32, BigInt(readSmall(GATE_ADDRESS + GATE_LINE_OFFSET)));
            const own = BigInt(readSmall(GATE_ADDRESS + GATE_OWN_OFFSET));
            return [word, BigInt.asIntN(64, (own << 32n) | line)];
        },
    };
}

/**
 * @param {import('../support/seed.js').Random} random
 * @returns {bigint} any flags, and threads that may be those of the test
 */
function anyWord(random) {
    if (random.chance(0.3)) {
        return 0n;
    }
    const half = () => BigInt(random.below(THREADS + 1) + random.below(8) * 2 ** THREAD_BITS);
    return BigInt.asIntN(64, (half() << 32n) | half());
}

/**
 * A call that ends without the help of another thread.
 * @param {import('../support/seed.js').Random} random
 * @returns {[name: string, parameters: number[]]}
 */
function anyCall(random) {
    const self = 1 + random.below(THREADS);
    const flags = random.below(8) * 2 ** THREAD_BITS;
    const token = (flags + random.below(THREADS + 1)) | 0;
    const kind = random.below(STEP_KIND_POLLING + 1);
    const capacity = random.below(CAPACITIES);
    const amount = 1 + random.below(CAPACITIES);
    /** @type {[name: string, parameters: number[]][]} */
    const calls = [
        ['mutex_trylock', [self]],
        ['mutex_unlock', [self]],
        ['owned_is_by', [self]],
        ['gate_wait', [self, token, random.below(2), amount, capacity]],
        ['gate_try_after', [self, random.below(THREADS + 1), amount, capacity]],
        ['gate_step', [self, kind, token, amount, capacity]],
        ['gate_withdraw', [self, kind, token, capacity]],
        ['semaphore_leave', [amount]],
        ['rwlock_unlock', [random.chance(0.5) ? RWLOCK_SHARED : self]],
    ];
    return calls[random.below(calls.length)] ?? ['', []];
}

/* An engine compiles code first by one compiler and for speed by another, each with mistakes of its own. */
for (const { tier, flags } of [
    { tier: 'first', flags: '--liftoff-only' },
    { tier: 'optimizing', flags: '--no-liftoff-only --no-liftoff' },
]) {
    test(`models: the interpreter and the engine's ${tier} compiler agree on random calls`, (t) => {
        setFlagsFromString(flags);
        compareOnRandomCalls(t, engineGate(tier));
    });
}

/**
 * @param {import('node:test').TestContext} t
 * @param {ReturnType<typeof engineGate>} engine
 */
function compareOnRandomCalls(t, engine) {
    const random = randomOf(seedFor(t));
    const interpreted = interpretedGate();
    const seen = new Set();
    for (let sequence = 0; sequence < SEQUENCES; sequence += 1) {
        const word = anyWord(random);
        const calls = [`word ${word}`];
        engine.reset(word);
        interpreted.reset(word);
        for (let count = 0; count < CALLS; count += 1) {
            const [name, parameters] = anyCall(random);
            calls.push(`${name}(${parameters.join(', ')})`);
            const result = engine.call(name, parameters);
            assert.equal(interpreted.call(name, parameters), result, calls.join('\n'));
            assert.deepEqual(interpreted.words(), engine.words(), calls.join('\n'));
            seen.add(`${name} ${typeof result === 'bigint' ? (result >> 32n) & 3n : Math.sign(result ?? 0)}`);
        }
    }
    // Each call has succeeded and failed at least once.
    assert.ok(seen.has(`mutex_unlock ${RESULT_OK}`) && seen.has(`mutex_unlock 1`), [...seen].join());
    assert.ok(seen.size >= 17, [...seen].join());
}
