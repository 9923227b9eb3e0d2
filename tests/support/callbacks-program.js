/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import assert from 'node:assert/strict';
import { buildOnce, C_FLAGS, libraryObject } from './emscripten-build.js';

const ANYWHERE = '-sENVIRONMENT=web,worker,node';

/** The program that tries everything that holdfast/async.h promises. */
export const EVERYTHING = 'tests/package/emscripten/async.c';
/** The program's build for Node and for pages. */
export const everythingProgram = () =>
    compile(EVERYTHING, 'build/callbacks/everything.js', ['-O2', ANYWHERE]);
export const SCENARIOS = 14;

/** The short program that each kind of build is tested with: it fails if the build is wrong. */
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
 * Builds a program with the library and its callbacks.
 *
 * @param {string} source from the root
 * @param {string} file from the root
 * @param {string[]} options
 */
export function compile(source, file, options) {
    return buildOnce(file, [
        ...[...C_FLAGS, '-sPTHREAD_POOL_SIZE=5', libraryObject(options), source],
        ...['--js-library', 'emscripten/holdfast-library.js', ...options],
    ]);
}

/** @param {string} output of the program that tries everything */
export function assertEverything(output) {
    assert.match(output, new RegExp(`^${SCENARIOS} scenarios, 0 failures$`, 'm'), output);
}

/** @param {string} output of the program that takes turns */
export function assertTurns(output) {
    assert.match(output, /^500 locks in turn, 0 torn;/m, output);
    const [, soon, wakes] = /(\d+) of (\d+) wakes were soon/.exec(output) ?? [];
    // If all wakes were lost, sweeps would make a quarter of them soon.
    assert.ok(Number(soon) > Number(wakes) / 2, `only ${soon} of ${wakes} wakes were soon`);
}

/** The program whose callbacks take turns with JavaScript, and its build options in addition to those of a form. */
export const TWO_LANGUAGES = {
    source: 'tests/package/emscripten/two-languages.c',
    options: [
        ...['-O1', '-DHF_THREADS=16', '--no-entry'],
        ...['-sEXPORTED_FUNCTIONS=_hf_threads', '-sEXPORTED_RUNTIME_METHODS=wasmMemory'],
    ],
};

/** The program, for Node and for pages. */
export function twoLanguagesProgram() {
    const { source, options } = TWO_LANGUAGES;
    const file = 'build/callbacks/two-languages.js';
    return compile(source, file, [...options, ...FORMS.factory.options, ANYWHERE]);
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
 * Each language's requests come in the order made. The order between the two languages is not promised.
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
