/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Callbacks of C and requests of JavaScript for one lock, in one thread of Node; tests/browser/callbacks.test.js has them
 * on pages. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { assertInOrder, compileTwoLanguages, ROOT, run } from '../support/callbacks-program.js';

test('emscripten, callbacks: C and JavaScript of one thread wait for one lock', (t) => {
    const build = join(ROOT, 'build', 'emscripten-two-languages');
    mkdirSync(build, { recursive: true });
    // Emscripten writes CommonJS for Node.
    writeFileSync(join(build, 'package.json'), '{ "type": "commonjs" }\n');
    const file = join(build, 'two-languages.js');
    compileTwoLanguages(file, ['-sENVIRONMENT=node,worker']);
    // Emscripten 3.1.6 takes a global fetch for a sign of the web.
    const script = 'tests/package/emscripten/two-languages.mjs';
    const outcome = run(process.execPath, ['--no-experimental-fetch', script, file]);
    t.diagnostic(outcome);
    assertInOrder(JSON.parse(outcome));
});
