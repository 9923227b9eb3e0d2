/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { readdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { isQuick } from './tier.js';

/** The bundles of all programs, if `bundlePrograms` has made them for this process. */
const MADE = process.env['HOLDFAST_PROGRAMS'];

/** The programs that this process has bundled. */
const FOLDER = fileURLToPath(new URL(`../../build/programs-${process.pid}`, import.meta.url));

/** @type {Map<string, URL>} */
const built = new Map();

/** @param {URL} program @param {string} folder */
const bundleOf = (program, folder) => pathToFileURL(join(folder, basename(program.pathname)));

/**
 * @param {URL[]} programs
 * @param {string} outdir
 */
function bundle(programs, outdir) {
    /** @type {typeof import('esbuild')} loaded here, since runtimes without a quick tier need no esbuild */
    const { buildSync } = createRequire(import.meta.url)('esbuild');
    buildSync({
        entryPoints: programs.map((program) => ({
            in: fileURLToPath(program),
            out: basename(program.pathname, '.js'),
        })),
        outdir,
        bundle: true,
        platform: 'node',
        format: 'esm',
        ignoreAnnotations: true, // sideEffects of package.json does not hold for tests
    });
}

/**
 * Bundles the programs of all threads, for the processes to which the variable HOLDFAST_PROGRAMS names the folder.
 *
 * @param {string} folder
 */
export function bundlePrograms(folder) {
    const threads = new URL('threads/', import.meta.url);
    const programs = readdirSync(threads).map((name) => new URL(name, threads));
    bundle([...programs, new URL('../stress/node-thread.js', import.meta.url)], folder);
}

/**
 * The program of a thread, in one file in the quick tier: Node starts a thread in 35 ms, and loads the glue's modules in 65.
 *
 * @param {URL} program
 */
export function inOneFile(program) {
    if (!isQuick) {
        return program;
    }
    if (MADE !== undefined) {
        return bundleOf(program, MADE);
    }
    const known = built.get(program.href);
    if (known !== undefined) {
        return known;
    }
    if (built.size === 0) {
        process.once('exit', () => rmSync(FOLDER, { recursive: true, force: true }));
    }
    bundle([program], FOLDER);
    const file = bundleOf(program, FOLDER);
    built.set(program.href, file);
    return file;
}
