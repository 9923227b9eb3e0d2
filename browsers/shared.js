/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { connect } from 'puppeteer-core';

/* Shares a browser among several programs, one after the other: a start of Firefox takes five seconds of a processor. */

/** @typedef {import('puppeteer-core').Browser} Browser */

/** The environment variable with the browser's address. @param {string} name */
const variableOf = (name) => `HOLDFAST_SHARED_${name.toUpperCase()}`;

/**
 * Shares a browser with the programs that get this environment.
 *
 * @param {string} name
 * @param {Browser} browser
 * @returns {Promise<{ environment: Record<string, string>, end: () => void }>}
 */
export async function share(name, browser) {
    const child = browser.process();
    const environment = {
        [variableOf(name)]: browser.wsEndpoint(),
        [`${variableOf(name)}_ID`]: `${child?.pid}`, // scripts/test-times.mjs reads the process id
    };
    await browser.disconnect(); // Firefox accepts one program at a time
    return { environment, end: () => void child?.kill() };
}

/**
 * @param {string} name
 * @param {import('puppeteer-core').ConnectOptions} options
 * @returns {Promise<Browser | undefined>} the shared browser, in which this program has its own pages, caches
 * and storage
 */
export async function sharedBrowser(name, options) {
    const browserWSEndpoint = process.env[variableOf(name)];
    if (browserWSEndpoint === undefined) {
        return undefined;
    }
    const protocol = name === 'firefox' ? 'webDriverBiDi' : 'cdp';
    // If the shared browser is gone, as after a crash, the program starts its own.
    const browser = await connect({ ...options, browserWSEndpoint, protocol }).catch(() => undefined);
    if (browser === undefined) {
        return undefined;
    }
    const own = browser.defaultBrowserContext();
    const left = browser.browserContexts().filter((context) => context !== own);
    await Promise.all(left.map((context) => context.close())); // left by a program that was terminated
    const context = await browser.createBrowserContext();
    return Object.assign(browser, {
        newPage: () => context.newPage(),
        async close() {
            await context.close();
            await browser.disconnect();
        },
    });
}
