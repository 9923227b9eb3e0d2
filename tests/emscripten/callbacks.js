/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Callbacks of C programs in all kinds of builds with the port of the packed package: in Node, and on pages
 * if a build starts differently there. */
import { copyFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { after, before, test } from 'node:test';
import { serve } from '../../browsers/serve.js';
import { callOn, inEachBrowser, onPage } from '../browser/each-browser.js';
import {
    assertEverything,
    assertInOrder,
    assertTurns,
    compile,
    EVERYTHING,
    TURNS,
    TWO_LANGUAGES,
} from '../support/callbacks-program.js';
import { ROOT, run as runOnHost } from '../support/emscripten-build.js';
import { fetchClosure } from './closure.js';
import { compileByPort, outputInNode } from './compile.js';
import { makeProject, PROJECT, skip } from './system.js';

/** @typedef {import('../support/callbacks-program.js').Form} Form */

/** The Closure Compiler that was current when Emscripten 3.1.6 was released. */
const OLD_CLOSURE = '20220104.0.0';
const FOLDER = relative(ROOT, PROJECT);
const PTHREADS = ['-pthread', '-sPTHREAD_POOL_SIZE=5'];
const BY_CLOSURE = ['--closure', '1'];
/** Node ends when main() has returned and nothing is left to be done, except in the minimal runtime. */
const ENDS = '-sEXIT_RUNTIME';

/** @type {{ name: string, form?: Form, options: string[] }[]} */
const BUILDS = [
    ...['-O0', '-O1', '-O2', '-O3', '-Os', '-Oz'].map((level) => ({
        name: level,
        options: [level, ENDS, ...PTHREADS],
    })),
    { name: 'Closure', options: ['-O2', ENDS, ...BY_CLOSURE, ...PTHREADS] },
    {
        name: 'memory growth',
        options: ['-O3', ENDS, '-sALLOW_MEMORY_GROWTH', '-Wno-pthreads-mem-growth', ...PTHREADS],
    },
    { name: 'a main thread that is a pthread', options: ['-O2', ENDS, '-sPROXY_TO_PTHREAD', ...PTHREADS] },
    { name: 'MODULARIZE', form: 'factory', options: ['-O2', ENDS, ...PTHREADS] },
    { name: 'EXPORT_ES6', form: 'module', options: ['-O2', ENDS, ...PTHREADS] },
    { name: 'EXPORT_ES6 and Closure', form: 'module', options: ['-O2', ENDS, ...BY_CLOSURE, ...PTHREADS] },
    { name: 'MINIMAL_RUNTIME', form: 'minimal', options: ['-O2', ...PTHREADS] },
    { name: 'MINIMAL_RUNTIME and Closure', form: 'minimal', options: ['-O2', ...BY_CLOSURE, ...PTHREADS] },
    { name: 'ASYNCIFY', options: ['-O2', ENDS, '-sASYNCIFY', ...PTHREADS] },
    { name: 'SINGLE_FILE', options: ['-O2', ENDS, '-sSINGLE_FILE', ...PTHREADS] },
    { name: 'Wasm Workers', options: ['-O2', ENDS, '-sWASM_WORKERS'] },
    { name: 'Wasm Workers beside pthreads', options: ['-O2', ENDS, '-sWASM_WORKERS', ...PTHREADS] },
    {
        name: 'Wasm Workers, MINIMAL_RUNTIME and Closure',
        form: 'minimal',
        options: ['-O2', '-sWASM_WORKERS', ...BY_CLOSURE],
    },
];

/** Returns whether a page starts this form in another way than Node. @param {{ form?: Form }} build */
const beginsOtherwise = ({ form }) => form !== undefined;

before(() => {
    makeProject();
    if (!skip) {
        for (const source of [EVERYTHING, TURNS, TWO_LANGUAGES.source]) {
            copyFileSync(join(ROOT, source), join(PROJECT, basename(source)));
        }
    }
});

for (const { name, form, options } of BUILDS) {
    test(`emscripten, callbacks: callbacks come in order and without delay: ${name}`, { skip }, (t) => {
        const output = outputInNode(compileByPort(basename(TURNS), name, options, form), form);
        t.diagnostic(output);
        assertTurns(output);
    });
}

test('emscripten, callbacks: a program gets everything that async.h promises', { skip }, () => {
    assertEverything(
        outputInNode(compileByPort(basename(EVERYTHING), 'everything', ['-O2', ENDS, ...PTHREADS])),
    );
});

test(
    'emscripten, callbacks: callbacks work in code that an old Closure Compiler has minified',
    { skip },
    (t) => {
        const folder = join(ROOT, 'build', `closure-${OLD_CLOSURE}`);
        process.env.EM_CLOSURE_COMPILER = join(folder, fetchClosure(OLD_CLOSURE, folder));
        const options = ['-sENVIRONMENT=node,worker', '-O2', ...BY_CLOSURE];
        const file = compile(TURNS, relative(ROOT, join(folder, 'turns.cjs')), options);
        const output = runOnHost(process.execPath, ['--no-experimental-fetch', file]);
        t.diagnostic(output);
        assertTurns(output);
    },
);

/** @type {Awaited<ReturnType<typeof serve>>} */
let server;

before(async () => {
    server = await serve({ folders: [FOLDER, 'js-glue', 'tests/browser', 'tests/support'] });
});

after(() => server?.close());

inEachBrowser((place) => {
    for (const { name, form = 'script', options } of BUILDS.filter(beginsOtherwise)) {
        test(
            `emscripten, callbacks: callbacks come in order and without delay: ${name}`,
            { skip },
            async (t) => {
                const file = compileByPort(basename(TURNS), name, options, form);
                const output = await onPage(place.browser, server, (page) =>
                    callOn(page, '/tests/browser/callbacks.js', 'outputOf', {
                        address: `/${FOLDER}/${file}`,
                        form,
                    }),
                );
                t.diagnostic(output);
                assertTurns(output);
            },
        );
    }

    /* C and JavaScript call each other by names that Closure must not change. */
    for (const [name, options] of Object.entries({ 'as it is': [], 'by Closure': BY_CLOSURE })) {
        test(
            `emscripten, callbacks: C, ${name}, and JavaScript acquire a lock in order`,
            { skip },
            async (t) => {
                const all = [...TWO_LANGUAGES.options, ...PTHREADS, ...options];
                const file = compileByPort(basename(TWO_LANGUAGES.source), name, all, 'factory');
                const outcome = await onPage(place.browser, server, (page) =>
                    callOn(page, '/tests/browser/two-languages.js', 'turnsOf', `/${FOLDER}/${file}`),
                );
                t.diagnostic(JSON.stringify(outcome));
                assertInOrder(outcome);
            },
        );
    }
});
