/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { launch } from 'puppeteer-core';
import { BROWSERS } from '../scripts/system-packages.mjs';

/** @typedef {import('puppeteer-core').Browser} Browser */
/** @typedef {import('puppeteer-core').Page} Page */
/** @typedef {keyof typeof BROWSERS} BrowserName */

/* No sandbox, since tests run as root in containers; the others keep the browser from the network. */
const CHROMIUM_ARGUMENTS = [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
];

/** @type {Record<BrowserName, import('puppeteer-core').LaunchOptions>} */
const OPTIONS = {
    chromium: { browser: 'chrome', args: CHROMIUM_ARGUMENTS },
    firefox: { browser: 'firefox' },
};

export const BROWSER_NAMES = /** @type {BrowserName[]} */ (Object.keys(BROWSERS));

export class NoBrowserError extends Error {
    /** @override */
    name = 'NoBrowserError';
}

/**
 * The system's browser of that name, headless.
 *
 * @param {BrowserName} name
 * @param {import('puppeteer-core').LaunchOptions} [options] further ones
 * @throws {NoBrowserError} if there is none
 */
export async function launchBrowser(name, options = {}) {
    const { debianPackage, find, variable } = BROWSERS[name];
    const executablePath = find();
    if (executablePath === undefined) {
        throw new NoBrowserError(
            `there is no ${name} here: set ${variable}, or install it; on Debian: apt-get install ${debianPackage}`,
        );
    }
    return launch({ ...OPTIONS[name], ...options, executablePath, headless: true });
}
