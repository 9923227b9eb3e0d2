/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* The benchmarks in C, and the judging of contended throughput; `bench.test.js` runs the scenarios. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runInC } from '../../benchmarks/c-programs.js';
import { Counters, LostUpdateError, makeArena } from '../../benchmarks/arena.js';
import { runContended } from '../../benchmarks/contended-run.js';
import { isMissed } from '../../benchmarks/figures.js';
import { gridFigures } from '../../benchmarks/frames/contended.js';
import { besideBurners } from '../../benchmarks/scenarios/loaded.js';

for (const target of /** @type {const} */ (['wasm', 'native'])) {
    test(`bench-c: the programs count sections, and time pairs of lock and unlock (${target})`, async () => {
        /** @type {string[]} */
        let idle = [];
        // On a busy machine threads may have no turn for a while.
        for (const seconds of [0.05, 1, 10]) {
            const results = await runInC(target, { threads: 3, us: 1, seconds, rounds: 1 });
            const able = results.filter(({ cannot }) => cannot === undefined);
            assert.ok(able.length >= 2);
            assert.ok(able.every(({ runs }) => runs[0]?.rates.length === 3));
            idle = able
                .filter(({ runs }) => !runs[0]?.rates.some((rate) => rate > 0))
                .map(({ title }) => title);
            if (idle.length === 0) {
                break;
            }
        }
        assert.deepEqual(idle, []);
        for (const { title, runs, cannot } of await timePairs(target, 'mutex', 2)) {
            assert.ok(
                cannot ?? (runs.length === 2 && runs.every(({ nanoseconds }) => nanoseconds > 0)),
                title,
            );
        }
    });
}

/** @param {import('../../benchmarks/c-programs.js').Target} target @param {import('../../benchmarks/c-programs.js').Primitive} primitive @param {number} rounds */
function timePairs(target, primitive, rounds) {
    return runInC(target, { primitive, threads: 0, us: 0, rounds, seconds: 0.001, warmUp: 0 });
}

for (const target of /** @type {const} */ (['wasm', 'native'])) {
    for (const primitive of /** @type {const} */ (['semaphore', 'rwlock', 'condition', 'barrier'])) {
        test(`bench-c: every contestant is measured in each round (${primitive}, ${target})`, async () => {
            // The program itself checks that they keep threads apart.
            const load = { primitive, threads: 3, us: 1, amount: 50, seconds: 0.03, rounds: 2 };
            const results = await runInC(target, load);
            assert.equal(results[0]?.title, 'holdfast');
            assert.equal(results.length, 2);
            for (const { title, runs } of results) {
                assert.deepEqual(
                    runs.map(({ rates }) => rates.length),
                    [3, 3],
                );
                assert.ok(
                    runs.flatMap(({ rates }) => rates).some((rate) => rate > 0),
                    title,
                );
            }
        });
    }
}

test('bench-c: each contestant delivers the messages of a channel in order', async () => {
    for (const amount of [1, 256]) {
        // The program itself checks the order.
        const load = { primitive: /** @type {const} */ ('channel'), amount, threads: 2, us: 0 };
        const contestants = ['holdfast', 'pthread_cond'];
        for (const { runs } of await runInC('native', { ...load, contestants, seconds: 0.03, rounds: 2 })) {
            assert.deepEqual(
                runs.map(({ rates }) => rates.length),
                [2, 2],
            );
        }
    }
});

test('bench-c: threads that sleep in a wait take a share of a core, and wake in the end', async () => {
    const contestants = ['mutex', 'event', 'pthread_mutex'];
    const load = {
        primitive: /** @type {const} */ ('sleepers'),
        threads: 20,
        us: 0,
        rounds: 1,
        seconds: 0.05,
    };
    for (const { title, runs } of await runInC('native', { ...load, contestants })) {
        assert.ok(
            runs.every(({ cores, rates }) => cores >= 0 && rates.length === 20),
            title,
        );
    }
});

/** @param {import('../../benchmarks/c-programs.js').Primitive} primitive @param {string} contestant @param {number} threads */
async function countIn(primitive, contestant, threads) {
    const load = { primitive, contestants: [contestant], threads, us: 1, seconds: 0.005, rounds: 1 };
    const [result] = await runInC('native', load, 'counted');
    const { sections, counts } = result?.runs[0] ?? {};
    assert.ok(sections && counts, `${primitive}, ${contestant}`);
    return { sections, ...counts };
}

test('bench-c: on the model an uncontended section makes exactly two atomic changes to the lock', async () => {
    for (const contestant of ['holdfast', 'three-state futex']) {
        const { sections, changes, fetches, sleeps, wakes } = await countIn('mutex', contestant, 1);
        // The first and the last section may be measured in part.
        assert.ok(Math.abs(changes - 2 * sections) <= 2, `${contestant}: ${changes} in ${sections}`);
        assert.deepEqual([fetches, sleeps, wakes], [0, 0, 0], contestant);
    }
});

test('bench-c: on the model operations on a contended lock are counted, the same in each run', async () => {
    for (const [primitive, contestant] of /** @type {const} */ ([
        ['mutex', 'holdfast'],
        ['mutex', 'three-state futex'],
        ['mutex', 'MCS'],
        ['mutex', 'parking_lot'],
        ['condition', 'holdfast'],
        ['barrier', 'holdfast'],
    ])) {
        const counts = await countIn(primitive, contestant, 8);
        assert.ok(counts.changes > 0 && counts.fetches > 0, `${primitive}, ${contestant}`);
        assert.deepEqual(await countIn(primitive, contestant, 8), counts);
    }
});

