/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Coroutines, for which Emscripten 3.1.6 has no header. */
import assert from 'node:assert/strict';
import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { blocksOf, filesOf, ROOT } from '../support/documents.js';
import { makeProject, PROJECT, run, skip, there } from './system.js';

const DOCUMENT = 'docs/start/c.md';

before(() => {
    makeProject();
    if (!skip) {
        const name = 'coroutines.cpp';
        writeFileSync(join(PROJECT, name), filesOf(DOCUMENT).get(name) ?? '');
    }
});

/** @param {string} program @param {string} output */
function prints(program, output) {
    const words = '{ echo "it ended with $?, 124 after 60 s"; exit 1; }';
    assert.equal(run(there(`timeout 60 node ${program} || ${words}`)), output);
}

test('emscripten: coroutines.cpp of the document prints its count', { skip }, () => {
    const block = blocksOf(DOCUMENT).find(({ text }) => text.includes('coroutines.cpp \\\n'));
    assert.ok(block);
    run(there(block.text));
    prints('coroutines.js', '2000');
});

test('emscripten: coroutines acquire locks that pthreads use, and may be destroyed', { skip }, () => {
    const name = 'coroutines.cpp';
    copyFileSync(join(ROOT, 'tests', 'package', 'emscripten', name), join(PROJECT, `all-${name}`));
    const port = '--use-port=node_modules/holdfast/emscripten/holdfast.py';
    const library = '--js-library node_modules/holdfast/emscripten/holdfast-library.js';
    const flags = `-std=c++20 -Wall -Wextra -Werror -pthread -sPTHREAD_POOL_SIZE=2 -sEXIT_RUNTIME ${port} ${library}`;
    for (const options of ['-O0 -sASSERTIONS=2', '-O2 -fexceptions', '-Oz -fno-exceptions']) {
        run(there(`emcc ${options} ${flags} all-${name} -o all.js`));
        prints('all.js', '1500 1500 1');
    }
});
