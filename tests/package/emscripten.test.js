/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import {
    RESULT_ABANDONED,
    RESULT_BUSY,
    RESULT_NOT_OWNER,
    RESULT_OK,
    RESULT_TIMEOUT,
    THREAD_JS,
    THREAD_MARK,
    THREAD_RANDOM,
} from '../../js-glue/memory/layout.js';
import { C_FLAGS, libraryObject } from '../support/emscripten-build.js';
import { isQuick, ONLY_IN_ALL } from '../support/tier.js';

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

/** White space in JavaScript takes a quarter of the time of a link to remove. */
const FLAGS = ['-O1', '--minify', '0', ...C_FLAGS];

const SLOTS = 16;
/** The source that brings the table of threads to the library. */
const WITH_TABLE = `-DHF_THREADS=${SLOTS}`;

/**
 * @param {string} name of the program
 * @param {string[]} sources without their endings
 * @param {string[]} options
 */
function compile(name, sources, ...options) {
    run('emcc', [
        ...[...FLAGS, ...sources.map((source) => `tests/package/emscripten/${source}.c`)],
        ...[libraryObject(['-O1', WITH_TABLE]), ...options],
        ...['-sMODULARIZE', '-sEXPORT_NAME=createProgram', '-sENVIRONMENT=node,worker'],
        ...['-sEXPORTED_FUNCTIONS=_hf_threads', '--no-entry', '-o', join(build, `${name}.js`)],
    ]);
}

before(() => {
    mkdirSync(build, { recursive: true });
    // Emscripten writes CommonJS for Node.
    writeFileSync(join(build, 'package.json'), '{ "type": "commonjs" }\n');
    compile('program', ['program', 'kinds'], '-sPTHREAD_POOL_SIZE=2');
    // An address above the header of a space of that size.
    compile('threads', ['threads'], '-sPTHREAD_POOL_SIZE=3', `-sGLOBAL_BASE=${2 ** 20}`);
});

/**
 * The report of a script that runs the program.
 *
 * @param {string} script
 * @param {string} [name]
 */
function tellOf(script, name = 'program') {
    // Emscripten 3.1.6 takes a global fetch as a sign of the web.
    const file = join('tests', 'package', 'emscripten', script);
    return JSON.parse(run(process.execPath, ['--no-experimental-fetch', file, join(build, `${name}.js`)]));
}

