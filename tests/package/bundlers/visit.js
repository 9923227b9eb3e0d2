/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { setTimeout as pause } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';

const LIMIT_MS = 20_000;
const LOOK_AGAIN_MS = 20;

/** @typedef {import('../../../browsers/launch.js').Page} Page */

/** @param {Page} page */
async function outcomeIn(page) {
    try {
        return await page.evaluate(() => /** @type {any} */ (globalThis).outcome);
    } catch {
        return undefined; // it reloads itself, as development servers make it do
    }
}

/**
 * The gzipped bytes of script that the page itself loaded, without those of its workers, which it requests
 * separately.
 *
 * @param {Page} page
 */
async function scriptBytesOf(page) {
    const addresses = await page.evaluate(() =>
        performance
            .getEntriesByType('resource')
            .filter((entry) => /** @type {PerformanceResourceTiming} */ (entry).initiatorType === 'script')
            .map(({ name }) => name),
    );
    const loads = [...new Set(addresses)].map(async (address) => (await fetch(address)).arrayBuffer());
    return (await Promise.all(loads)).reduce((sum, script) => sum + gzipSync(script).length, 0);
}

/**
 * Opens a page and waits until it reports its outcome by a global variable. It asks for the variable again and again:
 * Puppeteer's own wait compiles its condition, which some tested policies forbid.
 *
 * @param {import('../../../browsers/launch.js').Browser} browser
 * @param {string} address
 * @returns {Promise<{ outcome: any, scriptBytes: number }>}
 */
export async function visit(browser, address) {
    const page = await browser.newPage();
    /** @type {string[]} */
    const words = [];
    page.on('console', (message) => words.push(message.text()));
    page.on('pageerror', (error) => words.push(String(error)));
    try {
        await page.goto(address);
        const end = performance.now() + LIMIT_MS;
        let outcome;
        while ((outcome = await outcomeIn(page)) === undefined) {
            if (performance.now() > end) {
                throw new Error(`${address}: no outcome within ${LIMIT_MS} ms\n${words.join('\n')}`);
            }
            await pause(LOOK_AGAIN_MS);
        }
        return { outcome, scriptBytes: await scriptBytesOf(page) };
    } finally {
        await page.close();
    }
}
