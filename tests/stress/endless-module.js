/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { createHash } from 'node:crypto';
import {
    existsSync,
    mkdirSync,
    readdirSync,
    readFileSync,
    renameSync,
    statSync,
    writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MutantBuild } from '../../models/mutants/mutant-build.js';
import { mistakesOf } from '../../models/mutants/mutants.js';
import { oneAtATime } from '../../scripts/one-at-a-time.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

const [ENDLESS] = mistakesOf(String.raw`
=== c-src/waiting.h
waits without a limit
    HF__SLICE_NS: /\d+/ → 3600000
`);

/** The sources of the module. */
const SOURCES = ['CMakeLists.txt', 'CMakePresets.json', 'cmake', 'c-src'];

/** @param {string} path @returns {string[]} */
function filesIn(path) {
    return statSync(path).isDirectory()
        ? readdirSync(path).flatMap((name) => filesIn(join(path, name)))
        : [path];
}

function build() {
    const build = new MutantBuild();
    try {
        return build.bytesWith(ENDLESS?.edits ?? []);
    } finally {
        build.remove();
    }
}

/**
 * The module without the time limit of a blocking wait. The limit rescues a thread whose wake a dying thread
 * consumed. If no thread dies no wake may be lost; without the limit a lost wake shows as a hang. It is built
 * once for the same sources.
 *
 * @returns {Uint8Array}
 */
export function buildEndlessModule() {
    const hash = createHash('sha256');
    SOURCES.flatMap((path) => filesIn(join(ROOT, path))).forEach((file) => hash.update(readFileSync(file)));
    const folder = join(ROOT, 'build', 'endless');
    const file = join(folder, `${hash.digest('hex')}.wasm`);
    mkdirSync(folder, { recursive: true });
    oneAtATime(join(folder, '.builds'), () => {
        if (!existsSync(file)) {
            writeFileSync(`${file}.new`, build());
            renameSync(`${file}.new`, file);
        }
    });
    return readFileSync(file);
}
