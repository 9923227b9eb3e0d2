/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* clang-tidy's findings in the C sources and their tests. It takes minutes, so it has a file of its own. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ensureConfigured } from '../../scripts/setup.mjs';
import { ROOT, run } from '../support/native-presets.js';

/** @param {string} folder @param {RegExp} pattern */
function sourcesIn(folder, pattern) {
    const sources = readdirSync(join(ROOT, folder)).filter((file) => pattern.test(file));
    assert.notEqual(sources.length, 0);
    return sources.map((file) => join(folder, file));
}

/** @param {string[]} args */
function tidy(...args) {
    run(['clang-tidy', '--quiet', ...args]);
}

test('native: clang-tidy finds nothing in the tests, nor in the C++ headers', () => {
    ensureConfigured('native');
    tidy('-p', 'build/native', '--header-filter=\\.hpp$', ...sourcesIn('tests/native', /\.(c|cpp)$/));
});

test('native: clang-tidy finds nothing in the C library as built for Linux', () => {
    ensureConfigured('native');
    /** @type {{ file: string }[]} */
    const compiled = JSON.parse(readFileSync(join(ROOT, 'build/native/compile_commands.json'), 'utf8'));
    const sources = new Set(
        compiled.map(({ file }) => file).filter((file) => file.startsWith(join(ROOT, 'c-src/'))),
    );
    assert.notEqual(sources.size, 0);
    tidy('-p', 'build/native', ...sources);
});

test('native: clang-tidy finds nothing in the C library as built for the module', () => {
    // CMake compiles the sources as one unit, so compile_commands.json has no entry for each.
    const target = ['--target=wasm32-unknown-emscripten', '-ffreestanding', '-matomics', '-mbulk-memory'];
    const others = /^(async|suspending|futex_linux|clock|identity|threads|holdfast|layout)\.c$/;
    const sources = sourcesIn('c-src', /\.c$/).filter((file) => !others.test(file.slice('c-src/'.length)));
    const options = [...target, '-std=c11', '-pthread', '-DHF__MODULE', '-Ic-src/include'];
    tidy(...sources, '--', ...options);
});
