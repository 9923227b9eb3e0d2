/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** The program that tries everything that holdfast/async.h promises. */
export const EVERYTHING = 'tests/package/emscripten/async.c';
export const SCENARIOS = 15;

/** The program that a build can break, for builds of all kinds. */
export const TURNS = 'tests/package/emscripten/async-turns.c';

/**
 * Emscripten's forms of a program: their options, the ending of the file's name, and the command that runs it in Node.
 *
 * @typedef {keyof typeof FORMS} Form
 */
export const FORMS = {
    script: { options: [], ending: 'js', begin: (/** @type {string} */ file) => [file] },
    factory: {
        options: ['-sMODULARIZE', '-sEXPORT_NAME=createProgram'],
        ending: 'js',
        begin: (/** @type {string} */ file) => ['-e', `require('${file}')()`],
    },
    module: {
        options: ['-sMODULARIZE', '-sEXPORT_ES6'],
        ending: 'mjs',
        begin: (/** @type {string} */ file) => ['-e', `import('${file}').then((m) => m.default())`],
    },
    minimal: {
        options: ['-sMINIMAL_RUNTIME', '-DMINIMAL_RUNTIME'],
        ending: 'js',
        begin: (/** @type {string} */ file) => [file],
    },
};

/**
 * A lost wake would be granted by the next sweep, up to 40 ms after the unlock. A loaded machine delays most
 * wakes, but not all.
 */
const MOST_MS = 20;

/**
 * @param {string} command
 * @param {string[]} args
 */
export function run(command, args) {
    const { status, stdout, stderr, error } = spawnSync(command, args, {
        cwd: ROOT,
        encoding: 'utf8',
        timeout: 180_000,
        // Debian's Emscripten finds its optimiser of JavaScript there.
        env: { ...process.env, NODE_PATH: '/usr/share/nodejs' },
    });
    assert.doesNotMatch(stderr, /AddressSanitizer/);
    assert.equal(
        status,
        0,
        `${command} ${args.join(' ')}\n${error ?? ''}\n${stdout}\n${stderr}`.slice(0, 4000),
    );
    return stdout;
}

/**
 * Compiles a program with the library and its callbacks.
 *
 * @param {string} source from the root
 * @param {string} file
 * @param {string[]} options
 */
export function compile(source, file, options) {
    run('emcc', [
        ...['-pthread', '-std=gnu11', '-Wall', '-Wextra', '-Werror', '-Ic-src/include', '-Ic-src'],
        ...['-sPTHREAD_POOL_SIZE=5', 'c-src/holdfast.c', source],
        ...['--js-library', 'emscripten/holdfast-library.js', ...options, '-o', file],
    ]);
}

/** @param {string} output of the program that tries everything */
export function assertEverything(output) {
    assert.match(output, new RegExp(`^${SCENARIOS} scenarios, 0 failures$`, 'm'), output);
    assertWokenSoon(output);
}

/** @param {string} output of the program that takes turns */
export function assertTurns(output) {
    assert.match(output, /^500 locks in turn, 0 torn;/m, output);
    assertWokenSoon(output);
}

/** @param {string} output */
function assertWokenSoon(output) {
    const time = Number(/a tenth of \d+ wakes took at most ([\d.]+) ms/.exec(output)?.[1]);
    assert.ok(time < MOST_MS, `nine tenths of the wakes took more than ${time} ms`);
}

/** The program whose callbacks take turns with JavaScript, and its build options in addition to those of a form. */
export const TWO_LANGUAGES = {
    source: 'tests/package/emscripten/two-languages.c',
    options: [
        ...['-O2', '-DHF_THREADS=16', '--no-entry'],
        ...['-sEXPORTED_FUNCTIONS=_hf_threads', '-sEXPORTED_RUNTIME_METHODS=wasmMemory'],
    ],
};

/**
 * @param {string} file
 * @param {string[]} options
 */
export function compileTwoLanguages(file, options) {
    const { source, options: own } = TWO_LANGUAGES;
    compile(source, file, [...own, ...FORMS.factory.options, ...options]);
}

/** @param {number[][][]} messages by receiver and sender */
function assertEachOnce(messages) {
    const rising = (/** @type {number[]} */ numbers) => numbers.toSorted((one, another) => one - another);
    for (const bySender of messages) {
        assert.ok(bySender.flat().length > 0, 'one receiver got all messages');
        bySender.forEach((numbers) => assert.deepEqual(numbers, rising(numbers)));
    }
    const [inC = [], inJs = []] = messages;
    inC.forEach((numbers, sender) => {
        const all = rising([...numbers, ...(inJs[sender] ?? [])]);
        assert.deepEqual(all, [...all.keys()], `of sender ${sender}`);
    });
}

/**
 * Each language's requests come in the order made. The order of the two is not promised.
 *
 * @param {any} outcome of tests/support/two-languages.js
 */
export function assertInOrder({ atOnce, soon, late, afterTheFirst, afterTheProgram, turns, messages }) {
    for (const order of [atOnce, soon, late]) {
        for (const isInC of [true, false]) {
            const own = order.filter((/** @type {number} */ at) => at % 4 < 2 === isInC);
            assert.deepEqual(
                own,
                own.toSorted((/** @type {number} */ a, /** @type {number} */ b) => a - b),
            );
        }
    }
    assert.deepEqual(afterTheFirst, ['C 1 0', 'JavaScript', 'JavaScript']);
    assert.deepEqual(afterTheProgram, ['JavaScript', 8]);
    const [inC, inJs] = turns;
    assert.ok(inC > 1 && inJs > 1, `C had ${inC} turns, JavaScript ${inJs}`);
    assertEachOnce(messages);
}
