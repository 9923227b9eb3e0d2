/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* The C sources on Linux: their own tests under each native preset, and the house rules of C. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { runQuietly } from '../scripts/run-quietly.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** @param {string[]} commandLine */
function run(commandLine) {
    const { ok, output } = runQuietly(commandLine, { cwd: ROOT });
    assert.ok(ok, `${commandLine.join(' ')} failed:\n${output}`);
}

/**
 * @param {string} folder
 * @param {RegExp} name
 */
function filesIn(folder, name) {
    return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
        .filter((file) => name.test(file))
        .map((file) => join(folder, file));
}

for (const preset of ['native', 'native-tsan', 'native-asan']) {
    test(`native: the C tests pass with the preset ${preset}`, () => {
        run(['cmake', '--preset', preset]);
        run(['cmake', '--build', '--preset', preset]);
        run(['ctest', '--preset', preset]);
    });
}

test('native: the C files are formatted', () => {
    const files = ['c-src', 'tests/native'].flatMap((folder) => filesIn(folder, /\.[ch]$/));
    run(['clang-format', '--dry-run', '--Werror', ...files]);
});

test('native: clang-tidy finds nothing', () => {
    // Those that the native preset does not compile have no entry in its compile_commands.json.
    const files = filesIn('c-src', /\.c$/).filter((file) => !/(futex_wasm|exports)\.c$/.test(file));
    run(['cmake', '--preset', 'native']);
    run(['clang-tidy', '-p', 'build/native', '--quiet', ...files, ...filesIn('tests/native', /\.c$/)]);
});
