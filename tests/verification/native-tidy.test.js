/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Of the C sources on Linux (native.test.js): what clang-tidy says. It takes minutes, so it is a file of its own. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ensureConfigured } from '../../scripts/setup.mjs';
import { ROOT, run } from '../support/native-presets.js';

test('native: clang-tidy finds nothing in the tests, nor in the C++ headers', () => {
    const folder = join('tests', 'native');
    const sources = readdirSync(join(ROOT, folder)).filter((file) => /\.(c|cpp)$/.test(file));
    ensureConfigured('native');
    run([
        'clang-tidy',
        '-p',
        'build/native',
        '--quiet',
        '--header-filter=\\.hpp$',
        ...sources.map((file) => join(folder, file)),
    ]);
});
