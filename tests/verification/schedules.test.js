/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* The deterministic scheduler of models/engine/: the shipped module on real threads, step by step, against
 * the models; and the scheduler itself on locks with deliberate mistakes. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { askingModule } from '../../models/engine/asking-module.js';
import { randomChooser } from '../../models/engine/choosers.js';
import { Engine } from '../../models/engine/engine.js';
import { LARGER_SCENARIOS } from '../../models/engine/larger.scenarios.js';
import { forEachMutant } from '../../models/engine/mutant-runs.js';
import { startNodeThread } from '../../models/engine/node-threads.js';
import { differenceOf, replay } from '../../models/engine/replay.js';
import { runSchedules } from '../../models/engine/run-schedules.js';
import { runSchedule } from '../../models/engine/schedule.js';
import { Section, SectionRecord, sectionWordsFor } from '../../models/engine/section.js';
import { exploreScenario } from '../../models/explorer/scenario.js';
import { ENDING_SCENARIOS as EXPLORED } from '../../models/programs/scenarios.js';
import { shippedModule } from '../../models/wasm/shipped-module.js';
import { decode } from '../../models/wasm/decoder.js';
import { interpreterOf } from '../../models/wasm/interpreter.js';
import { runQuietly } from '../../scripts/run-quietly.mjs';
import { seedFor } from '../support/seed.js';
import { isQuick, ONLY_IN_ALL } from '../support/tier.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const SCENARIOS = [...EXPLORED, ...LARGER_SCENARIOS];
const LENGTH = 40;

/* The number that takes seconds; npm run schedules takes any number. */
const SCHEDULES = isQuick ? 30 : 400;
const COMPARED_SCHEDULES = isQuick ? 12 : 100;
const MUTANT_SCHEDULES = 1500;

const shipped = shippedModule();
const asking = askingModule(shipped);

/** @type {Engine} */
let engine;
before(async () => {
    engine = await Engine.start(asking, SCENARIOS, startNodeThread);
});
after(() => engine.end());

/** @param {string} name */
function scenarioOf(name) {
    const scenario = SCENARIOS.find((known) => known.name === name);
    assert.ok(scenario, `there is no scenario ${name}`);
    return scenario;
}

/** @param {import('../../models/engine/run-schedules.js').Failure | undefined} failure */
function textOf(failure) {
    return failure && [failure.seed, failure.scenario, failure.failure, ...failure.schedule].join('\n');
}

for (const [method, pct] of /** @type {[string, number | undefined][]} */ ([
    ['random walks', undefined],
    ['priorities', 3],
])) {
    test(`schedules: by ${method}, no violation is found in the shipped module`, (t) => {
        const order = { seed: seedFor(t), count: SCHEDULES, pct };
        const { schedules, distinct, failure } = runSchedules(engine, SCENARIOS, order);
        assert.equal(failure, undefined, textOf(failure));
        assert.equal(schedules, SCHEDULES);
        // Without this a chooser that always makes the same choices would pass.
        assert.ok(distinct > SCHEDULES / 4, `only ${distinct} schedules differ`);
    });
}

test('schedules: engine and interpreter stop before the same instruction at each step', async (t) => {
    let compared = 0;
    class ComparedEngine extends Engine {
        /**
         * @override
         * @param {number} at
         * @returns {import('../../models/explorer/thread-call.js').Runner}
         */
        runnerOf(at) {
            const runner = super.runnerOf(at);
            const interpreter = interpreterOf(shipped);
            /** @type {any} */
            let frames;
            /** @param {import('../../models/wasm/interpreter.js').Stop} stop */
            const agreed = (
                stop,
                /** @type {import('../../models/wasm/interpreter.js').Stop} */ expected,
            ) => {
                assert.deepEqual({ ...stop, frames: 0 }, { ...expected, frames: 0 });
                frames = expected.atomic && expected.frames;
                compared += 1;
                return stop;
            };
            return {
                call: (name, parameters) =>
                    agreed(runner.call(name, parameters), interpreter.call(name, parameters)),
                resume: (_, result) =>
                    agreed(runner.resume(undefined, result), interpreter.resume(frames, result)),
            };
        }
    }
    const order = { seed: seedFor(t), count: COMPARED_SCHEDULES };
    const { steps, failure } = await ComparedEngine.use(
        asking,
        SCENARIOS,
        startNodeThread,
        (comparedEngine) => runSchedules(comparedEngine, SCENARIOS, order),
    );
    assert.equal(failure, undefined, textOf(failure));
    t.diagnostic(`${compared} stops compared in ${steps} steps`);
    assert.ok(compared > steps);
});

test('schedules: a seed, or the list of its steps, always gives the same schedule', () => {
    const scenario = scenarioOf('2 workers in all ways, 2 loops with 3 requests and aborts');
    const run = () => runSchedule(engine, scenario, randomChooser({ seed: 7, length: LENGTH }));
    const first = run();
    assert.equal(run().path, first.path);
    const again = replay(engine, scenario, first.schedule());
    assert.equal(again.path, first.path);
    assert.deepEqual(again.end, first.end);
});

