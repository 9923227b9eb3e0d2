/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { readFileSync } from 'node:fs';
import { launchBrowser, NoBrowserError } from '../../browsers/launch.js';
import { serve } from '../../browsers/serve.js';
import { runInTurns } from '../rounds.js';
import { STARTS } from '../starts.js';
import { bundled } from './page-bytes.js';

/* The same beginnings in a page of Chromium, each in a document of its own and from addresses that the browser has not seen. */

const FOLDER = 'benchmarks/browser';
const DIST = ['index.js', 'shared.js'];

/** The time of a request across a town, on top of the time here. */
const LATENCY_MS = 20;

/** @typedef {'holdfast' | 'async-mutex' | 'multithreading'} Name */

/**
 * @typedef {object} Variant
 * @property {Name} name
 * @property {string} path of what is imported, below a folder of the round
 * @property {number} [latency] of each request, ms
 */

/** @type {Variant[]} */
const VARIANTS = [
    { name: 'holdfast', path: 'dist/index.js' },
    { name: 'holdfast', path: 'holdfast.js' },
    { name: 'async-mutex', path: 'async-mutex.js' },
    { name: 'multithreading', path: 'multithreading.js' },
    { name: 'holdfast', path: 'dist/index.js', latency: LATENCY_MS },
    { name: 'holdfast', path: 'holdfast.js', latency: LATENCY_MS },
];

/** @returns {Promise<Record<string, string>>} by their paths */
async function scripts() {
    const text = async (/** @type {{ from: string, names?: string }} */ what) =>
        new TextDecoder().decode(await bundled({ names: '{ Mutex }', ...what }));
    return {
        ...Object.fromEntries(
            DIST.map((file) => [
                `dist/${file}`,
                readFileSync(new URL(`../../dist/${file}`, import.meta.url), 'utf8'),
            ]),
        ),
        'holdfast.js': await text({ from: './dist/index.js' }),
        'async-mutex.js': await text({ from: 'async-mutex' }),
        'multithreading.js': await text({ from: 'multithreading' }),
    };
}

/**
 * @param {number} rounds
 * @returns {Promise<(Variant & { runs: { total: number, requests: number }[] })[] | undefined>} nothing where there is no
 *     Chromium
 */
export async function pageStarts(rounds) {
    const files = Object.entries(await scripts());
    let visits = 0;
    const folderOf = (/** @type {number} */ visit) => `/visit-${visit}`;
    const served = Array.from({ length: rounds * VARIANTS.length }, (_, visit) =>
        files.map(([path, text]) => [`${folderOf(visit)}/${path}`, text]),
    ).flat();
    let browser;
    try {
        browser = await launchBrowser('chromium');
    } catch (error) {
        if (error instanceof NoBrowserError) {
            return undefined;
        }
        throw error;
    }
    const server = await serve({ folders: [FOLDER], scripts: Object.fromEntries(served) });
    try {
        return await runInTurns(rounds, VARIANTS, async ({ name, path, latency }) => {
            const page = await browser.newPage();
            await page.goto(`${server.origin}/${FOLDER}/index.html`);
            await page.emulateNetworkConditions(
                latency === undefined ? null : { latency, download: -1, upload: -1 },
            );
            const address = `${folderOf(visits)}/${path}`;
            visits += 1;
            const result = await page.evaluate(`(async () => {
                const began = performance.now();
                const all = await import('${address}');
                await (${STARTS[name].start})(all);
                const total = performance.now() - began;
                const requests = performance.getEntriesByType('resource').filter(({ name }) => name.includes('visit-'));
                return { total, requests: requests.length };
            })()`);
            await page.close();
            return /** @type {{ total: number, requests: number }} */ (result);
        });
    } finally {
        await browser.close();
        await server.close();
    }
}
