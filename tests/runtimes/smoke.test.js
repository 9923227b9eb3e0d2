/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* A short program in each runtime, and the programs of the exceptions. `npm run test:runtimes` runs the
 * suite. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { runQuietly } from '../../scripts/run-quietly.mjs';
import { binaryFor } from './binary-for.js';
import { EXCEPTIONS } from './exceptions.js';
import { showLimit } from './limits.js';
import { RUNTIMES } from './runtimes.js';

const SMOKE = fileURLToPath(new URL('smoke.js', import.meta.url));
const LIMIT_SECONDS = 60;

const STEPS = [
    'lock() here, after the worker',
    'lock() in the worker, after this thread',
    'execAsync() and acquireAsync() here, after the worker',
    'execAsync() in the worker, after this thread',
    'timeouts',
    'aborts',
    'permits of a semaphore, both ways',
    'notifies of a condition, both ways',
    'the process lives while it waits',
];

for (const runtime of RUNTIMES) {
    test(`runtimes: in ${runtime.name} two threads take locks from each other by every method`, (t) => {
        const binary = binaryFor(t, runtime);
        if (binary !== undefined) {
            const { ok, output } = runQuietly([binary, ...runtime.program, SMOKE], {
                limitSeconds: LIMIT_SECONDS,
            });
            assert.ok(ok, output);
            assert.deepEqual(output.split('\n'), STEPS);
        }
    });

    for (const exception of EXCEPTIONS.filter(({ runtime: word }) => word === runtime.word)) {
        test(`runtimes: the exception "${exception.name}" occurs in ${runtime.name}, and not in this runtime`, (t) => {
            const binary = binaryFor(t, runtime);
            if (binary !== undefined) {
                const { ok, output } = showLimit(exception, binary, runtime);
                assert.ok(ok, output);
                const here = showLimit(exception, process.execPath, { ...runtime, program: [] });
                assert.ok(!here.ok, 'it is so here too');
                assert.match(here.output, exception.elsewhere);
            }
        });
    }
}

test('runtimes: the two threads work in one executable of bun build --compile', (t) => {
    const bun = RUNTIMES.find(({ word }) => word === 'bun');
    const binary = bun && binaryFor(t, bun);
    if (binary === undefined) {
        return;
    }
    const folder = mkdtempSync(join(tmpdir(), 'holdfast-bun-'));
    try {
        const program = join(folder, 'smoke');
        // Bun does not find workers itself, so each file is named, as the program names it.
        const words = ['build', '--compile', './smoke.js', './smoke-worker.js', '--outfile', program];
        const compiled = runQuietly([binary, ...words], { cwd: dirname(SMOKE) });
        assert.ok(compiled.ok, compiled.output);
        const { ok, output } = runQuietly([program], { cwd: folder, limitSeconds: LIMIT_SECONDS });
        assert.ok(ok, output);
        assert.deepEqual(output.split('\n'), STEPS);
    } finally {
        rmSync(folder, { recursive: true });
    }
});
