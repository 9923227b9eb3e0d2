/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Each public header alone, in strict C and C++, with exceptions and without, also in a C program that uses the name
 * `bool` itself. */
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { spawnSync } from 'node:child_process';
import { isQuick, ONLY_IN_ALL } from '../support/tier.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const FLAGS = ['-pthread', '-Wall', '-Wextra', '-Werror', '-Wpedantic', '-Ic-src/include', '-fsyntax-only'];
const ALL = readdirSync(join(ROOT, 'c-src', 'include', 'holdfast'));
/** The headers for Emscripten alone. */
const CALLBACKS = ['async.h', 'async.hpp', 'suspending.h'];
/** The C headers for all platforms. */
const HEADERS = ALL.filter((name) => name.endsWith('.h') && !CALLBACKS.includes(name));
const CXX_HEADERS = ALL.filter((name) => name.endsWith('.hpp') && !CALLBACKS.includes(name));
const C_STANDARDS = ['c11', 'c17'];
const CXX_STANDARDS = ['c++11', 'c++14', 'c++17', 'c++20'];
/** The quick tier has the oldest standard by gcc, and the newest by the others. @param {string} compiler @param {string[]} all */
const standardsFor = (compiler, all) => (isQuick ? all.slice(...(compiler === 'gcc' ? [0, 1] : [-1])) : all);
/** Bounds one run of a compiler on a loaded machine. */
const LIMIT_MS = 60_000;

/** @param {string} header */
const withOwnBool = (header) =>
    `typedef int bool;\nenum { false, true };\n#include <holdfast/${header}>\nextern bool own;\nbool own = true;\n`;

/** @param {string} header */
const withVariableBool = (header) => `#include <holdfast/${header}>\nextern int bool;\nint bool = 2;\n`;

/** @param {string} header */
const plain = (header) => `#include <holdfast/${header}>\n`;

/**
 * @param {string[]} compiler and its options
 * @param {string[]} headers
 * @param {(header: string) => string} program
 */
function compilesEach(compiler, headers, program) {
    const [command = '', ...options] = compiler;
    for (const header of headers) {
        const { error, status, stderr } = spawnSync(command, [...options, ...FLAGS, '-'], {
            cwd: ROOT,
            encoding: 'utf8',
            input: program(header),
            timeout: LIMIT_MS,
        });
        assert.equal(status, 0, `${compiler.join(' ')} refuses ${header}:\n${error ?? ''}${stderr}`);
    }
}

for (const compiler of ['gcc', 'clang']) {
    // Emscripten's compiler is a clang, too.
    const inAll = compiler === 'clang' ? ONLY_IN_ALL : {};
    test(
        `headers: ${compiler} compiles each header alone in C, even if the program has its own bool`,
        inAll,
        () => {
            for (const standard of standardsFor(compiler, C_STANDARDS)) {
                const c = [compiler, `-std=${standard}`, '-x', 'c'];
                compilesEach(c, HEADERS, plain);
                for (const program of [withOwnBool, withVariableBool]) {
                    compilesEach(c, isQuick ? ['holdfast.h'] : HEADERS, program);
                }
            }
        },
    );

    test(`headers: ${compiler} compiles each header alone in C++11 to C++20`, inAll, () => {
        for (const standard of standardsFor(compiler, CXX_STANDARDS)) {
            const cxx = [compiler, `-std=${standard}`, '-x', 'c++'];
            // Each of them has compiled alone in C.
            compilesEach(cxx, [...(isQuick ? ['holdfast.h'] : HEADERS), 'holdfast.hpp'], plain);
            compilesEach([...cxx, '-fno-exceptions'], ['holdfast.hpp'], plain);
        }
        compilesEach([compiler, '-std=c++11', '-x', 'c++'], CXX_HEADERS, plain);
        const asThere = ['-D__EMSCRIPTEN__', '-fno-exceptions'];
        compilesEach([compiler, '-std=c++20', '-x', 'c++', ...asThere], ['async.hpp'], plain);
    });
}

test('headers: the library never allocates memory and never starts a thread', () => {
    const folder = mkdtempSync(join(tmpdir(), 'holdfast-nm-'));
    try {
        const object = join(folder, 'holdfast.o');
        const options = ['-O1', '-pthread', '-DHF_THREADS=64', '-Ic-src/include', '-c', 'c-src/holdfast.c'];
        const compiled = spawnSync('gcc', [...options, '-o', object], { cwd: ROOT, encoding: 'utf8' });
        assert.equal(compiled.status, 0, compiled.stderr);
        const { stdout } = spawnSync('nm', ['-u', object], { encoding: 'utf8' });
        assert.match(stdout, /syscall/, 'it names what the unit takes from others');
        assert.doesNotMatch(stdout, /alloc|mmap|sbrk|pthread_create|thrd_create|clone/);
    } finally {
        rmSync(folder, { recursive: true });
    }
});

test('headers: no header in c-src hides a system header of the same name', () => {
    const own = readdirSync(join(ROOT, 'c-src')).filter((name) => name.endsWith('.h'));
    const looks = own.map((name) => `#if __has_include(<${name}>)\n#error "${name}"\n#endif\n`);
    const program = () => `${looks.join('')}extern int nothing;\n`;
    for (const compiler of ['gcc', 'clang', 'emcc']) {
        compilesEach([compiler, '-x', 'c'], ['those of the system'], program);
    }
});

/** All members, also those of templates. @param {string} header */
const withMembers = (header) => `${plain(header)}
template class holdfast::barrier<>;
template class holdfast::counting_semaphore<5>;
`;

test('headers: Emscripten compiles the classes in C++11 to C++20, with and without exceptions', () => {
    for (const standard of standardsFor('emcc', CXX_STANDARDS)) {
        for (const exceptions of ['-fexceptions', '-fno-exceptions']) {
            const cxx = ['emcc', `-std=${standard}`, '-x', 'c++', exceptions];
            const headers = isQuick ? ['async.hpp'] : ['holdfast.hpp', 'async.hpp'];
            compilesEach(cxx, headers, withMembers);
        }
    }
});