test('bench-c: the longest wait for a section is measured, natively and from JavaScript', async () => {
    const load = { contestants: ['holdfast'], threads: 2, us: 50, seconds: 0.05, rounds: 1 };
    const [result] = await runInC('native', load);
    const inC = result?.runs[0]?.longest ?? NaN;
    let waited = 0;
    // On a busy machine a worker may have no turn for a while.
    for (const seconds of [0.05, 1, 10]) {
        const run = { contestant: 'holdfast', workers: 2, sectionMs: 0.05, seconds };
        waited = (await runContended(run)).longest;
        if (waited > 0.04) {
            break;
        }
    }
    // Of two threads that share a lock, one waits for a section of the other at least.
    assert.ok(inC > 0.04 && waited > 0.04, `${inC} ms, ${waited} ms`);
});

test('bench-c: programs that burn cores end with the run beside which they burn, even if it fails', async () => {
    /** @type {number[]} */
    let ids = [];
    const failure = new Error('the run fails');
    const run = besideBurners(2, async (pids) => {
        ids = pids;
        assert.ok(pids.every((pid) => process.kill(pid, 0)));
        throw failure;
    });
    await assert.rejects(run, failure);
    for (const pid of ids) {
        assert.throws(() => process.kill(pid, 0), { code: 'ESRCH' });
    }
});

for (const target of /** @type {const} */ (['wasm', 'native'])) {
    for (const primitive of /** @type {const} */ (['semaphore', 'rwlock', 'rwlock, shared'])) {
        test(`bench-c: lock-unlock pairs of the ${primitive} are timed (${target})`, async () => {
            for (const { title, runs } of await timePairs(target, primitive, 1)) {
                assert.ok(runs.length === 1 && runs.every(({ nanoseconds }) => nanoseconds > 0), title);
            }
        });
    }
}

for (const { primitive, job } of /** @type {const} */ ([
    { primitive: 'RwLock', job: 'readWrite' },
    { primitive: 'Condition', job: 'alternate' },
    { primitive: 'Condition', job: 'alternateAsync' },
])) {
    test(`bench-c: workers use the locks of holdfast and of multithreading from JavaScript (${primitive}, ${job})`, async () => {
        const ours = primitive.charAt(0).toLowerCase() + primitive.slice(1);
        for (const contestant of [ours, `multithreading${primitive}`]) {
            const load = { workers: 3, sectionMs: 0, readsIn100: 50, contestant, jobs: [job] };
            let isDone = false;
            // On a busy machine a tenth of a second may pass before the workers have taken turns.
            for (const seconds of [0.1, 1, 10]) {
                const { rates } = await runContended({ ...load, seconds });
                assert.equal(rates.length, 3);
                isDone ||= rates.some((rate) => rate > 0);
                if (isDone) {
                    break;
                }
            }
            assert.ok(isDone, contestant);
        }
    });
}

test('bench-c: a reader inside beside a writer ends the run with an error', () => {
    const counters = new Counters(makeArena(1), 0);
    counters.look();
    counters.enter();
    assert.throws(() => counters.look(), LostUpdateError);
    counters.leave();
    counters.look();
});

test('bench-c: a contestant that cannot wait is left out of contended runs, and the program says so', async () => {
    const results = await runInC('native', { threads: 1, us: 0, seconds: 0.001, rounds: 1 });
    assert.deepEqual(
        results.filter(({ cannot }) => cannot).map(({ title, cannot }) => [title, cannot]),
        [['bare instructions', 'they do not wait']],
    );
    const contestants = ['-bare instructions', '-pthread_mutex'];
    const others = await runInC('native', { contestants, threads: 1, us: 0, seconds: 0.001, rounds: 1 });
    assert.deepEqual(
        others.map(({ title }) => title),
        ['holdfast'],
    );
});

/** @param {Record<string, number[][]>} results */
function setting(results) {
    return {
        what: '2 threads, 5 µs',
        results: Object.entries(results).map(([title, all]) => ({
            title,
            runs: all.map((rates) => ({ rates })),
        })),
    };
}

test('bench-c: a figure names the best rival, and says if that rival starves a thread', () => {
    const [figure] = gridFigures(
        [
            setting({
                holdfast: [[50, 45]],
                weak: [[10, 10]],
                greedy: [[95, 5]],
            }),
        ],
        [],
    );
    assert.equal(figure?.value, 95);
    assert.equal(figure.beside?.name, 'greedy, its slowest thread 0.05 of its fastest');
    assert.equal(figure.ratio, 0.95);
    assert.equal(isMissed(figure), false);
});

test('bench-c: a grid counts ratios of at least 1 as ahead, and lists the missing contestants', () => {
    const better = setting({ holdfast: [[60, 60]], other: [[50, 50]] });
    const worse = setting({ holdfast: [[40, 40]], other: [[50, 50]] });
    const unfair = setting({ holdfast: [[50, 45]], other: [[95, 5]] });
    const settings = [better, worse, unfair, better];
    const figures = gridFigures(settings, [{ name: 'absent', cannot: 'it is not there' }]);
    const [first, second, third, , shareWithUnfair, cannot] = figures;
    assert.deepEqual(
        [first, second, third, shareWithUnfair].map((figure) => figure && isMissed(figure)),
        [false, true, false, true],
    );
    assert.equal(shareWithUnfair?.value, 0.75);
    assert.deepEqual(cannot?.beside, { name: 'absent', cannot: 'it is not there' });
});

test('bench-c: a figure to which no rival compares has no bound', () => {
    const figures = gridFigures([setting({ holdfast: [[1, 1]] })], [], { where: 'in C, ' });
    assert.equal(figures.length, 1);
    assert.equal(figures[0]?.what, 'in C, 2 threads, 5 µs: sections of all threads');
    assert.equal(figures[0].bound, undefined);
});
