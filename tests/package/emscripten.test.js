/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { RESULT_BUSY, RESULT_NOT_OWNER } from '../../js-glue/memory/layout.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const build = join(root, 'build', 'emscripten');

/**
 * @param {string} command
 * @param {string[]} args
 */
function run(command, args) {
    const { status, stdout, stderr, error } = start(command, args);
    assert.equal(status, 0, `${command} ${args.join(' ')}\n${error ?? ''}\n${stdout}\n${stderr}`);
    return stdout;
}

/**
 * @param {string} command
 * @param {string[]} args
 */
function start(command, args) {
    return spawnSync(command, args, {
        cwd: root,
        encoding: 'utf8',
        timeout: 120_000,
        // Debian's Emscripten finds its optimiser of JavaScript there.
        env: { ...process.env, NODE_PATH: '/usr/share/nodejs' },
    });
}

function compile() {
    mkdirSync(build, { recursive: true });
    // What Emscripten writes for Node is CommonJS.
    writeFileSync(join(build, 'package.json'), '{ "type": "commonjs" }\n');
    const program = join(build, 'program.js');
    const sources = ['gate', 'mutex', 'waiting', 'futex_wasm', 'clock', 'thread'].map(
        (name) => `c-src/${name}.c`,
    );
    run('emcc', [
        ...['-O1', '-pthread', '-std=gnu11', '-Wall', '-Wextra', '-Werror', '-Ic-src/include', '-Ic-src'],
        ...['tests/package/emscripten/program.c', ...sources],
        ...[
            '-sPTHREAD_POOL_SIZE=2',
            '-sMODULARIZE',
            '-sEXPORT_NAME=createProgram',
            '-sENVIRONMENT=node,worker',
        ],
        ...['--no-entry', '-o', program],
    ]);
    return program;
}

test('emscripten: pthreads in C and an event loop in JavaScript share an hf_mutex by its address', () => {
    const program = compile();
    // Emscripten 3.1.6 takes a global fetch for a sign of the web.
    const result = JSON.parse(
        run(process.execPath, ['--no-experimental-fetch', 'tests/package/emscripten/run.mjs', program]),
    );
    assert.deepEqual(
        result.owners,
        {
            lockedInC: true,
            whileC: [false, 'HF_NOT_OWNER'],
            unlockedInC: true,
            lockedHere: true,
            whileHere: [RESULT_BUSY, RESULT_NOT_OWNER],
        },
        'C and JavaScript of one thread are two owners',
    );
    assert.equal(result.failures, 0, 'errors in C');
    assert.equal(result.torn, 0, 'a section of JavaScript saw a section of C half done');
    assert.equal(result.refused, result.requests, 'a second tryLock of the holder is refused');
    assert.ok(result.sections > 0);
    assert.equal(result.counters[0], result.counters[1]);
    assert.equal(result.counters[0], result.sections + result.sectionsHere, 'an update was lost');
    assert.deepEqual(result.words, [0, 0, 0, 0]);
});

test('emscripten: without -pthread the headers refuse to compile, and say why', () => {
    const args = [
        '-Ic-src/include',
        '-c',
        'tests/package/emscripten/program.c',
        '-o',
        join(build, 'refused.o'),
    ];
    const { status, stderr } = start('emcc', args);
    assert.notEqual(status, 0);
    assert.match(stderr, /error: "holdfast: compile with -pthread/);
});
