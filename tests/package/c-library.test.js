/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* The C library of the packed package, in each way that docs/start/c.md names, natively and by Emscripten. */
import assert from 'node:assert/strict';
import {
    copyFileSync,
    mkdirSync,
    mkdtempSync,
    readdirSync,
    readFileSync,
    renameSync,
    rmSync,
    symlinkSync,
    writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { runQuietly } from '../../scripts/run-quietly.mjs';
import { filesOf, ROOT, textOf } from '../support/documents.js';
import { runCommandOf } from '../support/documents-run.js';
import { initProject, installInto, outputOf, pack } from '../support/packed-package.js';

const DOCUMENT = 'docs/start/c.md';
const PTHREAD_DOCUMENT = 'docs/start/pthread.md';
const LIMIT_SECONDS = 300;
const RELEASE = '-DCMAKE_BUILD_TYPE=Release';

/** Symbols that a program with mutexes alone must not refer to. */
const OTHERS =
    /hf__?(agent|async|barrier|channel|condition|event|owner_probe|latch|once|rwlock|semaphore|threads_)\w*/g;

/** Debian's Emscripten finds its optimiser of JavaScript there. */
const ENVIRONMENT = { ...process.env, NODE_PATH: '/usr/share/nodejs' };

/** @type {string} */
let scratch;
/** @type {string} */
let tarball;
/** A project in which the package is installed, and the files of the document are. @type {string} */
let project;

/** @param {string} name of a block of the document */
function blockOf(name) {
    const text = filesOf(DOCUMENT).get(name);
    assert.ok(text, `${DOCUMENT} has no block called ${name}`);
    return text;
}

/** @param {string[]} commandLine */
function start(commandLine, cwd = project) {
    return runQuietly(commandLine, { cwd, env: ENVIRONMENT, limitSeconds: LIMIT_SECONDS });
}

/** @param {string[]} commandLine */
function run(commandLine, cwd = project) {
    const { ok, output } = start(commandLine, cwd);
    assert.ok(ok, `${commandLine.join(' ')} failed:\n${output}`);
    return output;
}

let projects = 0;

/**
 * A project beside the document's, which uses its node_modules.
 *
 * @param {Record<string, string>} files
 */
function newProject(files) {
    projects += 1;
    const folder = join(project, `project-${projects}`);
    mkdirSync(folder);
    symlinkSync(join(project, 'node_modules'), join(folder, 'node_modules'));
    for (const [name, text] of Object.entries(files)) {
        writeFileSync(join(folder, name), text);
    }
    return folder;
}

/**
 * Configures and builds.
 *
 * @param {string} folder
 * @param {{ emcmake?: boolean, options?: string[] }} [how]
 * @returns {string} the folder of what was built
 */
function build(folder, { emcmake = false, options = [] } = {}) {
    const target = join(folder, emcmake ? 'build-wasm' : 'build');
    run([...(emcmake ? ['emcmake'] : []), 'cmake', '-S', folder, '-B', target, RELEASE, ...options]);
    run(['cmake', '--build', target]);
    return target;
}

/** @param {string} folder of a program for Linux */
const outputOfNative = (folder) => run([join(folder, 'main')]);
/** @param {string} folder of one by Emscripten; 3.1.6 takes a global fetch for a sign of the web */
const outputOfWasm = (folder) => run([process.execPath, '--no-experimental-fetch', join(folder, 'main.js')]);

/** @param {string} program */
function assertMutexAlone(program) {
    const names = program.endsWith('.wasm') ? readFileSync(program, 'latin1') : run(['nm', program]);
    assert.match(names, /hf__mutex_lock_slow/, 'it has names');
    assert.deepEqual([...new Set(names.match(OTHERS))], []);
}

before(() => {
    scratch = mkdtempSync(join(tmpdir(), 'holdfast-c-'));
    tarball = pack(scratch);
    project = join(scratch, 'project');
    initProject(project);
    installInto(tarball, project);
    for (const [name, text] of filesOf(DOCUMENT)) {
        writeFileSync(join(project, name), text);
    }
    // Emscripten writes CommonJS for Node.
    outputOf(['npm', 'pkg', 'set', 'type=commonjs'], project);
});

after(() => rmSync(scratch, { recursive: true, force: true }));

/** C files that only the module or this repository needs. */
const OTHER_SOURCES = [
    'channel_exports.c',
    'exports.c',
    'holdfast.c',
    'holds.c',
    'holds_exports.c',
    'layout.c',
    'recursive_exports.c',
    'space.c',
];

/** @param {string} text @param {RegExp} pattern */
const namesIn = (text, pattern) => Array.from(text.matchAll(pattern), ([, name = '']) => name).sort();

describe('c library: the lists of sources', () => {
    const listed = namesIn(textOf('c-src/holdfast.c'), /^#include "(.*\.c)"$/gm);

    test('holdfast.c includes each C file except those listed as no part of programs', () => {
        const all = readdirSync(join(ROOT, 'c-src')).filter((name) => name.endsWith('.c'));
        assert.deepEqual([...listed, ...OTHER_SOURCES].sort(), all.sort());
    });

    const listedForPthread = namesIn(textOf('c-src/pthread/pthread.c'), /^#include "(.*\.c)"$/gm);

    test('pthread.c includes each C file that wraps pthread calls', () => {
        const all = readdirSync(join(ROOT, 'c-src', 'pthread')).filter((name) => name.endsWith('.c'));
        assert.deepEqual([...listedForPthread, 'pthread.c'].sort(), all.sort());
    });

    test('CMake compiles the files of these lists', () => {
        const ofTheTable = ['agents.c', 'owner_probe.c', 'threads.c'];
        const shared = '-DHOLDFAST_PROCESS_SHARED=ON';
        for (const { emcmake, options = [], others } of [
            { emcmake: false, others: ['async.c', 'suspending.c', 'futex_wasm.c'] },
            { emcmake: true, others: ['futex_linux.c'] },
            {
                emcmake: false,
                options: [shared],
                others: ['async.c', 'suspending.c', 'futex_wasm.c', ...ofTheTable],
            },
        ]) {
            const folder = newProject({});
            const target = join(folder, 'build');
            run([
                ...(emcmake ? ['emcmake'] : []),
                ...[
                    'cmake',
                    '-S',
                    'node_modules/holdfast',
                    '-B',
                    target,
                    '-DCMAKE_EXPORT_COMPILE_COMMANDS=ON',
                    ...options,
                ],
            ]);
            /** @type {{ file: string, command: string }[]} */
            const compiled = JSON.parse(readFileSync(join(target, 'compile_commands.json'), 'utf8'));
            const namesOf = (/** @type {boolean} */ ofPthread) =>
                compiled
                    .filter(({ file }) => (basename(dirname(file)) === 'pthread') === ofPthread)
                    .map(({ file }) => basename(file))
                    .sort();
            assert.deepEqual(
                namesOf(false),
                listed.filter((name) => !others.includes(name)),
            );
            assert.deepEqual(namesOf(true), listedForPthread);
            for (const { command } of compiled) {
                assert.equal(command.includes('-DHF_PROCESS_SHARED'), options.includes(shared), command);
            }
        }
    });

    test('the Emscripten port compiles the files of these lists, for each kind of threads', () => {
        const script = join(ROOT, 'tests', 'package', 'print-port.py');
        const port = join(project, 'node_modules', 'holdfast', 'emscripten', 'holdfast.py');
        /** @type {{ name: string, flags: string[], sources: string[] }[]} */
        const libraries = JSON.parse(run(['python3', '-B', script, port]));
        const { version } = JSON.parse(textOf('package.json'));
        const libraryOf = (/** @type {string} */ suffix) => {
            const library = libraries.find(({ name }) =>
                new RegExp(`^libholdfast-${version}-[0-9a-f]{8}${suffix}\\.a$`).test(name),
            );
            assert.ok(library, `${suffix} in ${libraries.map(({ name }) => name)}`);
            assert.deepEqual(
                library.sources.sort(),
                listed.filter((name) => name !== 'futex_linux.c'),
            );
            return library.flags.filter((flag) => /^-(pthread|sWASM|D)/.test(flag));
        };
        assert.equal(libraries.length, 4);
        assert.deepEqual(libraryOf(''), ['-pthread']);
        assert.deepEqual(libraryOf('-ww'), ['-sWASM_WORKERS', '-pthread']);
        assert.deepEqual(libraryOf('-ww-only'), ['-sWASM_WORKERS']);
        assert.deepEqual(libraryOf('-128'), ['-pthread', '-DHF_THREADS=128']);
    });
});

const FINDING = /^find_package\(.*\)$/m;

/** @param {string} finding the CMake code that makes the target known */
function programThat(finding) {
    const text = blockOf('CMakeLists.txt');
    assert.match(text, FINDING);
    const folder = newProject({
        'CMakeLists.txt': text.replace(FINDING, finding),
        'main.c': blockOf('main.c'),
    });
    copyFileSync(tarball, join(folder, basename(tarball)));
    return folder;
}

/** The lines with which CMake finds the package. */
const WAYS = {
    find_package: () => FINDING.exec(blockOf('CMakeLists.txt'))?.[0] ?? '',
    add_subdirectory: () => blockOf('add-subdirectory.cmake'),
    FetchContent: () => blockOf('fetch-content.cmake'),
};

for (const [way, finding] of Object.entries(WAYS)) {
    test(`c library: by ${way} a native program links only the mutex`, () => {
        const target = build(programThat(finding()));
        assert.equal(outputOfNative(target), '2000');
        assertMutexAlone(join(target, 'main'));
    });

    test(`c library: by ${way} an Emscripten program links only the mutex`, () => {
        const options = ['-DCMAKE_EXE_LINKER_FLAGS=--profiling-funcs'];
        const target = build(programThat(finding()), { emcmake: true, options });
        assert.equal(outputOfWasm(target), '2000');
        assertMutexAlone(join(target, 'main.wasm'));
    });
}

test('c library: the first command of the document is enough to build its program', () => {
    runCommandOf(DOCUMENT, 'cc ', project);
    assert.equal(run(['./main']), '2000');
});

for (const name of ['timed.c', 'conditions.c', 'readers.c', 'permits.c', 'pipe.c']) {
    test(`c library: ${name} of the document prints the documented output`, () => {
        const program = name.replace(/\.c$/, '');
        const library = join('node_modules', 'holdfast', 'c-src');
        const warnings = ['-Wall', '-Wextra', '-Werror', '-pedantic'];
        const sources = ['-I', join(library, 'include'), name, join(library, 'holdfast.c')];
        run(['cc', '-O2', '-pthread', ...warnings, ...sources, '-o', program]);
        const [, promised] = /\bprintf\(.*\); \/\/ (.*)$/m.exec(blockOf(name)) ?? [];
        assert.equal(run([join(project, program)]).trimEnd(), promised);
    });
}

test('c library: the commands of the document run as printed', () => {
    const commands = ['cmake -S . -B build ', 'export NODE_PATH=', 'H=node_modules/holdfast/c-src'];
    commands.forEach((beginning) => runCommandOf(DOCUMENT, beginning, project));
    assert.equal(run(['./main']), '2000');
    assert.equal(outputOfWasm(project), '2000');
});

test('c library: callbacks work as documented, built by CMake and by emcc alone', () => {
    const finding = WAYS.find_package();
    const text = `cmake_minimum_required(VERSION 3.21)\nproject(calling LANGUAGES C)\n${finding}\n`;
    const folder = newProject({
        'CMakeLists.txt': text + blockOf('callbacks.cmake'),
        'callbacks.c': blockOf('callbacks.c'),
    });
    const target = build(folder, { emcmake: true });
    const runProgram = (/** @type {string} */ file) =>
        run([process.execPath, '--no-experimental-fetch', file]);
    assert.equal(runProgram(join(target, 'callbacks.js')), '2000');

    runCommandOf(DOCUMENT, 'H=node_modules/holdfast\n', project);
    assert.equal(runProgram(join(project, 'callbacks.js')), '2000');
});

/** The project of the document, with that CMake code to find the package. @param {string} finding */
const countingThat = (finding) =>
    newProject({
        'CMakeLists.txt': [
            'cmake_minimum_required(VERSION 3.21)',
            'project(counting LANGUAGES C)',
            finding,
            filesOf(PTHREAD_DOCUMENT).get('counting.cmake'),
        ].join('\n'),
        'counting.c': filesOf(PTHREAD_DOCUMENT).get('counting.c') ?? '',
    });

/** Checks that calls of pthread were wrapped. @param {string} names */
const assertWrapped = (names) => assert.match(names, /__wrap_pthread_mutex_unlock/);

test('c library: calls of pthread are wrapped as documented, built by CMake and by emcc alone', () => {
    for (const finding of [WAYS.find_package(), WAYS.add_subdirectory()]) {
        const folder = countingThat(finding);
        const native = join(build(folder), 'counting');
        assert.equal(run([native]), '2000');
        assertWrapped(run(['nm', native]));
        const options = ['-DCMAKE_EXE_LINKER_FLAGS=--profiling-funcs'];
        const wasm = join(build(folder, { emcmake: true, options }), 'counting');
        assert.equal(run([process.execPath, '--no-experimental-fetch', `${wasm}.js`]), '2000');
        const names = readFileSync(`${wasm}.wasm`, 'latin1');
        assertWrapped(names);
        assert.doesNotMatch(names, /take_slot/, 'it has no table of threads');
    }

    writeFileSync(join(project, 'counting.c'), filesOf(PTHREAD_DOCUMENT).get('counting.c') ?? '');
    runCommandOf(PTHREAD_DOCUMENT, 'H=node_modules/holdfast/c-src', project);
    const wasm = [process.execPath, '--no-experimental-fetch', join(project, 'counting.js')];
    assert.equal(run(wasm), '2000');
});

test('c library: the build for process-shared locks has no table of threads, and fails for Emscripten', () => {
    const folder = newProject({ 'CMakeLists.txt': PLAIN, 'main.c': TABLE });
    const find = `-DCMAKE_PREFIX_PATH=${join(project, 'node_modules')}`;
    const include = `-DCMAKE_C_FLAGS=-I${join(project, H)}`;
    const shared = '-DHOLDFAST_PROCESS_SHARED=ON';
    const target = join(folder, 'build');
    run(['cmake', '-S', folder, '-B', target, find, include, shared]);
    const { ok, output } = start(['cmake', '--build', target]);
    assert.equal(ok, false);
    assert.match(output, /undefined reference to `hf_threads'/);

    const wasm = start([
        'emcmake',
        'cmake',
        '-S',
        'node_modules/holdfast',
        '-B',
        join(folder, 'wasm'),
        shared,
    ]);
    assert.equal(wasm.ok, false);
    assert.match(wasm.output, /HOLDFAST_PROCESS_SHARED is for Linux/);

    const unit = [
        'cc',
        '-pthread',
        `-I${H}/include`,
        '-DHF_PROCESS_SHARED',
        '-c',
        `${H}/holdfast.c`,
        '-o',
        'shared.o',
    ];
    run(unit);
    assert.equal(start([...unit, '-DHF_THREADS=8']).ok, false);
});

const PLAIN = `cmake_minimum_required(VERSION 3.21)
project(plain LANGUAGES C)
find_package(holdfast REQUIRED)
find_package(holdfast REQUIRED) # as another part of the program might
add_executable(main main.c)
target_link_libraries(main PRIVATE holdfast::holdfast)
`;

test('c library: Emscripten finds the library in the other ways that the document names', () => {
    const modules = join(project, 'node_modules');
    for (const option of [
        `-Dholdfast_DIR=${join(modules, 'holdfast', 'cmake')}`,
        `-DCMAKE_FIND_ROOT_PATH=${modules}`,
    ]) {
        const folder = newProject({ 'CMakeLists.txt': PLAIN, 'main.c': blockOf('main.c') });
        run(['emcmake', 'cmake', '-S', folder, '-B', join(folder, 'build'), option]);
    }
    const folder = newProject({ 'CMakeLists.txt': PLAIN, 'main.c': blockOf('main.c') });
    const args = ['-S', folder, '-B', join(folder, 'build'), `-DCMAKE_PREFIX_PATH=${modules}`];
    assert.equal(start(['emcmake', 'cmake', ...args]).ok, false, 'the document says that it does not');
    run(['cmake', ...args.slice(0, 3), join(folder, 'native'), ...args.slice(4)]);
});

/** @param {string} version */
function asksFor(version) {
    const text = PLAIN.replaceAll('holdfast REQUIRED', `holdfast ${version} REQUIRED`);
    const folder = newProject({ 'CMakeLists.txt': text, 'main.c': blockOf('main.c') });
    const modules = join(project, 'node_modules');
    return start(['cmake', '-S', folder, '-B', join(folder, 'build'), `-DCMAKE_PREFIX_PATH=${modules}`]);
}

test('c library: the library has the version of the package', () => {
    const { version } = JSON.parse(textOf('package.json'));
    const { ok, output } = asksFor(version);
    assert.ok(ok, output);
    const refused = asksFor('99.0');
    assert.equal(refused.ok, false);
    assert.match(refused.output, new RegExp(`version: ${version.replaceAll('.', '[.]')}`));
});

const CXX = `#include <holdfast/holdfast.h>
int main()
{
    hf_mutex mutex = {};
    hf_mutex_lock(&mutex);
    return hf_mutex_unlock(&mutex) == HF_OK ? 0 : 1;
}
`;

test('c library: a project without the language C links the library', () => {
    const text = PLAIN.replace('LANGUAGES C', 'LANGUAGES CXX').replace('main.c', 'main.cpp');
    const folder = newProject({ 'CMakeLists.txt': text, 'main.cpp': CXX });
    outputOfNative(build(folder, { options: [`-DCMAKE_PREFIX_PATH=${join(project, 'node_modules')}`] }));
});

/** Prints how many slots its table has. */
const TABLE = `#include "agents.h"
#include <holdfast/holdfast.h>
#include <stdio.h>
int main(void)
{
    const hf__agents *table = hf_threads();
    printf("%d\\n", (int)table->count);
    return 0;
}
`;

test('c library: HF_THREADS sets the number of slots of the table', () => {
    for (const { option, count } of [
        { option: '-DHF_THREADS=5', count: '5' },
        { option: '-DHF_THREADS=', count: '64' },
    ]) {
        const text = `${PLAIN}target_include_directories(main PRIVATE node_modules/holdfast/c-src)\n`;
        const folder = newProject({ 'CMakeLists.txt': text, 'main.c': TABLE });
        const options = [`-DCMAKE_PREFIX_PATH=${join(project, 'node_modules')}`, option];
        assert.equal(outputOfNative(build(folder, { options })), count);
    }
});

test('c library: pkg-config and find_package find the installed library, even after a move', () => {
    runCommandOf(DOCUMENT, 'cmake -S node_modules/holdfast', project);
    assert.equal(run(['./main']), '2000');
    assertMutexAlone(join(project, 'main'));

    const moved = join(project, 'moved');
    renameSync(join(project, 'installed'), moved);
    const flags = run([
        'env',
        `PKG_CONFIG_PATH=${moved}/lib/pkgconfig`,
        'pkg-config',
        '--cflags',
        '--libs',
        'holdfast',
    ]);
    run(['cc', 'main.c', ...flags.split(/\s+/), '-o', 'main-moved']);
    assert.equal(run(['./main-moved']), '2000');

    const folder = newProject({ 'CMakeLists.txt': PLAIN, 'main.c': blockOf('main.c') });
    assert.equal(outputOfNative(build(folder, { options: [`-DCMAKE_PREFIX_PATH=${moved}`] })), '2000');
    assert.deepEqual(
        readdirSync(join(folder, 'build')).filter((name) => name === '_deps'),
        [],
        'it is not compiled again',
    );

    // CMake finds no 64-bit package for a 32-bit program.
    const args = ['-S', folder, '-B', join(folder, 'wasm'), `-DCMAKE_FIND_ROOT_PATH=${moved}`];
    assert.equal(start(['emcmake', 'cmake', ...args]).ok, false);
});

test('c library: Emscripten finds the library installed for it, including the wraps of pthread', () => {
    run(['emcmake', 'cmake', '-S', 'node_modules/holdfast', '-B', 'build-for-wasm', RELEASE]);
    run(['cmake', '--build', 'build-for-wasm']);
    const prefix = join(project, 'installed-for-wasm');
    run(['cmake', '--install', 'build-for-wasm', '--prefix', prefix]);
    const text = blockOf('CMakeLists.txt').replace(
        /^find_package\(.*\)$/m,
        'find_package(holdfast REQUIRED)',
    );
    const folder = newProject({ 'CMakeLists.txt': text, 'main.c': blockOf('main.c') });
    const options = [`-DCMAKE_FIND_ROOT_PATH=${prefix}`];
    assert.equal(outputOfWasm(build(folder, { emcmake: true, options })), '2000');

    const withNames = ['-DCMAKE_EXE_LINKER_FLAGS=--profiling-funcs', ...options];
    const counting = countingThat('find_package(holdfast REQUIRED)');
    const program = join(build(counting, { emcmake: true, options: withNames }), 'counting');
    assert.equal(run([process.execPath, '--no-experimental-fetch', `${program}.js`]), '2000');
    assertWrapped(readFileSync(`${program}.wasm`, 'latin1'));
});

const H = 'node_modules/holdfast/c-src';
const WARNINGS = ['-std=c11', '-Wall', '-Wextra', '-Wconversion', '-Werror'];

for (const compiler of ['gcc', 'clang', 'emcc']) {
    test(`c library: ${compiler} compiles the unity file without a warning`, () => {
        for (const table of [[], ['-DHF_THREADS=64']]) {
            for (const level of ['-O0', '-O2', compiler === 'gcc' ? '-Os' : '-Oz']) {
                run([
                    compiler,
                    ...WARNINGS,
                    level,
                    '-pthread',
                    ...table,
                    `-I${H}/include`,
                    '-c',
                    `${H}/holdfast.c`,
                    '-o',
                    'unit.o',
                ]);
            }
        }
    });
}

test('c library: no document calls the unity file a single file, since it includes the other sources', () => {
    const documents = ['README.md', 'CHANGELOG.md', 'c-src/README.md', 'tests/README.md'];
    for (const document of [...documents, DOCUMENT, 'docs/start/emscripten.md', PTHREAD_DOCUMENT]) {
        assert.doesNotMatch(
            textOf(document),
            /(\bis|\bin|\bas) (all of it in )?\[?(one|two) files?\b/,
            document,
        );
    }
    copyFileSync(join(project, H, 'holdfast.c'), join(project, 'moved-unit.c'));
    const moved = start(['cc', '-pthread', `-I${H}/include`, '-c', 'moved-unit.c', '-o', 'moved-unit.o']);
    assert.match(moved.output, /barrier\.c: No such file/);
});

test('c library: in a program that uses only mutexes, the unity file adds only mutexes', () => {
    const include = [`-I${H}/include`, `${H}/holdfast.c`];
    run([
        'cc',
        '-O2',
        '-pthread',
        '-ffunction-sections',
        '-Wl,--gc-sections',
        'main.c',
        ...include,
        '-o',
        'only',
    ]);
    assertMutexAlone(join(project, 'only'));
    run(['emcc', '-O2', '-pthread', '--profiling-funcs', 'main.c', ...include, '-o', 'only.js']);
    assertMutexAlone(join(project, 'only.wasm'));
});

test('c library: the unity file has the table of threads only with HF_THREADS', () => {
    writeFileSync(join(project, 'table.c'), TABLE);
    const command = [
        'cc',
        '-pthread',
        'table.c',
        `-I${H}`,
        `-I${H}/include`,
        `${H}/holdfast.c`,
        '-o',
        'table',
    ];
    const { ok, output } = start(command);
    assert.equal(ok, false);
    assert.match(output, /undefined reference to `hf_threads'/);
    run([...command, '-DHF_THREADS=7']);
    assert.equal(run(['./table']), '7');
});
