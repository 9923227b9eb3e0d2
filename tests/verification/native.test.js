/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* The C sources on Linux: their own tests under each native preset. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { runQuietly } from '../../scripts/run-quietly.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** @param {string[]} commandLine */
function run(commandLine) {
    const { ok, output } = runQuietly(commandLine, { cwd: ROOT });
    assert.ok(ok, `${commandLine.join(' ')} failed:\n${output}`);
}

for (const preset of ['native', 'native-clang', 'native-tsan', 'native-asan']) {
    test(`native: the tests in C and C++ pass with the preset ${preset}`, () => {
        run(['cmake', '--preset', preset]);
        run(['cmake', '--build', '--preset', preset]);
        run(['ctest', '--preset', preset]);
    });
}

test('native: clang-tidy finds nothing in the tests, nor in the headers of C++', () => {
    const folder = join('tests', 'native');
    const sources = readdirSync(join(ROOT, folder)).filter((file) => /\.(c|cpp)$/.test(file));
    run(['cmake', '--preset', 'native']);
    run([
        'clang-tidy',
        '-p',
        'build/native',
        '--quiet',
        '--header-filter=\\.hpp$',
        ...sources.map((file) => join(folder, file)),
    ]);
});
