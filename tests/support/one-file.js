/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { isQuick } from './tier.js';

/** The programs that this process has bundled. */
const FOLDER = fileURLToPath(new URL(`../../build/programs-${process.pid}`, import.meta.url));

/** @type {Map<string, URL>} */
const built = new Map();

/**
 * The program of a thread, in one file in the quick tier: Node starts a thread in 35 ms, and loads the glue's modules in 65.
 *
 * @param {URL} program
 */
export function inOneFile(program) {
    if (!isQuick) {
        return program;
    }
    const known = built.get(program.href);
    if (known !== undefined) {
        return known;
    }
    if (built.size === 0) {
        process.once('exit', () => rmSync(FOLDER, { recursive: true, force: true }));
    }
    const outfile = join(FOLDER, basename(program.pathname));
    /** @type {typeof import('esbuild')} loaded here, since runtimes without a quick tier need no esbuild */
    const { buildSync } = createRequire(import.meta.url)('esbuild');
    buildSync({
        entryPoints: [fileURLToPath(program)],
        outfile,
        bundle: true,
        platform: 'node',
        format: 'esm',
        ignoreAnnotations: true, // sideEffects of package.json does not hold for tests
    });
    const file = pathToFileURL(outfile);
    built.set(program.href, file);
    return file;
}
