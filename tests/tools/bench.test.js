/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { checkCounters, Counters, LostUpdateError, makeArena, pairOf } from '../../benchmarks/arena.js';
import { openBrowser } from '../../benchmarks/browser/driver.js';
import { isMissed } from '../../benchmarks/figures.js';
import { exchange } from '../../benchmarks/messages-run.js';
import { median, medianRatio, quantile } from '../../benchmarks/rounds.js';
import { threadCounts } from '../../benchmarks/scenarios/crowd.js';
import { scenarios } from '../../benchmarks/scenarios.js';
import { digits } from '../../benchmarks/words.js';
import { NO_NETWORK } from '../runtimes/fetch.js';

const BENCH = fileURLToPath(new URL('../../benchmarks/bench.mjs', import.meta.url));

/** @param {string[]} words */
async function runNode(words) {
    const child = spawn(process.execPath, words, {
        stdio: ['ignore', 'pipe', 'pipe'],
        // Ends a program whose own watchdog fails.
        timeout: 300_000,
        killSignal: 'SIGKILL',
    });
    const [output, errors, [code, killedBy]] = await Promise.all([
        text(child.stdout),
        text(child.stderr),
        once(child, 'close'),
    ]);
    return { output, errors, code, killedBy };
}

/** @param {string[]} words */
function runBench(words) {
    return runNode([BENCH, ...words]);
}

/** @param {(folder: string) => Promise<void>} use */
async function inFolder(use) {
    const folder = await mkdtemp(join(tmpdir(), 'holdfast-bench-'));
    try {
        await use(folder);
    } finally {
        await rm(folder, { recursive: true });
    }
}

/** @param {unknown} value */
function isMeasured(value) {
    return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}

test('bench: every scenario runs, prints its figures, and writes them as numbers', async () => {
    await inFolder(async (folder) => {
        const file = join(folder, 'figures.json');
        const { output, errors, code } = await runBench([
            '--seconds',
            '0.2',
            '--rounds',
            '1',
            '--json',
            file,
        ]);
        // The exit code is 0 whatever the figures are: this machine may be busy.
        assert.equal(code, 0, errors);
        const { machine, scenarios: results } = JSON.parse(await readFile(file, 'utf8'));
        assert.match(machine.runtime, /^Node\.js v/);
        const names = results.map((/** @type {any} */ { name }) => name);
        assert.deepEqual(
            names,
            scenarios.map(({ name }) => name),
        );
        for (const { name, figures, series } of results) {
            assert.match(output, new RegExp(`^${name}: `, 'm'));
            // SQLite's sources come from the network, once.
            assert.ok(figures.length > 0 || NO_NETWORK.test(errors), name);
            for (const { what, value, beside } of figures) {
                assert.ok(isMeasured(value), `${name}: ${what}: ${value}`);
                assert.ok(
                    beside === undefined || isMeasured(beside.value) !== (beside.cannot !== undefined),
                    `${name}: ${what}: ${JSON.stringify(beside)}`,
                );
            }
            for (const { panel, contestant, points } of series) {
                assert.ok(points.flat().every(isMeasured), `${name}: ${panel}: ${contestant}`);
            }
        }
        assert.match(output, /of \d+ bounds are met/);
    });
});

test('bench: waits of the main thread of Firefox are measured', async () => {
    const browser = await openBrowser('firefox', 0.2);
    try {
        const load = { contestant: 'holdfast', workers: 2, sectionMs: 0.05 };
        const { waits, rates } = await browser.run({ ...load, seconds: 0.2, cycle: { everyMs: 4 } });
        assert.notEqual(waits.length, 0);
        assert.ok(waits.every(isMeasured));
        assert.equal(rates.length, 2);
    } finally {
        await browser.close();
    }
});

test('bench: a worker gets answers to its calls', async () => {
    for (const key of ['calls', 'postAndWait']) {
        const { waits } = await exchange({ key, way: 'to loop', size: 16, seconds: 0, questions: 4 });
        assert.ok(waits.length === 2 && waits.every(isMeasured), key);
    }
});

for (const { way, keys } of /** @type {const} */ ([
    { way: 'to loop', keys: ['channel', 'channelBatches', 'postMessage'] },
    { way: 'from loop', keys: ['channel', 'channelBatches', 'postMessage'] },
    { way: 'between', keys: ['channel', 'channelBatches', 'postMessage', 'ring', 'multithreadingChannel'] },
])) {
    test(`bench: the rates of messages and of answered questions are measured (${way})`, async () => {
        for (const key of keys) {
            const run = { key, way, size: 16 };
            // The run itself checks that no message is lost.
            const { rate } = await exchange({ ...run, seconds: 0.1, most: 1000 });
            assert.ok(rate > 0, key);
            if (way !== 'to loop' && ['channel', 'postMessage'].includes(key)) {
                const { waits } = await exchange({ ...run, seconds: 0, questions: 4 });
                assert.ok(waits.length === 2 && waits.every(isMeasured), key);
            }
        }
    });
}

