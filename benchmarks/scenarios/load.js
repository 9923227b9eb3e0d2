/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import * as modules from 'node:module';
import { promisify } from 'node:util';
import { fileURLToPath } from 'node:url';
import { compare, figureOf, itself, valueAtMost } from '../figures.js';
import { bundled, MOST_GZIP_BYTES, MUTEX_ALONE, pageBytes } from '../../browsers/page-bytes.js';
import { runInTurns } from '../rounds.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

const MOST_WASM_BYTES = 9216;

/** Mutex alone, as a bundler puts it into a program. */
const BUNDLE = new URL('../../build/load/holdfast.mjs', import.meta.url);

/** Node 22.1 and later keeps compiled code in this folder. */
const WITH_CACHE = { NODE_COMPILE_CACHE: `${ROOT}build/load/cache` };

/** How a program starts with each package: its import, and the code that makes a lock and runs a section. */
const STARTS = {
    holdfast: { from: 'holdfast', start: 'await new all.Mutex().execAsync(() => {})' },
    'holdfast, bundled': { from: BUNDLE.href, start: 'await new all.Mutex().execAsync(() => {})' },
    'async-mutex': { from: 'async-mutex', start: 'await new all.Mutex().runExclusive(() => {})' },
    'async-lock': { from: 'async-lock', start: "await new all.default().acquire('key', () => {})" },
    'async-sema': {
        from: 'async-sema',
        start: 'const sema = new all.Sema(1); await sema.acquire(); sema.release()',
    },
    multithreading: { from: 'multithreading', start: '(await new all.Mutex().lock()).dispose()' },
    /** The time of the module loader itself. */
    'an empty module': { from: 'data:text/javascript,', start: '' },
};

/** Packages to compare with. */
const RIVALS = Object.keys(STARTS).slice(2, -1);

/** multithreading reads navigator when it is loaded, and Node has navigator only from version 21 on. */
const BEFORE = 'globalThis.navigator ??= { hardwareConcurrency: 2 };';

/**
 * @param {keyof typeof STARTS} name @param {Record<string, string>} [environment] variables in addition to this
 *     process's
 * @returns {Promise<number>} ms from import to the first section, in a process of its own
 */
async function startUp(name, environment) {
    const { from, start } = STARTS[name];
    const program = `${BEFORE} const began = performance.now(); const all = await import('${from}'); ${start};
        process.stdout.write(String(performance.now() - began), () => process.exit());`;
    const options = { cwd: ROOT, env: { ...process.env, ...environment } };
    const words = ['--input-type=module', '--eval', program];
    return Number((await promisify(execFile)(process.execPath, words, options)).stdout);
}

/** @param {number} rounds @returns {Promise<import('../figures.js').Figure[]>} none if Node has no such cache */
async function startsWithCache(rounds) {
    if (!('enableCompileCache' in modules)) {
        return [];
    }
    await startUp('holdfast', WITH_CACHE); // fills the cache
    const results = await runInTurns(
        rounds,
        [{ title: 'with', with: WITH_CACHE }, { title: 'without' }],
        (one) => startUp('holdfast', one.with),
    );
    return compare('import to first section, with a compile cache', 'ms', itself, results);
}

/** @param {number} rounds */
async function starts(rounds) {
    const names = /** @type {(keyof typeof STARTS)[]} */ (Object.keys(STARTS));
    const results = await runInTurns(
        rounds,
        names.map((title) => ({ title })),
        ({ title }) => startUp(title),
    );
    const [all, alone] = [results.slice(0, 1), results.slice(1, 2)];
    return results
        .slice(2)
        .flatMap((other) => [
            ...compare('import to first section', 'ms', itself, [...all, other]),
            ...compare('of Mutex alone, bundled', 'ms', itself, [...alone, other]),
        ]);
}

async function sizes() {
    const wasm = (await readFile(new URL('../../wasm/holdfast.wasm', import.meta.url))).length;
    const bytesOf = async (
        /** @type {string} */ title,
        /** @type {Parameters<typeof pageBytes>[0]} */ what,
    ) => ({
        title,
        runs: [(await pageBytes(what))?.gzip ?? NaN],
    });
    const all = await bytesOf('all', { from: './dist/index.js' });
    const mutex = await bytesOf('holdfast', MUTEX_ALONE);
    const ofMutex = 'gzip, of a page that uses Mutex alone';
    const figures = [
        figureOf('the wasm module', 'bytes', [wasm], undefined, valueAtMost(MOST_WASM_BYTES)),
        ...compare(ofMutex, 'bytes', itself, [mutex, all], valueAtMost(MOST_GZIP_BYTES)),
    ];
    for (const name of RIVALS) {
        const size = await pageBytes({ from: name });
        const beside = size ? { name, rounds: [size.gzip] } : { name, cannot: 'it needs modules of Node' };
        figures.push(figureOf('all, gzip', 'bytes', all.runs, beside));
    }
    return figures;
}

/** @type {import('../scenarios.js').Scenario} */
export const load = {
    name: 'load',
    inOtherProcesses: true,
    title: 'from import to the first section in Node, and what a page loads',
    async run({ rounds }) {
        await mkdir(new URL('.', BUNDLE), { recursive: true });
        await writeFile(BUNDLE, await bundled(MUTEX_ALONE));
        return [...(await sizes()), ...(await starts(rounds)), ...(await startsWithCache(rounds))];
    },
};
