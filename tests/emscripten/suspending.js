/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Calls that suspend (holdfast/suspending.h), each scenario in a process of its own: in the Node of that system, and in the
 * newest that npm has. */
import assert from 'node:assert/strict';
import { copyFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { after, before, test } from 'node:test';
import { serve } from '../../browsers/serve.js';
import { runQuietly } from '../../scripts/run-quietly.mjs';
import { callOn, inEachBrowser, onPage } from '../browser/each-browser.js';
import { ROOT } from '../support/documents.js';
import { FetchError, fetchRuntime } from '../runtimes/fetch.js';
import { RUNTIMES } from '../runtimes/runtimes.js';
import { compileByPort } from './compile.js';
import { makeProject, PROJECT, skip, there } from './system.js';

const SOURCE = 'tests/package/emscripten/suspending.c';
const PLAY = 'tests/package/emscripten/suspending.mjs';
const FOLDER = relative(ROOT, PROJECT);
const LIMIT_SECONDS = 60;

const GOES_WELL = [
    'a free mutex',
    'a held mutex',
    'time limits',
    'of one mutex the latest call comes first',
    'two mutexes, in the order of the stack',
    'a time limit while a later call is suspended',
    'a mutex that the thread holds',
    'a thread that may block',
];

const ABORTS = [
    'two mutexes, against the order of the stack',
    'C code that something else has suspended later',
    'C code that something else has suspended earlier',
];

const PTHREADS = ['-O2', '-pthread', '-sPTHREAD_POOL_SIZE=4'];
const JSPI = ['-sJSPI', '-sJSPI_EXPORTS=lock_once,lock_twice,sleep_for'];

/** The builds of a program, besides JSPI. */
const BUILDS = {
    pthreads: PTHREADS,
    // Closure renames the functions by which JavaScript and the library call each other.
    'pthreads and Closure': [...PTHREADS, '--closure', '1'],
    'Wasm Workers': ['-O2', '-sWASM_WORKERS'],
};

before(() => {
    makeProject();
    if (!skip) {
        for (const file of [SOURCE, PLAY]) {
            copyFileSync(join(ROOT, file), join(PROJECT, basename(file)));
        }
    }
});

/** @type {{ name: string, commandOf: (words: string[]) => string[] }[]} */
const NODES = [
    {
        name: "Debian's Node",
        commandOf: (words) => there(['node', ...words].map((word) => `"${word}"`).join(' ')),
    },
];
const newest = RUNTIMES.filter(({ name }) => name.startsWith('Node ')).at(-1);
if (!skip && newest) {
    try {
        const node = fetchRuntime(newest);
        NODES.push({
            name: newest.name,
            commandOf: ([play = '', ...words]) => [node, join(PROJECT, play), ...words],
        });
    } catch (error) {
        if (!(error instanceof FetchError)) {
            throw error;
        }
        console.log(error.message);
    }
}

/** @param {string} build @param {string[]} options @returns {string} the program's file */
const program = (build, options) =>
    compileByPort(basename(SOURCE), `jspi ${build}`, [...options, ...JSPI], 'module');

/**
 * @param {string} place
 * @param {(scenario: string) => Promise<string>} play runs a scenario; resolves with the last line of its output
 */
function testIn(place, play) {
    for (const scenario of GOES_WELL) {
        test(
            `emscripten, suspending, ${place}: the call behaves as its header says: ${scenario}`,
            { skip },
            async () => {
                assert.equal(await play(scenario), 'as it should be');
            },
        );
    }

    for (const scenario of ABORTS) {
        test(`emscripten, suspending, ${place}: the program aborts: ${scenario}`, { skip }, async () => {
            assert.match(await play(scenario), /^holdfast: hf_mutex_lock_suspending: .* on the stack/);
        });
    }
}

for (const { name, commandOf } of NODES) {
    for (const [build, options] of Object.entries(BUILDS)) {
        testIn(`${name}, ${build}`, async (scenario) => {
            const file = `./${program(build, options)}`;
            const { output } = runQuietly(commandOf([basename(PLAY), file, scenario]), {
                limitSeconds: LIMIT_SECONDS,
            });
            const said = output.split('\n').filter((line) => !line.startsWith('Aborted('));
            return said[0] ?? '';
        });
    }
}

/** @type {Awaited<ReturnType<typeof serve>>} */
let server;

before(async () => {
    server = await serve({ folders: [FOLDER, 'tests/browser'] });
});

after(() => server?.close());

inEachBrowser((place) => {
    if (place.name === 'webkit') {
        return; // WebKitGTK has no JSPI yet
    }
    for (const [build, options] of Object.entries(BUILDS)) {
        testIn(`${place.name}, ${build}`, (scenario) =>
            onPage(place.browser, server, (page) =>
                callOn(page, `/${FOLDER}/${basename(PLAY)}`, 'play', {
                    file: `/${FOLDER}/${program(build, options)}`,
                    name: scenario,
                }),
            ),
        );
    }
});

test('emscripten, suspending: without -sJSPI the linker names the missing option', { skip }, () => {
    assert.throws(
        () => compileByPort(basename(SOURCE), 'no-jspi', PTHREADS, 'module'),
        /holdfast: hf_mutex_lock_suspending needs -sJSPI/,
    );
});
