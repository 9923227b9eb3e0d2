/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* A short program in each runtime, and what the exceptions say of it. `npm run test:runtimes` runs the suite. */
import assert from 'node:assert/strict';
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
    'executeLocked() and acquireAsync() here, after the worker',
    'executeLocked() in the worker, after this thread',
    'timeouts',
    'aborts',
    'permits of a semaphore, both ways',
    'notifies of a condition, both ways',
    'the process lives while it waits',
];

for (const runtime of RUNTIMES) {
    test(`runtimes: in ${runtime.name} two threads take locks from each other in every way`, (t) => {
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
        test(`runtimes: in ${runtime.name} ${exception.name}, and not here`, (t) => {
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
