/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Callbacks in Emscripten programs, in Node; tests/browser/callbacks.test.js has them on pages, and in Emscripten's
 * other forms of programs. tests/emscripten/callbacks.js has all builds of a newer Emscripten. */
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import {
    assertEverything,
    assertTurns,
    compile,
    EVERYTHING,
    everythingProgram,
    FORMS,
    TURNS,
} from '../support/callbacks-program.js';
import { ROOT, run } from '../support/emscripten-build.js';
import { ONLY_IN_ALL } from '../support/tier.js';

const FOLDER = 'build/emscripten-async';
const build = join(ROOT, FOLDER);
const FOR_NODE = '-sENVIRONMENT=node,worker';

/** @param {string} name of a build */
const fileOf = (name) => `${FOLDER}/${name.replace(/\W+/g, '-')}.js`;

/**
 * @param {string} file
 * @param {string[]} options of Node
 */
function outputOf(file, ...options) {
    // Emscripten 3.1.6 takes a global fetch for a sign of the web.
    return run(process.execPath, ['--no-experimental-fetch', ...options, file]);
}

before(() => mkdirSync(build, { recursive: true }));

test('emscripten, callbacks: a program built with -O2 gets everything that async.h promises', () => {
    assertEverything(outputOf(everythingProgram()));
});

/** @type {[string, string[]][]} */
const FURTHER_BUILDS = [
    [
        '-O3 with memory growth, on a main thread that is a pthread',
        ['-O3', '-sALLOW_MEMORY_GROWTH', '-Wno-pthreads-mem-growth', '-sPROXY_TO_PTHREAD'],
    ],
    ['-O0 with assertions', ['-O0', '-sASSERTIONS=2']],
    ['-Oz with an end of the runtime', ['-Oz', '-sEXIT_RUNTIME']],
    ['-O1 with AddressSanitizer', ['-O1', '-fsanitize=address', `-sINITIAL_MEMORY=${2 ** 28}`]],
    ['-O2 with a table of threads', ['-O2', '-DHF_THREADS=16', '-sEXPORTED_FUNCTIONS=_main,_hf_threads']],
];

for (const [name, options] of FURTHER_BUILDS) {
    const title = `emscripten, callbacks: a program gets everything that async.h promises, built with ${name}`;
    test(title, ONLY_IN_ALL, () => {
        assertEverything(outputOf(compile(EVERYTHING, fileOf(name), [FOR_NODE, ...options])));
    });
}

test(
    'emscripten, callbacks: a MODULARIZE program gets its callbacks in order and without delay',
    ONLY_IN_ALL,
    () => {
        const { options, begin } = FORMS.factory;
        const file = compile(TURNS, fileOf('factory'), [FOR_NODE, '-O2', ...options]);
        assertTurns(run(process.execPath, ['--no-experimental-fetch', ...begin(file)]));
    },
);

test('emscripten, callbacks: a program gets everything that async.h promises in an engine without waitAsync', () => {
    const without = join(build, 'without.cjs');
    writeFileSync(without, 'delete Atomics.waitAsync;\n');
    assertEverything(outputOf(everythingProgram(), '--require', without));
});

test('emscripten, callbacks: a pending request keeps the process alive', () => {
    const file = compile('tests/package/emscripten/async-alive.c', fileOf('alive'), [FOR_NODE, '-O1']);
    assert.equal(outputOf(file), 'returned\ncalled back\n');

    const without = join(build, 'no-timers.cjs');
    writeFileSync(without, 'delete globalThis.setTimeout;\n');
    assert.equal(outputOf(file, '--require', without), 'returned\n', 'as in an audio worklet, none is made');
});

test('emscripten, callbacks: requests end correctly if threads die or interfere, or callbacks throw', () => {
    // The program's own listener receives errors of callbacks.
    const options = [
        '-O1',
        '-DHF_THREADS=16',
        '-sEXPORTED_FUNCTIONS=_main,_hf_threads',
        '-sNODEJS_CATCH_EXIT=0',
    ];
    const source = 'tests/package/emscripten/async-ends.c';
    const file = compile(source, fileOf('ends'), [FOR_NODE, ...options]);
    assert.equal(outputOf(file), 'all ends are as they should be\n');
});

test('emscripten, callbacks: a lock above 2 GiB is granted', ONLY_IN_ALL, () => {
    const memory = ['-sALLOW_MEMORY_GROWTH', '-Wno-pthreads-mem-growth', '-sMAXIMUM_MEMORY=4GB'];
    const source = 'tests/package/emscripten/async-high.c';
    const file = compile(source, fileOf('high'), [FOR_NODE, '-O1', ...memory]);
    assert.equal(outputOf(file), '0 0\n');
});

test(
    'emscripten, callbacks: a link without the JavaScript library fails with an error that names it',
    ONLY_IN_ALL,
    () => {
        const sources = ['tests/package/emscripten/async-alive.c', 'c-src/holdfast.c'];
        const link = () =>
            run('emcc', ['-pthread', '-Ic-src/include', ...sources, '-o', join(build, 'without-library.js')]);
        assert.throws(link, /undefined symbol: hf__LINK_WITH_js_library_holdfast_library_js/);
    },
);

test('emscripten, callbacks: a program without callbacks links no code for them', ONLY_IN_ALL, () => {
    const source = join(build, 'none.c');
    writeFileSync(
        source,
        '#include <holdfast/holdfast.h>\nstatic hf_mutex m;\nint main(void) { return hf_mutex_trylock(&m); }\n',
    );
    const file = compile(source, fileOf('none'), ['-O1']);
    assert.doesNotMatch(readFileSync(file, 'utf8'), /holdfastCallbacks|hf__async/);
});
