/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* The Closure compiler from npm, in the version of each Emscripten's time: Debian's Emscriptens come without
 * it. */
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './system.js';

const PACKAGE = 'google-closure-compiler-linux';

/**
 * @param {string} version
 * @param {string} folder that gets it
 * @returns {string} the program in that folder
 */
export function fetchClosure(version, folder) {
    const program = join('node_modules', PACKAGE, 'compiler');
    if (!existsSync(join(folder, program))) {
        mkdirSync(folder, { recursive: true });
        // A project of its own, or npm would install into the one above it.
        writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
        run(['npm', 'install', '--no-audit', '--no-fund', '--prefix', folder, `${PACKAGE}@${version}`]);
        chmodSync(join(folder, program), 0o755);
    }
    return program;
}
