/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Each public header alone, in strict C and C++, also in a C program that uses the name `bool` itself. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { spawnSync } from 'node:child_process';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const FLAGS = ['-pthread', '-Wall', '-Wextra', '-Werror', '-Wpedantic', '-Ic-src/include', '-fsyntax-only'];
/** Those of C, for all platforms. */
const HEADERS = readdirSync(join(ROOT, 'c-src', 'include', 'holdfast')).filter(
    (name) => name.endsWith('.h') && name !== 'async.h',
);
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
 * @param {string} compiler
 * @param {string} language
 * @param {string} standard
 * @param {(header: string) => string} program
 */
function compilesEach(compiler, language, standard, program) {
    for (const header of HEADERS) {
        const { error, status, stderr } = spawnSync(
            compiler,
            [`-std=${standard}`, ...FLAGS, '-x', language, '-'],
            {
                cwd: ROOT,
                encoding: 'utf8',
                input: program(header),
                timeout: LIMIT_MS,
            },
        );
        assert.equal(status, 0, `${compiler} -std=${standard} refuses ${header}:\n${error ?? ''}${stderr}`);
    }
}

for (const compiler of ['gcc', 'clang']) {
    test(`headers: ${compiler} takes each alone in C, where bool is the program's own name or not`, () => {
        for (const standard of ['c11', 'c17']) {
            for (const program of [plain, withOwnBool, withVariableBool]) {
                compilesEach(compiler, 'c', standard, program);
            }
        }
    });

    test(`headers: ${compiler} takes each alone in C++11 to C++20`, () => {
        for (const standard of ['c++11', 'c++14', 'c++17', 'c++20']) {
            compilesEach(compiler, 'c++', standard, plain);
        }
    });
}