test('emscripten: an event loop in JavaScript uses an hf_mutex of C pthreads, by its address', () => {
    const result = tellOf('run.mjs');
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

test('emscripten: a C pthread and an event loop in JavaScript take turns by each primitive', () => {
    const { torn, ranHere, done, failures, pair, sum, expected } = tellOf('kinds.mjs');
    assert.deepEqual(
        { torn, failures, pair, sum },
        { torn: 0, failures: 0, pair: [expected, expected], sum: expected },
    );
    assert.deepEqual({ done, ranHere }, { done: 1, ranHere: 0 }, 'it was done once, in C');
});

test('emscripten: threads that attach with hf_threads() have distinct identities, even with equal random numbers', () => {
    const { drawn, counted } = tellOf('attach.mjs');

    assert.equal(new Set(drawn.selves).size, 1, 'without it, those who draw the same number are one owner');
    assert.ok(drawn.selves[0] >= THREAD_RANDOM);
    assert.ok(drawn.came.includes('done'));
    assert.equal(drawn.isHeld, false);

    assert.equal(new Set(counted.selves).size, SLOTS, String(counted.selves));
    for (const self of counted.selves) {
        assert.ok(
            self > THREAD_JS && self < THREAD_RANDOM,
            'apart from those of C and from those that are drawn',
        );
    }
    assert.deepEqual([...new Set(counted.came)], ['HF_NOT_OWNER']);
    assert.equal(counted.isHeld, true);
    assert.equal(counted.again, true, 'hf_threads() gives the same address each time');
});

/** Longer than a slice of a wait, in ticks. */
const SOON = 50;
/** The longest time for which `since` counts as recent. */
const RECENT_MS = 60_000;

/** @param {{ code: string, waited: number, age: number, recovered: boolean }} told */
function assertTold({ code, waited, age, recovered }) {
    assert.equal(code, 'HF_ABANDONED');
    assert.ok(waited < SOON, `${waited} ticks`);
    assert.ok(Math.abs(age) < RECENT_MS, `since ${age} ms`);
    assert.equal(recovered, true);
}

/** @param {number} self */
const isSlot = (self) => self > THREAD_JS && self < THREAD_JS + THREAD_MARK;

test('emscripten: locks of a pthread that has ended are abandoned, for C and JavaScript', () => {
    const { deaths, twice, released, byC, byWorker, selves, full } = tellOf('threads.mjs', 'threads');

    for (const way of ['returns', 'exits', 'is cancelled']) {
        assertTold(deaths[way]);
    }

    assert.equal(twice.second, RESULT_ABANDONED);
    assertTold(twice.third);

    assert.deepEqual(released, { result: RESULT_OK, words: [0, 0, 0, 0] }, 'a destructor may release it');

    for (const { before, after, waited, held } of [byC, byWorker]) {
        assert.ok(before < 0, 'it waits');
        assert.equal(after, RESULT_ABANDONED);
        assert.ok(waited < SOON, `${waited} ticks`);
        assert.equal(held, true, 'it has recovered the mutex and unlocked it');
    }

    assert.equal(new Set(selves).size, selves.length);
    assert.ok(selves.every(isSlot), 'slots are used again');

    assert.equal(full.result, RESULT_OK);
    assert.ok(full.identity < THREAD_MARK, 'one without a slot has the identity of its address');
});

test('emscripten: in the memory of a space, C threads take slots of that space', () => {
    const { selves, told } = tellOf('in-a-space.mjs', 'threads');
    assert.equal(new Set(selves).size, selves.length, String(selves));
    assert.ok(selves.every(isSlot));
    assert.equal(told, 'HF_ABANDONED');
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

/**
 * The output of a program with a main().
 *
 * @param {string} name
 * @param {string[]} options
 */
function outputOf(name, options) {
    const file = join(build, `${name}.js`);
    run('emcc', [
        ...[...FLAGS, `tests/package/emscripten/${name}.c`, libraryObject(['-O1', ...options]), ...options],
        ...['-sPTHREAD_POOL_SIZE=2', '-sPROXY_TO_PTHREAD', '-sEXIT_RUNTIME', '-sENVIRONMENT=node,worker'],
        ...['-o', file],
    ]);
    return run(process.execPath, ['--no-experimental-fetch', file]);
}

/** @type {[string, string[], number][]} */
const BUILDS = [['a program without a table', [], RESULT_TIMEOUT]];

/** @type {[string, string[], number][]} */
const FURTHER_BUILDS = [
    ['a program with a table', ['-DHAS_TABLE', WITH_TABLE], RESULT_ABANDONED],
    // In a main module an undefined symbol cannot be weak.
    ['a main module without a table', ['-sMAIN_MODULE=2', '-Wno-experimental'], RESULT_TIMEOUT],
    [
        'a program with a table and AddressSanitizer',
        ['-DHAS_TABLE', WITH_TABLE, '-fsanitize=address', `-sINITIAL_MEMORY=${2 ** 28}`],
        RESULT_ABANDONED,
    ],
    [
        'a program with a table and SAFE_HEAP, which with -O2 refuses all loads below 1024',
        ['-DHAS_TABLE', WITH_TABLE, '-O2', '-sSAFE_HEAP=1'],
        RESULT_ABANDONED,
    ],
];

for (const [title, options, result] of isQuick ? BUILDS : [...BUILDS, ...FURTHER_BUILDS]) {
    test(`emscripten: ${title} links and runs`, () => {
        assert.equal(Number(outputOf('alone', options)), result);
    });
}

test("emscripten: Node's main thread serves calls of other threads in each blocking call", () => {
    const file = join(build, 'blocking.js');
    run('emcc', [
        ...[...FLAGS, '-DIN_NODE', 'tests/package/emscripten/blocking.c', libraryObject(['-O1'])],
        ...['-sPTHREAD_POOL_SIZE=1', '-sEXIT_RUNTIME', '-sENVIRONMENT=node,worker', '-o', file],
    ]);
    const { stdout, stderr } = start(process.execPath, ['--no-experimental-fetch', file]);
    assert.match(stdout, /^\d\d calls, 0 failures$/m, `${stdout}\n${stderr}`);
});

/**
 * Starts a program in C++ of the given standard, which has a main() and no table.
 *
 * @param {string} name
 * @param {string} standard
 * @param {string[]} [options]
 */
function startInCxx(name, standard, options = []) {
    const flags = ['-O1', '-pthread', '-Wall', '-Wextra', '-Werror', '-Ic-src/include'];
    const source = `tests/package/emscripten/${name}.cpp`;
    const file = join(build, `${name}-${standard}`);
    run('emcc', [...flags, ...options, `-std=${standard}`, '-c', source, '-o', `${file}.o`]);
    run('emcc', [
        ...[...FLAGS, `${file}.o`, libraryObject(['-O1']), '-sPTHREAD_POOL_SIZE=3', '-sPROXY_TO_PTHREAD'],
        ...['-sEXIT_RUNTIME', '-sENVIRONMENT=node,worker', '-o', `${file}.js`],
    ]);
    return start(process.execPath, ['--no-experimental-fetch', `${file}.js`]);
}

for (const standard of isQuick ? ['c++20'] : ['c++17', 'c++20']) {
    test(`emscripten: pthreads use the classes of ${standard}`, () => {
        const { status, stdout, stderr } = startInCxx('classes', standard);
        assert.equal(stdout, '0 1\n1000 1000 1000 1000 1 0\n', stderr);
        assert.equal(status, 0);
    });
}

test('emscripten: a C++ program that uses only a mutex links, and misuse traps', ONLY_IN_ALL, () => {
    const { status, stdout, stderr } = startInCxx('mutex-only', 'c++11', ['-fno-exceptions']);
    assert.equal(stdout, '0\n');
    assert.notEqual(status, 0);
    assert.match(stderr, /RuntimeError: unreachable/);
});

test('emscripten: a Wasm Worker has no slot in the table of threads, a pthread beside it has one', () => {
    const options = [WITH_TABLE, '-D__EMSCRIPTEN_WASM_WORKERS__', '-Itests/package/emscripten/wasm-workers'];
    assert.equal(outputOf('wasm-workers', options), '1 0\n1 1\n');
});

test('emscripten: each source compiles by itself for Wasm Workers alone', ONLY_IN_ALL, () => {
    const included =
        readFileSync(join(root, 'c-src/holdfast.c'), 'utf8').match(/(?<=#include ")\w+\.c(?=")/g) ?? [];
    assert.ok(included.length > 1);
    const files = included
        .filter((source) => source !== 'futex_linux.c')
        .map((source) => join('c-src', source));
    run('emcc', ['-matomics', '-mbulk-memory', ...C_FLAGS.slice(1), '-fsyntax-only', ...files]);
});

test('emscripten: built for Wasm Workers alone, the table of threads needs no function of pthread', () => {
    const file = join(build, 'threads.o');
    run('emcc', ['-matomics', '-mbulk-memory', ...C_FLAGS.slice(1), '-c', 'c-src/threads.c', '-o', file]);
    const names = readFileSync(file, 'latin1').match(/hf__agents_join_unused|pthread_\w+/g);
    assert.deepEqual([...new Set(names)], ['hf__agents_join_unused']);
});
