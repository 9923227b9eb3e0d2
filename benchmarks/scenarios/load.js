/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import * as modules from 'node:module';
import { promisify } from 'node:util';
import { fileURLToPath } from 'node:url';
import { figureOf } from '../figures.js';
import { interleave, runInTurns } from '../rounds.js';
import { moduleBytes } from './module-bytes.js';
import { bundled, MOST_GZIP_BYTES, MUTEX_ALONE, pageBytes } from './page-bytes.js';
import { pageStarts } from './page-starts.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

const MOST_WASM_BYTES = 9216;

/** For comparison, by their names in starts.js. */
const RIVALS = /** @type {const} */ (['async-mutex', 'async-lock', 'async-sema', 'multithreading']);

const BUILT = './dist/index.js';

const START_UP = 'benchmarks/start-up.js';

/** Node keeps there what it has compiled, from version 22.1 on. */
const WITH_CACHE = { NODE_COMPILE_CACHE: `${ROOT}build/load/cache` };

/**
 * @param {string[]} words for Node
 * @param {Record<string, string>} [environment] more than this process has
 */
async function outputOf(words, environment) {
    const env = { ...process.env, ...environment };
    return (await promisify(execFile)(process.execPath, words, { cwd: ROOT, env })).stdout;
}

/**
 * @param {string[]} words for benchmarks/start-up.js
 * @returns {Promise<{ total: number, importing: number, parts?: Record<string, number> }>} ms
 */
async function startUp(...words) {
    return JSON.parse(await outputOf([START_UP, ...words]));
}

/** @param {number} rounds @returns {Promise<import('../figures.js').Figure[]>} none in a Node that has no such cache */
async function startsWithCache(rounds) {
    if (!('enableCompileCache' in modules)) {
        return [];
    }
    const start = async (/** @type {Record<string, string>} */ environment) =>
        JSON.parse(await outputOf([START_UP, 'holdfast'], environment)).total;
    await start(WITH_CACHE); // which fills it
    const times = await interleave(rounds, { without: () => start({}), with: () => start(WITH_CACHE) });
    const before = { name: 'without', rounds: times.without ?? [] };
    return [figureOf('import to first section, with a compile cache', 'ms', times.with ?? [], before)];
}

/** Mutex alone, as a bundler makes it a part of a program. */
async function writeBundle() {
    const folder = new URL('../../build/load/', import.meta.url);
    await mkdir(folder, { recursive: true });
    await writeFile(new URL('holdfast.mjs', folder), await bundled(MUTEX_ALONE));
}

/** Reads and parses what `holdfast` loads, in a new process. */
async function parse() {
    const source = `const begin = performance.now();
        new (require('node:vm').Script)(require('node:fs').readFileSync('dist/shared.cjs', 'utf8'));
        console.log(performance.now() - begin);`;
    return Number(await outputOf(['--eval', source]));
}

/** @param {number} rounds @returns {Promise<import('../figures.js').Figure[]>} where the time goes, in Node's main thread */
async function partsOfStart(rounds) {
    const [measured] = await runInTurns(rounds, [{}], async () => ({
        loader: (await startUp('an empty module')).total,
        parsing: await parse(),
        start: await startUp('holdfast', 'parts'),
    }));
    const { runs } = measured ?? { runs: [] };
    const timesOf = (/** @type {(run: typeof runs[0]) => number | undefined} */ of) =>
        runs.map((run) => of(run) ?? NaN);
    const importing = timesOf(({ start }) => start.importing);
    const loader = { name: 'an empty module', rounds: timesOf((run) => run.loader) };
    const names = Object.keys(runs[0]?.start.parts ?? {});
    return [
        figureOf('of it, importing', 'ms', importing, loader),
        figureOf(
            'of that, reading and parsing the text',
            'ms',
            timesOf(({ parsing }) => parsing),
        ),
        ...names.map((name) =>
            figureOf(
                `of it, ${name}`,
                'ms',
                timesOf(({ start }) => start.parts?.[name]),
            ),
        ),
    ];
}

