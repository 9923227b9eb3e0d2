/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { builtinModules } from 'node:module';
import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { build, stop } from 'esbuild';
import { launchBrowser, NoBrowserError } from '../../browsers/launch.js';
import { serve } from '../../browsers/serve.js';
import { MEASURED_BROWSERS } from '../../scripts/system-packages.mjs';

/* Makes runs on the main thread of a real browser, from Node. */

/** @typedef {import('../contended-run.js').ContendedRun} ContendedRun */
/** @typedef {import('../messages-run.js').MessageRun} MessageRun */
/** @typedef {keyof typeof MEASURED_BROWSERS} MeasuredBrowser */

export const TITLES = { chromium: 'Chromium', firefox: 'Firefox' };

const FOLDER = 'benchmarks/browser';
const HERE = fileURLToPath(new URL('./', import.meta.url));

/** The time for which a browser starts threads and processes. */
const START_UP_MS = 1000;

/** Extra time for a run: after it a page that its own watchdog has not ended counts as hung. */
const GRACE_MS = 60_000;

/* Files that the page shares with Node's benchmarks may import Node's modules, for functions that no page calls. The watchdog is
 * replaced. */
/** @type {import('esbuild').Plugin} */
const withoutNode = {
    name: 'without Node',
    setup(build) {
        build.onResolve({ filter: new RegExp(`^(node:.*|${builtinModules.join('|')})$`) }, ({ path }) => ({
            path,
            namespace: 'node',
        }));
        build.onLoad({ filter: /.*/, namespace: 'node' }, () => ({ contents: 'module.exports = {};' }));
        build.onLoad({ filter: /\bwatchdog\.js$/ }, () => ({
            contents: 'export const GRACE_SECONDS = 30, watched = (what, arena, seconds, run) => run();',
        }));
    },
};

/**
 * Serves the scripts of the page and its workers, and what they load later, each in a bundle, since a browser neither finds
 * packages by name nor has Node's modules. Nothing is minified or lowered to older syntax.
 */
async function serveBundles() {
    const { outputFiles } = await build({
        entryPoints: ['page.js', '../worker.js'].map((name) => `${HERE}${name}`),
        entryNames: '[name]',
        outdir: HERE, // names the files; nothing is written there
        write: false,
        bundle: true,
        splitting: true,
        format: 'esm',
        platform: 'browser',
        target: 'esnext',
        plugins: [withoutNode],
        logLevel: 'error',
    });
    await stop(); // ends esbuild's process, which would run beside the measurement
    const scripts = outputFiles.map(({ path, text }) => [`/${FOLDER}/${basename(path)}`, text]);
    return serve({ folders: ['tests/browser'], scripts: Object.fromEntries(scripts) });
}

/**
 * Starts a browser and the server of its pages.
 * @param {MeasuredBrowser} name @param {number} seconds that a run takes
 * @throws {import('../../browsers/launch.js').NoBrowserError} if there is none
 */
export async function openBrowser(name, seconds) {
    const browser = await launchBrowser(name, { protocolTimeout: seconds * 1000 + GRACE_MS });
    const server = await serveBundles();
    const page = await browser.newPage();
    const startedUp = sleep(START_UP_MS);

    /**
     * Calls a function of page.js in a new document, so that no run is affected by what an earlier one has left behind.
     * Not in a new tab: then Firefox starts a process for the next tab, which takes a core from the measurement
     * (99th percentile of a bare wake of the page: 3 ms instead of 0.15 ms).
     * @template {keyof typeof import('./page.js')} Name
     * @param {Name} name @param {Parameters<(typeof import('./page.js'))[Name]>} words
     */
    const call = async (name, ...words) => {
        await page.goto(`${server.origin}/tests/browser/blank.html`);
        return page.evaluate(
            async (address, name, ...words) => (await import(address))[name](...words),
            `/${FOLDER}/page.js`,
            name,
            ...words,
        );
    };

    return {
        title: TITLES[name],
        /** For example 156.0 of Chrome/156.0.8078.79. */
        version: /\/(\d+\.\d+)/.exec(await browser.version())?.[1] ?? '',

        /** @type {typeof import('../contestants.js').admit} */
        admit: (...words) => call('admit', ...words),

        /**
         * @template {ContendedRun | MessageRun} R
         * @param {R} run @returns {Promise<R extends ContendedRun ? import('../contended-run.js').Measured
         *     : import('../messages-run.js').Exchanged>}
         */
        async run(run) {
            await startedUp;
            try {
                return /** @type {any} */ (
                    await ('way' in run ? call('exchange', run) : call('runContended', run))
                );
            } catch (error) {
                // If the protocol times out, the page's main thread hangs, and nothing can read its words.
                throw new Error(`${name}: ${JSON.stringify(run)}: ${error}`, { cause: error });
            }
        },

        async close() {
            await browser.close();
            await server.close();
        },
    };
}

/**
 * Measures in each installed browser, by its name; in a short run, in the first one only.
 * @param {boolean} full @param {(name: MeasuredBrowser) => Promise<import('../figures.js').Results>} measure
 * @returns {Promise<Required<import('../figures.js').Results>>}
 */
export async function inBrowsers(full, measure) {
    const names = /** @type {MeasuredBrowser[]} */ (Object.keys(MEASURED_BROWSERS));
    const results = [];
    for (const name of full ? names : names.slice(0, 1)) {
        try {
            results.push(await measure(name));
        } catch (error) {
            if (!(error instanceof NoBrowserError)) {
                throw error;
            }
            process.stderr.write(`bench: ${error.message}; continuing without it\n`);
        }
    }
    return {
        figures: results.flatMap(({ figures }) => figures),
        series: results.flatMap(({ series = [] }) => series),
    };
}

/**
 * Opens and closes each browser that inBrowsers chooses, and calls `measure` with it.
 * @param {import('../scenarios.js').Options} options
 * @param {(browser: Awaited<ReturnType<typeof openBrowser>>) => Promise<import('../figures.js').Results>} measure
 */
export function inOpenBrowsers({ full, seconds }, measure) {
    return inBrowsers(full, async (name) => {
        const browser = await openBrowser(name, seconds);
        try {
            return await measure(browser);
        } finally {
            await browser.close();
        }
    });
}
