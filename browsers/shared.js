/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { connect } from 'puppeteer-core';

/* A browser for several programs, one after the other: Firefox takes five seconds of a processor to start. */

/** @typedef {import('puppeteer-core').Browser} Browser */

/** The variable that has the browser's address. @param {string} name */
const variableOf = (name) => `HOLDFAST_SHARED_${name.toUpperCase()}`;

/**
 * Leaves a browser to the programs that get this environment.
 *
 * @param {string} name
 * @param {Browser} browser
 * @returns {Promise<{ environment: Record<string, string>, end: () => void }>}
 */
export async function share(name, browser) {
    const child = browser.process();
    const environment = {
        [variableOf(name)]: browser.wsEndpoint(),
        [`${variableOf(name)}_ID`]: `${child?.pid}`, // for scripts/test-times.mjs
    };
    await browser.disconnect(); // Firefox has one program at a time
    return { environment, end: () => void child?.kill() };
}

/**
 * @param {string} name
 * @param {import('puppeteer-core').ConnectOptions} options
 * @returns {Promise<Browser | undefined>} the one that this program shares, with pages, caches and storage of its own
 */
export async function sharedBrowser(name, options) {
    const browserWSEndpoint = process.env[variableOf(name)];
    if (browserWSEndpoint === undefined) {
        return undefined;
    }
    const protocol = name === 'firefox' ? 'webDriverBiDi' : 'cdp';
    // Without it, as after a crash, the program starts its own.
    const browser = await connect({ ...options, browserWSEndpoint, protocol }).catch(() => undefined);
    if (browser === undefined) {
        return undefined;
    }
    const own = browser.defaultBrowserContext();
    const left = browser.browserContexts().filter((context) => context !== own);
    await Promise.all(left.map((context) => context.close())); // of a program that was ended
    const context = await browser.createBrowserContext();
    return Object.assign(browser, {
        newPage: () => context.newPage(),
        async close() {
            await context.close();
            await browser.disconnect();
        },
    });
}