/** @param {number} rounds @returns {Promise<import('../figures.js').Figure[]>} */
async function startsInPage(rounds) {
    const found = (await pageStarts(rounds)) ?? [];
    const timesOf = (/** @type {string} */ name) =>
        found.find((variant) => variant.name === name)?.runs.map(({ total }) => total) ?? [];
    const others = /** @type {const} */ (['async-mutex', 'multithreading']);
    return found
        .filter(({ name }) => name === 'holdfast')
        .flatMap(({ path, latency, runs }) => {
            const isBundled = !path.includes('/');
            const way = isBundled ? 'Mutex alone bundled' : `${runs[0]?.requests} files without a bundler`;
            const what = `in a page of Chromium, ${way}${latency ? `, ${latency} ms a request` : ''}`;
            const times = runs.map(({ total }) => total);
            return isBundled && !latency
                ? others.map((name) => figureOf(what, 'ms', times, { name, rounds: timesOf(name) }))
                : [figureOf(what, 'ms', times)];
        });
}

/**
 * @param {string} name
 * @param {{ gzip: number } | undefined} size
 */
function besideSize(name, size) {
    return size ? { name, rounds: [size.gzip] } : { name, cannot: 'it needs modules of Node' };
}

/** @type {import('./scenarios.js').Scenario} */
export const load = {
    name: 'load',
    inOtherProcesses: true,
    title: 'from import to the first section in Node, a worker and a page, where the time goes, and what a page loads',
    async run({ rounds }) {
        await writeBundle();
        const names = /** @type {const} */ (['holdfast', 'holdfast, bundled', ...RIVALS]);
        /** @param {string[]} words */
        const startsWith = (...words) =>
            interleave(
                rounds,
                Object.fromEntries(
                    names.map((name) => [name, async () => (await startUp(name, ...words)).total]),
                ),
            );
        const [times, timesInWorker] = [await startsWith(), await startsWith('worker')];
        const bytes = Object.fromEntries(
            await Promise.all(
                RIVALS.map(async (name) => /** @type {const} */ ([name, await pageBytes({ from: name })])),
            ),
        );
        const wasm = (await readFile(new URL('../../wasm/holdfast.wasm', import.meta.url))).length;
        const { minified = NaN, gzip = NaN } = (await pageBytes({ from: BUILT })) ?? {};
        const mutex = (await pageBytes(MUTEX_ALONE)) ?? { minified: NaN, gzip: NaN };
        const figures = [
            figureOf('the wasm module', 'bytes', [wasm], undefined, { of: 'value', most: MOST_WASM_BYTES }),
            ...Object.entries((await moduleBytes()) ?? {}).map(([primitive, adds]) =>
                figureOf(`of the wasm module, what only ${primitive} needs`, 'bytes', [adds]),
            ),
            figureOf('all, the module within it, minified', 'bytes', [minified]),
            figureOf('the same, gzip', 'bytes', [gzip]),
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
            const beside = (/** @type {Record<string, number[]>} */ rounds) => ({
                name,
                rounds: rounds[name] ?? [],
            });
            figures.push(
                figureOf('all, gzip', 'bytes', [gzip], besideSize(name, bytes[name])),
                figureOf('import to first section', 'ms', times.holdfast ?? [], beside(times)),
                figureOf('the same in a worker', 'ms', timesInWorker.holdfast ?? [], beside(timesInWorker)),
                figureOf('of Mutex alone, bundled', 'ms', times['holdfast, bundled'] ?? [], beside(times)),
                figureOf(
                    'that in a worker',
                    'ms',
                    timesInWorker['holdfast, bundled'] ?? [],
                    beside(timesInWorker),
                ),
            );
        }
        figures.push(
            ...(await startsWithCache(rounds)),
            ...(await partsOfStart(rounds)),
            ...(await startsInPage(rounds)),
        );
        return { figures };
    },
};
