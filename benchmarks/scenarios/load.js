/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import * as modules from 'node:module';
import { promisify } from 'node:util';
import { fileURLToPath } from 'node:url';
import { figureOf } from '../figures.js';
import { interleave } from '../rounds.js';
import { bundled, MOST_GZIP_BYTES, MUTEX_ALONE, pageBytes } from './page-bytes.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

const MOST_WASM_BYTES = 9216;

/** Mutex alone, as a bundler puts it into a program. */
const BUNDLE = new URL('../../build/load/holdfast.mjs', import.meta.url);

/** Packages to compare with. */
const RIVALS = ['async-mutex', 'async-lock', 'async-sema', 'multithreading'];

const BUILT = './dist/index.js';

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
    const times = await interleave(rounds, {
        without: () => startUp('holdfast'),
        with: () => startUp('holdfast', WITH_CACHE),
    });
    const before = { name: 'without', rounds: times.without };
    return [figureOf('import to first section, with a compile cache', 'ms', times.with, before)];
}

/** @param {number} rounds */
async function starts(rounds) {
    const names = /** @type {(keyof typeof STARTS)[]} */ (Object.keys(STARTS));
    const times = await interleave(
        rounds,
        Object.fromEntries(names.map((name) => [name, () => startUp(name)])),
    );
    const timesOf = (/** @type {string} */ name) => times[name] ?? [];
    return names
        .filter((name) => !name.startsWith('holdfast'))
        .flatMap((name) => {
            const beside = { name, rounds: timesOf(name) };
            return [
                figureOf('import to first section', 'ms', timesOf('holdfast'), beside),
                figureOf('of Mutex alone, bundled', 'ms', timesOf('holdfast, bundled'), beside),
            ];
        });
}

async function sizes() {
    const wasm = (await readFile(new URL('../../wasm/holdfast.wasm', import.meta.url))).length;
    const [{ gzip = NaN } = {}, { gzip: mutex = NaN } = {}] = [
        await pageBytes({ from: BUILT }),
        await pageBytes(MUTEX_ALONE),
    ];
    const figures = [
        figureOf('the wasm module', 'bytes', [wasm], undefined, { of: 'value', most: MOST_WASM_BYTES }),
        figureOf(
            'gzip, of a page that uses Mutex alone',
            'bytes',
            [mutex],
            { name: 'all', rounds: [gzip] },
            { of: 'value', most: MOST_GZIP_BYTES },
        ),
    ];
    for (const name of RIVALS) {
        const size = await pageBytes({ from: name });
        const beside = size ? { name, rounds: [size.gzip] } : { name, cannot: 'it needs modules of Node' };
        figures.push(figureOf('all, gzip', 'bytes', [gzip], beside));
    }
    return figures;
}

/** @type {import('./scenarios.js').Scenario} */
export const load = {
    name: 'load',
    inOtherProcesses: true,
    title: 'from import to the first section in Node, and what a page loads',
    async run({ rounds }) {
        await mkdir(new URL('.', BUNDLE), { recursive: true });
        await writeFile(BUNDLE, await bundled(MUTEX_ALONE));
        return {
            figures: [...(await sizes()), ...(await starts(rounds)), ...(await startsWithCache(rounds))],
        };
    },
};
