/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const build = join(root, 'build', 'emscripten-async');

/** Longer than a wake takes on a loaded machine, and less than half the 50 ms between two sweeps for lost wakes, after
 * which a wait is met that was not woken. */
const MOST_MEDIAN_MS = 20;

/**
 * @param {string} command
 * @param {string[]} args
 */
function run(command, args) {
    const { status, stdout, stderr, error } = spawnSync(command, args, {
        cwd: root,
        encoding: 'utf8',
        timeout: 180_000,
        // Debian's Emscripten finds its optimiser of JavaScript there.
        env: { ...process.env, NODE_PATH: '/usr/share/nodejs' },
    });
    assert.equal(
        status,
        0,
        `${command} ${args.join(' ')}\n${error ?? ''}\n${stdout}\n${stderr}`.slice(0, 4000),
    );
    return stdout;
}

/** @param {string} name of a build */
const fileOf = (name) => join(build, `${name.replace(/\W+/g, '-')}.js`);

/**
 * @param {string} source
 * @param {string} file
 * @param {string[]} options
 */
function compile(source, file, options) {
    run('emcc', [
        ...['-pthread', '-std=gnu11', '-Wall', '-Wextra', '-Werror', '-Ic-src/include', '-Ic-src'],
        ...['-sPTHREAD_POOL_SIZE=5', '-sENVIRONMENT=node,worker'],
        ...['c-src/holdfast.c', source, '--js-library', 'emscripten/holdfast-library.js'],
        ...[...options, '-o', file],
    ]);
}

before(() => {
    mkdirSync(build, { recursive: true });
    // What Emscripten writes for Node is CommonJS.
    writeFileSync(join(build, 'package.json'), '{ "type": "commonjs" }\n');
});

for (const [name, options] of /** @type {[string, string[]][]} */ ([
    ['-O0 with assertions', ['-O0', '-sASSERTIONS=2']],
    ['-O2, whose optimiser drops what it does not understand', ['-O2']],
    ['-Oz with an end of the runtime', ['-Oz', '-sEXIT_RUNTIME']],
    [
        '-O3 with memory growth, on a main thread that is a pthread',
        ['-O3', '-sALLOW_MEMORY_GROWTH', '-Wno-pthreads-mem-growth', '-sPROXY_TO_PTHREAD'],
    ],
    ['-O1 with AddressSanitizer', ['-O1', '-fsanitize=address', `-sINITIAL_MEMORY=${2 ** 28}`]],
    ['-O2 with a table of threads', ['-O2', '-DHF_THREADS=16', '-sEXPORTED_FUNCTIONS=_main,_hf_threads']],
])) {
    test(`emscripten, callbacks: ${name}`, () => {
        const file = join(build, `${name.replace(/\W+/g, '-')}.js`);
        compile('tests/package/emscripten/async.c', file, options);
        checkRun(file);
    });
}

/**
 * @param {string} file
 * @param {string[]} options of Node
 */
function checkRun(file, ...options) {
    const output = run(process.execPath, ['--no-experimental-fetch', ...options, file]);
    assert.match(output, /^11 scenarios, 0 failures$/m, output);
    const median = Number(/woken after ([\d.]+) ms/.exec(output)?.[1]);
    assert.ok(median < MOST_MEDIAN_MS, `half of the wakes took more than ${median} ms`);
}

test('emscripten, callbacks: where the engine has no waitAsync', () => {
    const without = join(build, 'without.cjs');
    writeFileSync(without, 'delete Atomics.waitAsync;\n');
    checkRun(fileOf('-O2, whose optimiser drops what it does not understand'), '--require', without);
});

test('emscripten, callbacks: a request keeps its process alive', () => {
    const file = join(build, 'alive.js');
    compile('tests/package/emscripten/async-alive.c', file, ['-O1']);
    assert.equal(run(process.execPath, ['--no-experimental-fetch', file]), 'returned\ncalled back\n');
});

test('emscripten, callbacks: of a lock above 2 GiB', () => {
    const file = join(build, 'high.js');
    compile('tests/package/emscripten/async-high.c', file, [
        ...['-O1', '-sALLOW_MEMORY_GROWTH', '-Wno-pthreads-mem-growth', '-sMAXIMUM_MEMORY=4GB'],
    ]);
    assert.equal(run(process.execPath, ['--no-experimental-fetch', file]), '0 0\n');
});

test('emscripten, callbacks: a program that asks for none is linked with nothing of them', () => {
    const file = join(build, 'none.js');
    const source = join(build, 'none.c');
    writeFileSync(
        source,
        '#include <holdfast/holdfast.h>\nstatic hf_mutex m;\nint main(void) { return hf_mutex_trylock(&m); }\n',
    );
    const options = [
        '-O1',
        '-pthread',
        '-Ic-src/include',
        '--js-library',
        'emscripten/holdfast-library.js',
        '-o',
        file,
    ];
    run('emcc', [source, 'c-src/holdfast.c', ...options]);
    const text = run('cat', [file]);
    assert.doesNotMatch(text, /holdfastCallbacks|hf__async/);
});
