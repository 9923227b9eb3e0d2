/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { fileURLToPath } from 'node:url';
import { figureOf } from '../figures.js';
import { interleave } from '../rounds.js';
import { moduleBytes } from './module-bytes.js';
import { MOST_GZIP_BYTES, MUTEX_ALONE, pageBytes } from './page-bytes.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

const MOST_WASM_BYTES = 8192;

/** How a program begins to use each: what is imported, and what makes the first lock and runs a section. */
const PROGRAMS = {
    holdfast: { from: './dist/index.js', start: 'await new all.Mutex().executeLocked(() => {})' },
    'async-mutex': { from: 'async-mutex', start: 'await new all.Mutex().runExclusive(() => {})' },
    'async-lock': { from: 'async-lock', start: "await new all.default().acquire('key', () => {})" },
    'async-sema': {
        from: 'async-sema',
        start: 'const sema = new all.Sema(1); await sema.acquire(); sema.release()',
    },
    multithreading: {
        from: 'multithreading',
        // It reads this at once, and Node has it only from version 21 on.
        before: 'globalThis.navigator ??= { hardwareConcurrency: 2 };',
        start: '(await new all.Mutex().lock()).dispose()',
    },
};

/** @typedef {{ from: string, before?: string, start: string }} Program */

/**
 * @param {Program} program
 * @returns {Promise<number>} ms, in a process of its own
 */
async function startUp({ from, before = '', start }) {
    const source = `
        ${before}
        const begin = performance.now();
        const all = await import('${from}');
        ${start};
        console.log(performance.now() - begin);
        process.exit();`;
    const { stdout } = await promisify(execFile)(
        process.execPath,
        ['--input-type=module', '--eval', source],
        { cwd: ROOT },
    );
    return Number(stdout);
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
    title: 'from import to the first section in a new process, and what a page loads for it',
    async run({ rounds }) {
        const programs = /** @type {[string, Program][]} */ (Object.entries(PROGRAMS));
        const times = await interleave(
            rounds,
            Object.fromEntries(programs.map(([name, program]) => [name, () => startUp(program)])),
        );
        const bytes = Object.fromEntries(
            await Promise.all(
                programs.map(
                    async ([name, program]) => /** @type {const} */ ([name, await pageBytes(program)]),
                ),
            ),
        );
        const wasm = (await readFile(new URL('../../wasm/holdfast.wasm', import.meta.url))).length;
        const { minified = NaN, gzip = NaN } = bytes.holdfast ?? {};
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
        for (const [name] of programs.slice(1)) {
            figures.push(
                figureOf('all, gzip', 'bytes', [gzip], besideSize(name, bytes[name])),
                figureOf('import to first section', 'ms', times.holdfast ?? [], {
                    name,
                    rounds: times[name] ?? [],
                }),
            );
        }
        return { figures };
    },
};
