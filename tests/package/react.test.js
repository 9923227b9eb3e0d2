/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* docs/start/react.md, followed with the packed package: what it shows is written into an app, served by Vite in both ways, and
 * opened in Chromium. React and Vite are fetched from npm into build/react. */
import assert from 'node:assert/strict';
import { copyFileSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { build as bundle } from 'esbuild';
import { launchBrowser } from '../../browsers/launch.js';
import { ensureNodeModules } from '../../scripts/setup.mjs';
import { blocksOf, filesOf, ROOT } from '../support/documents.js';
import { initProject, installInto, pack } from '../support/packed-package.js';

const DOCUMENT = 'docs/start/react.md';
const SOURCE = join(ROOT, 'tests', 'package', 'react');
const BUILD = join(ROOT, 'build', 'react');
const APP = join(BUILD, 'app');
const WORKER_COUNTS = 1000;
const LIMIT_MS = 20_000;

/** @type {any} */
let vite;
/** @type {import('../../browsers/launch.js').Browser} */
let browser;

before(async () => {
    mkdirSync(BUILD, { recursive: true });
    for (const file of ['package.json', 'package-lock.json', '.npmrc']) {
        copyFileSync(join(SOURCE, file), join(BUILD, file));
    }
    ensureNodeModules(BUILD);
    rmSync(APP, { recursive: true, force: true });
    initProject(APP);
    const packed = join(APP, 'packed');
    mkdirSync(packed);
    installInto(pack(packed), APP);
    for (const file of readdirSync(SOURCE).filter((name) => /\.(jsx|html)$/.test(name))) {
        cpSync(join(SOURCE, file), join(APP, file));
    }
    for (const [name, text] of filesOf(DOCUMENT)) {
        writeFileSync(join(APP, name), text);
    }
    const viteFile = createRequire(join(BUILD, 'package.json')).resolve('vite');
    vite = await import(String(pathToFileURL(viteFile)));
    browser = await launchBrowser('chromium');
});

after(() => browser?.close());

const SETTINGS = { root: APP, configFile: join(APP, 'vite.config.mjs'), logLevel: 'error' };
const PLACE = { host: '127.0.0.1', port: 0 };

/**
 * Opens a page, and closes it with its server.
 *
 * @param {any} server of Vite
 * @param {string} path
 * @param {(page: import('../../browsers/launch.js').Page) => Promise<void>} look
 */
async function visit(server, path, look) {
    const page = await browser.newPage();
    /** @type {string[]} */
    const errors = [];
    page.on('pageerror', (error) => errors.push(String(error)));
    try {
        await page.goto(server.resolvedUrls.local[0] + path);
        await look(page);
        assert.deepEqual(errors, []);
    } catch (error) {
        throw new Error(`${path}: ${errors.join('\n')}`, { cause: error });
    } finally {
        await page.close();
        await server.close();
    }
}

/** @param {import('../../browsers/launch.js').Page} page @param {number} count */
async function waitForCount(page, count) {
    const shows = (/** @type {string} */ text) => document.querySelector('button')?.textContent === text;
    await page.waitForFunction(shows, { timeout: LIMIT_MS }, String(count));
}

/** @param {import('../../browsers/launch.js').Page} page */
async function assertCounts(page) {
    await waitForCount(page, WORKER_COUNTS);
    await page.evaluate(() => document.querySelector('button')?.click());
    await waitForCount(page, WORKER_COUNTS + 1);
}

async function developed() {
    return (await vite.createServer({ ...SETTINGS, server: PLACE })).listen();
}

test('react: the document installs the tested packages', () => {
    const [install] = blocksOf(DOCUMENT).filter(({ text }) => text.startsWith('npm init'));
    const words = Array.from(install?.text.matchAll(/^npm install (.*)$/gm) ?? [], ([, names]) => names);
    const packages = words.flatMap((names = '') => names.split(' ')).filter((word) => !word.startsWith('--'));
    const { devDependencies } = JSON.parse(readFileSync(join(SOURCE, 'package.json'), 'utf8'));
    assert.deepEqual(packages.sort(), ['holdfast', ...Object.keys(devDependencies)].sort());
});

test('react: index.html and app.jsx count with a worker in development', async () => {
    await visit(await developed(), '', assertCounts);
});

test('react: index.html and app.jsx count with a worker when built with vite.config.mjs', async () => {
    await vite.build(SETTINGS);
    await visit(await vite.preview({ ...SETTINGS, preview: PLACE }), '', assertCounts);
});

test('react: use-own-mutex.jsx frees its lock when the component unmounts', async () => {
    await visit(await developed(), 'mounts.html', async (page) => {
        await page.waitForFunction('globalThis.outcome !== undefined', { timeout: LIMIT_MS });
        const { mounts, places } = await page.evaluate(() => /** @type {any} */ (globalThis).outcome);
        // An old and a new component may exist at the same time, each twice in StrictMode.
        assert.ok(places <= 4, `${places} places for ${mounts} components`);
    });
});

test('react: unguarded.jsx makes a lock at each render, and never runs out of space', async () => {
    const outfile = join(APP, 'renders.cjs');
    const entryPoints = [join(APP, 'renders.jsx')];
    await bundle({ entryPoints, outfile, bundle: true, platform: 'node', format: 'cjs', jsx: 'automatic' });
    assert.equal(createRequire(import.meta.url)(outfile).renderMany(), 10_000);
});
