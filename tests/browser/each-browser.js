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

/** A page took 30 s to load, the driver's own limit, beside a load of 14. */
const LONGEST_LOAD_MS = 120_000;

/** @param {import('../../browsers/launch.js').Browser} browser */
async function openTab(browser) {
    const page = await browser.newPage();
    page.setDefaultNavigationTimeout?.(LONGEST_LOAD_MS); // WebKit's driver has no limit
    return page;
}

/**
 * Opens a page for as long as it is used.
 *
 * @template T
 * @param {import('../../browsers/launch.js').Browser} browser
 * @param {(page: Page) => Promise<T>} use
 */
export async function withPage(browser, use) {
    await closeIdleTab(browser);
    const page = await openTab(browser);
    try {
        return await use(page);
    } finally {
        await page.close();
    }
}

/**
 * Open tabs that are not in use. A new tab costs half a second of a core, another document in a tab a tenth
 * of that.
 */
/** @type {WeakMap<import('../../browsers/launch.js').Browser, Page>} */
const idleTabs = new WeakMap();

/** A tab behind another one gets no frames. @param {import('../../browsers/launch.js').Browser} browser */
async function closeIdleTab(browser) {
    const tab = idleTabs.get(browser);
    idleTabs.delete(browser);
    await tab?.close();
}

/**
 * Uses an empty page of the server's own origin, in a tab that may have been used before.
 *
 * @template T
 * @param {import('../../browsers/launch.js').Browser} browser
 * @param {{ origin: string }} server of this repository's folders
 * @param {(page: Page) => Promise<T>} use
 */
export async function onPage(browser, { origin }, use) {
    const tab = idleTabs.get(browser) ?? (await openTab(browser));
    idleTabs.delete(browser);
    try {
        await tab.goto(`${origin}/tests/browser/blank.html`);
        const result = await use(tab);
        if (!idleTabs.has(browser)) {
            idleTabs.set(browser, tab);
        }
        return result;
    } finally {
        if (idleTabs.get(browser) !== tab) {
            await tab.close();
        }
    }
}

/** Ends what tests left on the idle tab. @param {import('../../browsers/launch.js').Browser | undefined} browser */
const rest = async (browser) => void (await (browser && idleTabs.get(browser))?.goto('about:blank'));

/**
 * Opens one page for all tests of a place, until one fails: a document and its modules take longer than a small test.
 *
 * @param {Place} place
 * @param {() => { origin: string }} serverOf once tests run
 * @returns {<T>(use: (page: Page) => Promise<T>) => Promise<T>}
 */
export function onOnePage(place, serverOf) {
    /** @type {Page | undefined} */
    let opened;
    after(() => opened?.close());
    return async (use) => {
        if (opened === undefined) {
            await closeIdleTab(place.browser);
            opened = await openTab(place.browser);
            await opened.goto(`${serverOf().origin}/tests/browser/blank.html`);
        }
        try {
            return await use(opened);
        } catch (error) {
            await opened.close();
            opened = undefined;
            throw error;
        }
    };
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

/** @type {BrowserName[]} */
const QUICK_NAMES = ['chromium', 'firefox'];

/** HOLDFAST_BROWSERS=firefox leaves out the others. @param {BrowserName} name */
const isWanted = (name) => process.env['HOLDFAST_BROWSERS']?.includes(name) ?? true;

/**
 * Each browser is started once for all tests of this process: a start costs two seconds of a processor.
 *
 * @type {Map<BrowserName, Promise<import('../../browsers/launch.js').Browser>>}
 */
const shared = new Map();

/** @param {BrowserName} name */
function sharedBrowser(name) {
    const browser = shared.get(name) ?? launchBrowser(name);
    shared.set(name, browser);
    return browser;
}

async function closeShared() {
    const ends = [...shared.values()].map(async (browser) => (await browser).close());
    shared.clear();
    await Promise.allSettled(ends); // a browser that did not start has failed its tests
}

/**
 * Defines tests for every browser. Each browser is started once for all of them, or for all tests of the process if it has no
 * options. The quick tier leaves out WebKit, and other browsers if the tests say so.
 *
 * @param {(place: Place) => void} defineTests
 * @param {LaunchOptions & { quickly?: BrowserName[] }} [options] quickly: the browsers of the quick tier
 */
export function inEachBrowser(defineTests, { quickly = QUICK_NAMES, ...options } = {}) {
    const isShared = Object.keys(options).length === 0;
    after(closeShared);
    for (const name of (isQuick ? quickly : BROWSER_NAMES).filter(isWanted)) {
        describe(`in ${name}`, () => {
            const place = { name, browser: /** @type {any} */ (undefined) };
            before(async () => {
                place.browser = await (isShared ? sharedBrowser(name) : launchBrowser(name, options));
            });
            after(() => (isShared ? rest(place.browser) : place.browser?.close()));
            defineTests(place);
        });
    }
}
