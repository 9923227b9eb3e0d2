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

/** For comparison, by their names in starts.js. */
const RIVALS = ['async-mutex', 'async-lock', 'async-sema', 'multithreading'];

const BUILT = './dist/index.js';

/** Node keeps there what it has compiled, from version 22.1 on. */
const WITH_CACHE = { NODE_COMPILE_CACHE: `${ROOT}build/load/cache` };

/**
 * @param {string[]} words for benchmarks/start-up.js
 * @param {Record<string, string>} [environment] more than this process has
 * @returns {Promise<number>} ms from import to the first section
 */
async function startUp(words, environment) {
    const env = { ...process.env, ...environment };
    const all = ['benchmarks/start-up.js', ...words];
    return Number((await promisify(execFile)(process.execPath, all, { cwd: ROOT, env })).stdout);
}

/** @param {number} rounds @returns {Promise<import('../figures.js').Figure[]>} none in a Node that has no such cache */
async function startsWithCache(rounds) {
    if (!('enableCompileCache' in modules)) {
        return [];
    }
    await startUp(['holdfast'], WITH_CACHE); // which fills it
    const times = await interleave(rounds, {
        without: () => startUp(['holdfast']),
        with: () => startUp(['holdfast'], WITH_CACHE),
    });
    const before = { name: 'without', rounds: times.without };
    return [figureOf('import to first section, with a compile cache', 'ms', times.with, before)];
}

/** @param {number} rounds */
async function starts(rounds) {
    const figures = [];
    for (const [where, words] of /** @type {const} */ ([
        ['', []],
        [', in a worker', ['worker']],
    ])) {
        const names = ['holdfast', 'holdfast, bundled', 'an empty module', ...RIVALS];
        const times = await interleave(
            rounds,
            Object.fromEntries(names.map((name) => [name, () => startUp([name, ...words])])),
        );
        const timesOf = (/** @type {string} */ name) => times[name] ?? [];
        for (const name of ['an empty module', ...RIVALS]) {
            const beside = { name, rounds: timesOf(name) };
            figures.push(
                figureOf(`import to first section${where}`, 'ms', timesOf('holdfast'), beside),
                figureOf(`of Mutex alone, bundled${where}`, 'ms', timesOf('holdfast, bundled'), beside),
            );
        }
    }
    return figures;
}

async function sizes() {
    const nothing = { minified: NaN, gzip: NaN };
    const wasm = (await readFile(new URL('../../wasm/holdfast.wasm', import.meta.url))).length;
    const { minified, gzip } = (await pageBytes({ from: BUILT })) ?? nothing;
    const mutex = (await pageBytes(MUTEX_ALONE)) ?? nothing;
    const figures = [
        figureOf('the wasm module', 'bytes', [wasm], undefined, { of: 'value', most: MOST_WASM_BYTES }),
        figureOf('all, the module within it, minified', 'bytes', [minified]),
        figureOf('Mutex alone, the module within it, minified', 'bytes', [mutex.minified]),
        figureOf(
            'the same, gzip, of a page that uses Mutex alone',
            'bytes',
            [mutex.gzip],
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
    title: 'from import to the first section in Node and a worker, and what a page loads',
    async run({ rounds }) {
        // Mutex alone, as a bundler makes it a part of a program.
        const folder = new URL('../../build/load/', import.meta.url);
        await mkdir(folder, { recursive: true });
        await writeFile(new URL('holdfast.mjs', folder), await bundled(MUTEX_ALONE));
        return {
            figures: [...(await sizes()), ...(await starts(rounds)), ...(await startsWithCache(rounds))],
        };
    },
};