test('schedules: an error names an impossible step of a list, and the possible ones', () => {
    const lines = [
        'T0 mutex_lock_for_a_time(lock, 268435457): i64.atomic.rmw.cmpxchg lock 0x0 0x10000001',
        'T1 mutex_unlock: nonsense',
    ];
    assert.throws(
        () => replay(engine, scenarioOf('3 workers'), lines),
        /step 2 is not possible: T1 mutex_unlock: nonsense\npossible steps:\nT0 mutex_unlock/,
    );
});

test('schedules: the command prints its seed and scenario, and repeats the run with the same seed', () => {
    const command = ['models/engine/schedules.js', '--count', '10', '--seed', '3', '--pct', '2'];
    const { ok, output } = runQuietly([process.execPath, ...command], { cwd: ROOT });
    assert.ok(ok, output);
    const { schedules, distinct, steps } = runSchedules(engine, SCENARIOS, { seed: 3, count: 10, pct: 2 });
    const counts = `${schedules} schedules, ${distinct} of them distinct, ${steps} steps`;
    assert.match(output, new RegExp(`^seed 3, priorities, depth 2, .*: ${counts}, .* nothing found$`, 'm'));
});

test('schedules: instrumenting the module only turns atomics into calls', () => {
    const { functions, exports } = decode(asking.bytes);
    shipped.functions.forEach(({ instructions }, at) => {
        const rewritten = functions[at]?.instructions ?? [];
        assert.equal(rewritten.length, instructions.length);
        instructions.forEach(({ name, value, bytes }, place) => {
            const is = rewritten[place];
            if (name === 'call' || name.includes('.atomic.')) {
                assert.equal(is?.name, 'call');
            } else if (name === 'i32.const') {
                assert.equal(is?.value, value);
            } else {
                assert.deepEqual([...(is?.bytes ?? [])], [...bytes]);
            }
        });
    });
    assert.deepEqual([...exports.keys()], [...shipped.exports.keys()]);
    const atomics = functions.slice(0, shipped.functions.length).flatMap(({ instructions }) => instructions);
    assert.ok(!atomics.some(({ name }) => name.includes('.atomic.')));
});

test('schedules: the controller itself detects two threads in one section, and a lost update', () => {
    const words = sectionWordsFor(2);
    const record = new SectionRecord(words);
    const [first, second] = [new Section(words, 0), new Section(words, 1)];
    first.enter();
    first.leave();
    second.enter();
    second.leave();
    assert.equal(record.hadTwoInside, false);
    assert.deepEqual(record.counts, { left: 2, counted: 2 });
    first.enter();
    second.enter();
    assert.equal(record.hadTwoInside, true);
    first.leave();
    second.leave();
    assert.deepEqual(record.counts, { left: 4, counted: 3 });
});

/**
 * The failure that the engine shows for each of these, and whether random schedules also find it soon.
 * @type {Record<string, { shows: RegExp, isFoundSoon: boolean }>}
 */
const REPLAYED = {
    'a release wakes no sleeper': { shows: /stands in mutex_lock_for_a_time/, isFoundSoon: true },
    'a release does not wake the heir': {
        shows: /words: 0xb0000002[0-9a-f]* 0x10000003/,
        isFoundSoon: true,
    },
    'anybody may unlock': {
        shows: /words: 0xffffffffefffffff 0x0; T0 stands in mutex_unlock/,
        isFoundSoon: true,
    },
    'the last request gives up, and the thread stays the heir': {
        shows: /words: 0xb000000300000000 0x0/,
        isFoundSoon: true,
    },
    'a thread that watched a reservation takes the lock even while it is held': {
        shows: /T0 stands in mutex_unlock; T1 stands in mutex_(un)?lock/, // the explorer notices the word earlier
        isFoundSoon: false,
    },
};

test('schedules: the engine fails at the same step as the explorer', ONLY_IN_ALL, async (t) => {
    /** @type {string[]} */
    const seen = [];
    await forEachMutant(
        scenarioOf,
        ({ name, engine, scenario, module }) => {
            const { shows, isFoundSoon } = REPLAYED[name] ?? assert.fail(name);
            const explored = exploreScenario(module, scenario);
            const replayed = replay(engine, scenario, explored.schedule);
            const inEngine = replayed.inEngine.join('; ');
            t.diagnostic(`${name}: ${explored.failure}; in the engine: ${replayed.failure}; ${inEngine}`);
            assert.notEqual(replayed.failure, '');
            assert.equal(differenceOf(explored, replayed), '', name);
            assert.match(inEngine, shows);
            if (isFoundSoon) {
                const order = { seed: 1, count: MUTANT_SCHEDULES };
                const { schedules, failure } = runSchedules(engine, [scenario], order);
                t.diagnostic(`${name}: found by schedule ${schedules}`);
                assert.ok(failure, `${name}: not found`);
                const again = runSchedules(engine, [scenario], { seed: failure.seed, count: 1 });
                assert.deepEqual(again.failure, failure);
                const listed = replay(engine, scenario, [...failure.schedule, ...failure.end]);
                assert.equal(listed.failure, failure.failure);
                assert.deepEqual(listed.end, failure.end);
            }
            seen.push(name);
        },
        (name) => name in REPLAYED,
    );
    assert.deepEqual(seen.sort(), Object.keys(REPLAYED).sort());
});
