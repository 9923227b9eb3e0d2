/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { launch } from 'puppeteer-core';
import { BROWSERS, DISPLAY_SERVER } from '../scripts/system-packages.mjs';
import { sharedBrowser } from './shared.js';
import { launchWebKit } from './webkit.js';

/**
 * The part of puppeteer's interface to a browser and its pages that all of our browsers have.
 *
 * @typedef {import('puppeteer-core').Page} PuppeteerPage
 * @typedef {Pick<PuppeteerPage, 'goto' | 'url' | 'evaluate' | 'waitForFunction' | '$eval' | 'focus' | 'setViewport'
 *     | 'on' | 'close'> & Partial<Pick<PuppeteerPage, 'setDefaultNavigationTimeout'>> & { keyboard: Pick<PuppeteerPage['keyboard'], 'press'> }} Page
 * @typedef {{ newPage: () => Promise<Page>, version: () => Promise<string>, close: () => Promise<void> }} Browser
 * @typedef {keyof typeof BROWSERS} BrowserName
 *
 * @typedef {object} LaunchOptions
 * @property {number} [timeout] milliseconds after which a browser that has not started is an error
 * @property {number} [protocolTimeout] milliseconds after which a call that has not returned is an error
 * @property {string[]} [ignoreDefaultArgs] those of the driver's own arguments that Chromium starts without
 */

/* No sandbox, since tests run as root in containers. Each window would make the address bar's suggestions, a second page, which
 * costs a second of a processor. The other arguments keep the browser off the network. */
const CHROMIUM_ARGUMENTS = [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    '--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup',
];

/** @type {Record<BrowserName, (executablePath: string, options: LaunchOptions) => Promise<Browser>>} */
const STARTS = {
    chromium: (executablePath, options) =>
        launch({ ...options, executablePath, browser: 'chrome', args: CHROMIUM_ARGUMENTS }),
    firefox: (executablePath, options) => launch({ ...options, executablePath, browser: 'firefox' }),
    webkit: (driver, options) => launchWebKit(driver, pathOf('Xvfb', DISPLAY_SERVER), options),
};

/** A start from a cold disk took 20 s on an idle machine; puppeteer's own limit is 30 s. */
const LONGEST_START_MS = 180_000;

export const BROWSER_NAMES = /** @type {BrowserName[]} */ (Object.keys(BROWSERS));

export class NoBrowserError extends Error {
    /** @override */
    name = 'NoBrowserError';
}

/**
 * @param {string} name
 * @param {import('../scripts/system-packages.mjs').ProgramNeed} need
 */
function pathOf(name, { find, variable, debianPackage }) {
    const path = find();
    if (path === undefined) {
        throw new NoBrowserError(
            `${name} was not found: set ${variable} to its path, or install it; on Debian: apt-get install ${debianPackage}`,
        );
    }
    return path;
}

/**
 * Starts the system's browser of that name, headless; or, without arguments of its own, connects to the browser that this program
 * shares (shared.js).
 *
 * @overload
 * @param {'chromium' | 'firefox'} name
 * @param {LaunchOptions} [options]
 * @returns {Promise<import('puppeteer-core').Browser>}
 * @throws {NoBrowserError} if there is none
 *
 * @overload
 * @param {BrowserName} name
 * @param {LaunchOptions} [options]
 * @returns {Promise<Browser>}
 * @throws {NoBrowserError} if there is none
 *
 * @param {BrowserName} name
 * @param {LaunchOptions} [options]
 */
export async function launchBrowser(name, options = {}) {
    const shared = options.ignoreDefaultArgs ? undefined : await sharedBrowser(name, options);
    if (shared !== undefined) {
        return shared;
    }
    return STARTS[name](pathOf(name, BROWSERS[name]), { timeout: LONGEST_START_MS, ...options });
}
