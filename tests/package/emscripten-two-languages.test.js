/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Callbacks of C and requests of JavaScript for one lock, in one thread of Node; tests/browser/callbacks.test.js has them
 * on pages. */
import { test } from 'node:test';
import { assertInOrder, twoLanguagesProgram } from '../support/callbacks-program.js';
import { run } from '../support/emscripten-build.js';

test('emscripten, callbacks: C and JavaScript in one thread wait for the same lock', (t) => {
    // Emscripten 3.1.6 takes a global fetch for a sign of the web.
    const script = 'tests/package/emscripten/two-languages.mjs';
    const outcome = run(process.execPath, ['--no-experimental-fetch', script, twoLanguagesProgram()]);
    t.diagnostic(outcome);
    assertInOrder(JSON.parse(outcome));
});
