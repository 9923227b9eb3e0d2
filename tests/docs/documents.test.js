/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* The code in the documents: each block is run, and prints what it says. Here are the programs for Node; the others
 * are listed with the test that runs them. tests/docs/readme.test.js runs the README's. */
import assert from 'node:assert/strict';
import { renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { runQuietly } from '../../scripts/run-quietly.mjs';
import { runFile } from '../support/child.js';
import {
    allDocuments,
    blocksOf,
    filesOf,
    programsOf,
    promisedOutput,
    ROOT,
    textOf,
} from '../support/documents.js';
import { layOut, runCommandOf } from '../support/documents-run.js';
import { ONLY_IN_ALL } from '../support/tier.js';

const BROWSER_TEST = 'tests/browser/docs.test.js';
const SERVER_TEST = 'tests/docs/servers.test.js';
const README_TEST = 'tests/docs/readme.test.js';
const FAKE_TIMERS_TEST = 'tests/glue/fake-timers.test.js';
const BUNDLERS_TEST = 'tests/package/bundlers.test.js';
const EMSCRIPTEN_TEST = 'tests/package/emscripten-page.test.js';
const LIBRARY_TEST = 'tests/package/c-library.test.js';
const FREESTANDING_TEST = 'tests/package/freestanding.test.js';
const REACT_TEST = 'tests/package/react.test.js';

/** Programs that another test runs, with the test. */
const RUN_ELSEWHERE = {
    'README.md': { [README_TEST]: ['page.js'] },
    'docs/debugging.md': { [README_TEST]: ['observe.mjs'] },
    'docs/bundlers.md': {
        [BUNDLERS_TEST]: [
            'vite.config.mjs',
            'webpack.config.mjs',
            '.proxyrc.cjs',
            'rollup.config.mjs',
            'plain.html',
            'page-with-file.js',
        ],
    },
    'docs/errors.md': { [README_TEST]: ['ask-by-signal.mjs', 'find-the-place.mjs'] },
    'docs/start/page.md': { [BROWSER_TEST]: ['vite.config.mjs', 'index.html', 'what-is-missing.js'] },
    'docs/start/emscripten.md': {
        [EMSCRIPTEN_TEST]: [
            ...['vite.config.mjs', 'webpack.config.mjs', 'plain.html'],
            ...['attach.js', 'placed.js'],
        ],
        'tests/docs/documents.test.js': ['readings.mjs'],
    },
    'docs/start/c.md': {
        [LIBRARY_TEST]: [
            ...['timed.c', 'conditions.c', 'readers.c', 'permits.c', 'pipe.c'],
            ...['CMakeLists.txt', 'add-subdirectory.cmake', 'fetch-content.cmake', 'callbacks.cmake'],
        ],
    },
    'docs/start/pthread.md': { [LIBRARY_TEST]: ['counting.cmake'] },
    'docs/start/freestanding.md': {
        [FREESTANDING_TEST]: ['main.mjs', 'worker.mjs'],
    },
    'docs/start/react.md': {
        [REACT_TEST]: ['vite.config.mjs', 'index.html', 'unguarded.jsx', 'use-own-mutex.jsx'],
    },
    'docs/isolation.md': {
        [SERVER_TEST]: [
            ...['vite.config.mjs', 'webpack.config.mjs', 'next.config.mjs'],
            ...['server.mjs', 'site.conf'],
        ],
        [BROWSER_TEST]: ['is-isolated.js', 'app.js'],
    },
    'docs/testing.md': {
        [FAKE_TIMERS_TEST]: [
            ...['counter.jest.test.mjs', 'counter.vitest.test.js'],
            ...['give-up.jest.test.mjs', 'give-up.vitest.test.js', 'give-up.sinon.mjs'],
        ],
    },
    'docs/migration.md': { [BROWSER_TEST]: ['web-locks-before.js', 'web-locks-after.js'] },
};

/** Blocks of commands, by their first lines, each with what runs the same in place of this test. */
const COMMANDS = {
    'README.md': {
        'npm install holdfast': 'tests/package/package.test.js installs what npm packs',
    },
    'docs/bundlers.md': {
        'npm install --save-dev vite': BUNDLERS_TEST,
        'npm pkg set type=module': BUNDLERS_TEST,
        'npm install --save-dev parcel': BUNDLERS_TEST,
        'npm install --save-dev rollup @rollup/plugin-node-resolve': BUNDLERS_TEST,
        'npm install --save-dev esbuild': BUNDLERS_TEST,
    },
    'docs/isolation.md': { 'npm install express': SERVER_TEST },
    'docs/benchmarks.md': {
        'npm run bench': 'tests/tools/bench.test.js runs it in short',
        'npm run bench -- --full --json build/benchmarks.json':
            'too long for a test; tests/tools/bench.test.js runs the command with other options',
    },
    'docs/examples/README.md': {
        'node docs/examples/two-teams/main.js':
            'tests/docs/examples.test.js runs all, tests/browser/examples.test.js serves them',
    },
    'docs/examples/sqlite/README.md': {
        'node docs/examples/sqlite/build.mjs':
            'tests/docs/sqlite.test.js builds and runs them, tests/browser/sqlite.test.js serves them',
    },
    'docs/testing.md': {
        'npm install --save-dev jest': 'tests/glue/fake-timers.test.js starts Jest in this way',
        'npm install --save-dev vitest': 'tests/glue/fake-timers.test.js starts Vitest in this way',
    },
    'docs/start/page.md': {
        'npm init -y': 'as in the README; tests/package/bundlers.test.js installs vite in this way',
        'npx vite': 'tests/browser/docs.test.js starts vite in this way by its API',
    },
    'docs/start/node.md': {
        'npm init -y': 'tests/package/package.test.js makes a project and installs what npm packs',
        'node main.mjs': 'the program is run below',
    },
    'docs/start/emscripten.md': {
        'npm init -y': EMSCRIPTEN_TEST,
        'H=node_modules/holdfast/c-src': EMSCRIPTEN_TEST,
        'npm install --save-dev vite': EMSCRIPTEN_TEST,
        'npm pkg set type=module': EMSCRIPTEN_TEST,
        'S=node_modules/holdfast/c-src': 'the test of messages to JavaScript, below, runs it as it stands',
        'C=node_modules/holdfast/c-src': 'the test of the program in C++, below, runs it as it stands',
    },
    'docs/start/react.md': {
        'npm init -y': REACT_TEST,
        'npx vite': 'tests/package/react.test.js starts Vite in these ways by its API',
    },
    'docs/start/c.md': {
        'npm init -y': LIBRARY_TEST,
        'cc -O2 -pthread -Inode_modules/holdfast/c-src/include main.c node_modules/holdfast/c-src/holdfast.c -o main':
            LIBRARY_TEST,
        'cmake -S . -B build -DCMAKE_BUILD_TYPE=Release': LIBRARY_TEST,
        'export NODE_PATH=/usr/share/nodejs': LIBRARY_TEST,
        'cmake -S node_modules/holdfast -B build-holdfast -DCMAKE_BUILD_TYPE=Release': LIBRARY_TEST,
        'emcc -O2 -pthread -sPROXY_TO_PTHREAD -sPTHREAD_POOL_SIZE=2 -sEXIT_RUNTIME \\':
            'tests/emscripten/run.js runs it as it stands, where it can fetch a new Emscripten',
        'emcc -O2 -std=c++20 -pthread -sPTHREAD_POOL_SIZE=1 -sEXIT_RUNTIME coroutines.cpp \\': 'the same',
        'H=node_modules/holdfast/c-src': LIBRARY_TEST,
        'H=node_modules/holdfast': LIBRARY_TEST,
    },
    'docs/start/freestanding.md': {
        'npm init -y': FREESTANDING_TEST,
        'clang --target=wasm32 -matomics -mbulk-memory -mmutable-globals -ffreestanding -nostdlib -O2 \\':
            FREESTANDING_TEST,
        'for part in holdfast linkable; do': FREESTANDING_TEST,
    },
    'docs/start/pthread.md': {
        'H=node_modules/holdfast/c-src': LIBRARY_TEST,
        'node --test tests/browser/pthread.test.js': 'a test itself',
    },
};

/** Options of Node that a program needs. */
const OPTIONS = { 'atomics-mutex-before.mjs': ['--harmony-struct'] };

/** @param {string} document */
function elsewhere(document) {
    return Object.values(RUN_ELSEWHERE[/** @type {keyof typeof RUN_ELSEWHERE} */ (document)] ?? {}).flat();
}

/** @param {string} document the programs of it that are run here */
function programsHere(document) {
    return programsOf(document).filter(
        (name) => /\.([mc]js|ts)$/.test(name) && !elsewhere(document).includes(name),
    );
}

test('docs: each block of code belongs to a program that is run, or is a listed command', () => {
    for (const document of allDocuments()) {
        const blocks = blocksOf(document);
        const commands = blocks.filter(({ name }) => name === '').map(({ text }) => text.split(/\n| +# /)[0]);
        const listed = Object.keys(COMMANDS[/** @type {keyof typeof COMMANDS} */ (document)] ?? {});
        assert.deepEqual(commands.sort(), listed.sort(), `${document}: commands`);

        const names = blocks.map(({ name }) => name).filter((name) => name !== '');
        assert.equal(new Set(names).size, names.length, `${document}: two blocks have one name: ${names}`);
        const run = [...elsewhere(document), ...programsHere(document)];
        assert.deepEqual(run.sort(), programsOf(document).sort(), `${document}: programs`);
    }
});

test("docs: each test listed for a block of code names that block's document", () => {
    for (const [document, runs] of Object.entries(RUN_ELSEWHERE)) {
        for (const [file, names] of Object.entries(runs)) {
            const source = textOf(file);
            assert.ok(source.includes(document), `${file} does not name ${document}`);
            if (file === BUNDLERS_TEST) {
                continue; // this test reads the blocks from the document, by heading
            }
            assert.deepEqual(
                names.filter((name) => !source.includes(name)),
                [],
                `${file}: ${document}`,
            );
        }
    }
});

/**
 * Compiles a program of docs/start/emscripten.md by its command, and runs it in Node.
 *
 * @param {string} command its beginning
 * @param {string} program
 * @param {string} output
 */
async function compileAndRun(command, program, output) {
    const document = 'docs/start/emscripten.md';
    const files = layOut(document, 'node');
    try {
        runCommandOf(document, command, files.folder);
        // Emscripten 3.1.6 takes a global fetch for a sign of a browser, and writes CommonJS.
        writeFileSync(join(files.folder, 'package.json'), '{ "type": "commonjs" }\n');
        const { stdout, stderr } = await runFile(
            join(files.folder, program),
            [],
            ['--no-experimental-fetch'],
        );
        assert.equal(stdout, output, stderr);
    } finally {
        files.remove();
    }
}

test('docs: the documented program in C++ prints its count', () =>
    compileAndRun('C=', 'counter.js', '2000\n'));

test('docs: JavaScript receives the messages of the documented threads in C', ONLY_IN_ALL, () =>
    compileAndRun('S=', 'readings.mjs', '249750\n'),
);

/**
 * Provides what docs/migration.md assumes: packages of others, and the locks of the articles.
 *
 * @param {string} folder
 */
function bringWhatOthersHave(folder) {
    for (const name of ['async-lock', 'async-mutex', 'async-sema']) {
        symlinkSync(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name));
    }
    for (const name of ['async-lock', 'semaphores']) {
        const source = pathToFileURL(join(ROOT, 'tests', 'support', 'articles', `${name}.js`));
        writeFileSync(join(folder, `${name}.mjs`), `export * from '${source}';\n`);
    }
}

/**
 * Compiles a TypeScript program for runtimes without `using`, and returns the name of the runnable file.
 *
 * @param {string} folder
 * @param {string} name
 */
function compile(folder, name) {
    // Named .mts, so that Node takes the output for a module.
    const source = join(folder, name.replace(/\.ts$/, '.mts'));
    renameSync(join(folder, name), source);
    const compiler = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
    const options = ['--ignoreConfig', '--noCheck', '--target', 'es2022', '--module', 'nodenext'];
    const { ok, output } = runQuietly([process.execPath, compiler, ...options, source]);
    assert.ok(ok, output);
    return name.replace(/\.ts$/, '.mjs');
}

for (const document of allDocuments().filter((path) => programsHere(path).length > 0)) {
    describe(`docs: ${document}`, () => {
        /** @type {ReturnType<typeof layOut>} */
        let files;
        before(() => {
            files = layOut(document, 'node');
            bringWhatOthersHave(files.folder);
        });
        after(() => files?.remove());

        for (const name of programsHere(document)) {
            test(`${name} prints the documented output`, async () => {
                const isTest = name.endsWith('.test.mjs');
                const program = name.endsWith('.ts') ? compile(files.folder, name) : name;
                const options = isTest ? ['--test'] : OPTIONS[/** @type {keyof typeof OPTIONS} */ (name)];
                const { code, stdout, stderr } = await runFile(
                    join(files.folder, program),
                    isTest ? [] : ['words-when-late'],
                    options,
                );
                assert.equal(code, 0, stdout + stderr);
                assert.equal(stderr, '');
                const promised = promisedOutput(filesOf(document).get(name) ?? '');
                assert.equal(isTest || stdout, isTest || promised.map((line) => `${line}\n`).join(''));
            });
        }
    });
}