test('bench: --help names every scenario and measures nothing', async () => {
    const { output, code } = await runBench(['--help']);
    assert.equal(code, 0);
    for (const { name } of scenarios) {
        assert.match(output, new RegExp(`^ {2}${name} `, 'm'));
    }
});

test('bench: cores has a row for each number of threads that it runs, up to the most that a place can have', () => {
    assert.deepEqual([...threadCounts(2, 256)], [1, 2, 4]);
    assert.deepEqual([...threadCounts(192, 256)], [1, 2, 4, 8, 16, 32, 64, 128, 192, 256]);
    assert.deepEqual([...threadCounts(512, 256)], [1, 2, 4, 8, 16, 32, 64, 128, 256]);
});

test('bench: an unknown scenario or an invalid number ends the command with a message and without a stack', async () => {
    for (const words of [['nonsense'], ['--rounds', '0.5'], ['--seconds', 'x'], ['--unknown']]) {
        const { output, errors, code } = await runBench(words);
        assert.equal(code, 1, words.join(' '));
        assert.equal(output, '');
        assert.match(errors, /^bench: [^\n]+\n$/);
    }
});

test('bench: a lost update ends the run with an error, at the next section or at the end', () => {
    const arena = makeArena(2);
    const counters = [new Counters(arena, 0), new Counters(arena, 1)];
    for (const thread of counters) {
        thread.enter();
        thread.leave();
    }
    checkCounters(arena);

    counters[0]?.enter();
    assert.throws(() => counters[1]?.enter(), LostUpdateError);
    counters[0]?.leave();
    checkCounters(arena);

    pairOf(arena).fill(1);
    assert.throws(() => checkCounters(arena), LostUpdateError);
});

for (const { how, run } of [
    { how: 'blocks its thread', run: 'Atomics.wait(arena.controlOf(place), 0, 0)' },
    { how: 'waits for nothing', run: 'new Promise(() => {})' },
]) {
    test(`bench: a run that ${how} is ended, and its output is printed`, async () => {
        const benchmarks = new URL('../../benchmarks/', import.meta.url).href;
        const program = `
            import * as arena from '${benchmarks}arena.js';
            import { GRACE_SECONDS, watched } from '${benchmarks}watchdog.js';
            const place = arena.makeArena(1);
            arena.lockWordsOf(place)[1] = 0x12345678;
            await watched('this run', place, 0.2 - GRACE_SECONDS, async () => ${run});
        `;
        await inFolder(async (folder) => {
            const file = join(folder, 'hang.mjs');
            await writeFile(file, program);
            const { errors, killedBy } = await runNode([file]);
            assert.equal(killedBy, 'SIGTERM', errors);
            assert.match(errors, /this run hangs/);
            assert.match(errors, /lock +00000000 12345678/);
        });
    });
}

test('bench: quantiles, medians and ratios of rounds are as defined', () => {
    const hundred = Array.from({ length: 100 }, (_, index) => index + 1);
    assert.equal(quantile(hundred, 0.99), 99);
    assert.equal(quantile([7], 0.99), 7);
    assert.ok(Number.isNaN(quantile([], 0.5)));
    assert.equal(median([3, 1, 2]), 2);
    assert.equal(median([4, 1, 3, 2]), 2.5);
    assert.equal(medianRatio([1, 20, 3], [2, 10, 3]), 1);
});

test('bench: a figure of 1,000 or more, after rounding, has a comma', () => {
    assert.deepEqual([999.4, 999.6, 1000, 12_345.6].map(digits), ['999', '1,000', '1,000', '12,346']);
});

test('bench: a figure beyond its bound, or not a number, misses the bound', () => {
    const figure = { what: 'a', unit: '', value: 2, ratio: 0.5 };
    assert.equal(isMissed(figure), false);
    assert.equal(isMissed({ ...figure, bound: { of: 'value', most: 2 } }), false);
    assert.equal(isMissed({ ...figure, bound: { of: 'value', most: 1.9 } }), true);
    assert.equal(isMissed({ ...figure, bound: { of: 'ratio', least: 0.5 } }), false);
    assert.equal(isMissed({ ...figure, bound: { of: 'ratio', least: 0.6 } }), true);
    assert.equal(isMissed({ ...figure, value: NaN, bound: { of: 'value', most: 2 } }), true);
});
