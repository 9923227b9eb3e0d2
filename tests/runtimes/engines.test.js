/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* The entries with an interface that engines have too: their tests also run with the engine's own
 * implementation, so they test what engines do. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { runQuietly } from '../../scripts/run-quietly.mjs';
import { ENGINES_DIFFER } from '../support/web-locks-cases.js';
import { binaryFor } from './binary-for.js';
import { RUNTIMES } from './runtimes.js';

const LIMIT_SECONDS = 120;
const TRIES = 3;

/** Tests that are skipped for a V8 that lacks the call. */
const NO_LOCK_ASYNC = [
    'lockAsync never runs its callback before it returns',
    'lockAsync holds the mutex until the promise of its callback settles, and resolves with its result',
    'lockAsync rejects with the error of its callback, and unlocks',
    'requests of lockAsync on one thread run in the order made',
    'lockAsync waits for a blocking thread that holds the mutex',
    'waitAsync releases the mutex, and holds it again once notified',
    'waitAsync without the mutex is a TypeError',
];
const NO_LOCK_WITH_TIMEOUT = [
    'lockIfAvailable with a timeout on a mutex that this thread holds is a TypeError',
    'lockIfAvailable gives up at its timeout if another thread holds the mutex',
    'an invalid mutex, condition, function or number is a TypeError',
];
const NOTIFY_OF_NONE = ['notify of 0 releases nobody'];

/**
 * Not Node 22: its V8 hangs, once in two runs or so, where three threads lock the same mutex again and again.
 *
 * @type {Record<string, string[]>}
 */
const LACKING = {
    'node-20': [...NO_LOCK_WITH_TIMEOUT, ...NOTIFY_OF_NONE, ...NO_LOCK_ASYNC],
    'node-24': [],
    'node-26': NO_LOCK_ASYNC,
};

/**
 * Runs a program until a run exits. An engine's own lock sometimes hangs or crashes, which says nothing about
 * holdfast.
 *
 * @param {string[]} commandLine
 * @param {NodeJS.ProcessEnv} env
 * @param {number} [limitSeconds] of each try
 */
function runUntilItExits(commandLine, env, limitSeconds = LIMIT_SECONDS) {
    const outputs = [];
    for (let attempt = 1; attempt <= TRIES; attempt += 1) {
        const { output, exited } = runQuietly(commandLine, { env, limitSeconds });
        if (exited) {
            return output;
        }
        outputs.push(output);
    }
    assert.fail(`each of ${TRIES} runs hung or crashed:\n${outputs.join('\n')}`);
}

/**
 * Runs a file of tests in a version of Node, with the engine's own.
 *
 * @param {string[]} command
 * @param {string} variable of the environment, that chooses the engine's
 * @param {string} file
 */
function runWith(command, variable, file) {
    // Not by `node --test`: its process for the file would outlive a run that hangs.
    const output = runUntilItExits([...command, '--test-reporter=tap', file], {
        ...process.env,
        NODE_TEST_CONTEXT: undefined,
        [variable]: 'engine',
    });
    assert.match(output, /^# pass [1-9]/m, output);
    const titles = (/** @type {RegExp} */ line) =>
        [...output.matchAll(line)].map(([, title = '']) => title).sort();
    return {
        output,
        failed: titles(/^not ok \d+ - [\w-]+: (.*)$/gm),
        skipped: titles(/^ok \d+ - [\w-]+: (.*) # SKIP/gm),
    };
}

/** A program whose first run crashes. */
const CRASHES_ONCE = `
    const { appendFileSync, readFileSync } = require('node:fs');
    const runs = process.argv[1];
    appendFileSync(runs, '.');
    console.log('run', readFileSync(runs).length);
    if (readFileSync(runs).length === 1) {
        process.kill(process.pid, 'SIGKILL');
    }
`;

test('runtimes: a run that crashes is repeated, and the first run without a crash counts', (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'holdfast-engines-'));
    t.after(() => rmSync(folder, { recursive: true }));
    const program = [process.execPath, '-e', CRASHES_ONCE, join(folder, 'runs')];
    assert.equal(runUntilItExits(program, process.env), 'run 2');
});

test('runtimes: a program that hangs in each run is a failure', () => {
    const program = [process.execPath, '-e', 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)'];
    assert.throws(
        () => runUntilItExits(program, process.env, 1),
        /: each of 3 runs hung or crashed:(\n.*ETIMEDOUT){3}/,
    );
});

for (const runtime of RUNTIMES.filter(({ word }) => word in LACKING)) {
    test(`runtimes: Atomics.Mutex of ${runtime.name} behaves like holdfast/tc39`, (t) => {
        const binary = binaryFor(t, runtime);
        if (binary !== undefined) {
            const { failed, skipped, output } = runWith(
                [binary, '--harmony-struct'],
                'HOLDFAST_TC39',
                'tests/glue/tc39.test.js',
            );
            assert.deepEqual(failed, [], output);
            assert.deepEqual(skipped, LACKING[runtime.word]?.sort());
        }
    });
}

/** Node's own navigator.locks fails this case now and then, so its result proves nothing. Node 24 is left out,
 * since its waits do not end within minutes. */
const BY_CHANCE = 'threads: sections of one name never overlap';

test('runtimes: navigator.locks of Node 26 behaves like holdfast/web-locks, with listed exceptions', (t) => {
    const runtime = RUNTIMES.find(({ word }) => word === 'node-26');
    const binary = runtime && binaryFor(t, runtime);
    if (binary !== undefined) {
        const { failed, output } = runWith([binary], 'HOLDFAST_WEB_LOCKS', 'tests/glue/web-locks.test.js');
        const always = (/** @type {string[]} */ titles) => titles.filter((title) => title !== BY_CHANCE);
        assert.deepEqual(always(failed), always(Object.keys(ENGINES_DIFFER['node'] ?? {})).sort(), output);
    }
});

test('runtimes: navigator.locks of Deno behaves like holdfast/web-locks, with listed exceptions', (t) => {
    const runtime = RUNTIMES.find(({ word }) => word === 'deno');
    const binary = runtime && binaryFor(t, runtime);
    if (binary !== undefined) {
        const file = 'tests/glue/web-locks.test.js';
        const output = runUntilItExits([binary, 'test', '--allow-all', '--no-check', file], {
            ...process.env,
            NO_COLOR: '1',
            HOLDFAST_WEB_LOCKS: 'engine',
        });
        const failed = [...output.matchAll(/^web-locks: (.*) \.\.\. FAILED/gm)].map(
            ([, title = '']) => title,
        );
        assert.deepEqual(failed.sort(), Object.keys(ENGINES_DIFFER['deno'] ?? {}).sort(), output);
    }
});
