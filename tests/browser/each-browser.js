/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { after, before, describe } from 'node:test';
import { BROWSER_NAMES, launchBrowser } from '../../browsers/launch.js';
import { isQuick } from '../support/tier.js';

/**
 * @typedef {import('../../browsers/launch.js').Page} Page
 * @typedef {import('../../browsers/launch.js').BrowserName} BrowserName
 * @typedef {import('../../browsers/launch.js').LaunchOptions} LaunchOptions
 */

/**
 * Opens a page for as long as it is used.
 *
 * @template T
 * @param {import('../../browsers/launch.js').Browser} browser
 * @param {(page: Page) => Promise<T>} use
 */
export async function withPage(browser, use) {
    const page = await browser.newPage();
    try {
        return await use(page);
    } finally {
        await page.close();
    }
}

/**
 * The same, of a page of the server's own origin with nothing on it.
 *
 * @template T
 * @param {import('../../browsers/launch.js').Browser} browser
 * @param {{ origin: string }} server of this repository's folders
 * @param {(page: Page) => Promise<T>} use
 */
export function onPage(browser, { origin }, use) {
    return withPage(browser, async (page) => {
        await page.goto(`${origin}/tests/browser/blank.html`);
        return use(page);
    });
}

/**
 * Calls a function of a module on the page.
 *
 * @param {Page} page
 * @param {string} address of the module
 * @param {string} entry the function's name
 * @param {unknown} [argument] plain data
 * @returns {Promise<any>} plain data
 */
export function callOn(page, address, entry, argument) {
    return page.evaluate(
        async (address, entry, argument) => {
            const functions = await import(address);
            return functions[entry](argument);
        },
        address,
        entry,
        argument,
    );
}

/**
 * @typedef {object} Place where tests run
 * @property {BrowserName} name
 * @property {import('../../browsers/launch.js').Browser} browser once they run
 */

const NAMES = isQuick ? BROWSER_NAMES.filter((name) => name !== 'webkit') : BROWSER_NAMES;

/**
 * Tests that every browser has to pass, each browser started once for all of them. The quick tier leaves out WebKit.
 *
 * @param {(place: Place) => void} defineTests
 * @param {LaunchOptions} [options]
 */
export function inEachBrowser(defineTests, options) {
    for (const name of NAMES) {
        describe(`in ${name}`, () => {
            const place = { name, browser: /** @type {any} */ (undefined) };
            before(async () => {
                place.browser = await launchBrowser(name, options);
            });
            after(() => place.browser?.close());
            defineTests(place);
        });
    }
}
