/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { get } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { BROWSER_NAMES, launchBrowser } from '../../browsers/launch.js';
import { startServer } from '../../demo/server.mjs';

/** @typedef {import('../../browsers/launch.js').Page} Page */

/**
 * @param {Page} page
 * @returns {string[]} what goes wrong on it, from now on
 */
function complaintsOf(page) {
    /** @type {string[]} */
    const complaints = [];
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    return complaints;
}

/**
 * Waits until the element is seen, and says that.
 * @param {Page} page
 * @param {string} selector
 * @param {RegExp} [text] a part of its text
 */
async function appears(page, selector, text = /./) {
    const saysIt = (/** @type {string} */ selector, /** @type {string} */ text) => {
        const element = document.querySelector(selector);
        return element?.checkVisibility() && new RegExp(text).test(element.textContent);
    };
    await page.waitForFunction(saysIt, {}, selector, text.source);
}

/**
 * @param {Page} page
 * @param {string} selector
 * @returns {Promise<string>}
 */
function textOf(page, selector) {
    return page.$eval(selector, (element) => element.textContent);
}

/**
 * @param {Page} page
 * @param {string} selector of an element
 * @param {string} state that it is in or not, as a selector
 */
function isIn(page, selector, state) {
    return page.$eval(selector, (element, selector) => element.matches(selector), state);
}

/**
 * Waits until the figures are there and workers run sections.
 * @param {Page} page
 */
async function figuresRun(page) {
    await appears(page, '#sections', /[1-9]/);
    await appears(page, '#median', /ms/);
}

/**
 * The answer to exactly this path, which fetch would tidy up first.
 * @param {string} origin
 * @param {string} path
 */
async function answerTo(origin, path) {
    const request = get(origin, { path });
    const [response] = await once(request, 'response');
    response.resume();
    return { status: response.statusCode, location: response.headers.location };
}

/** @param {import('../../browsers/launch.js').BrowserName} name */
function demoPageTests(name) {
    /** @type {import('../../browsers/launch.js').Browser} */
    let browser;

    before(async () => {
        browser = await launchBrowser(name);
    });

    after(() => browser?.close());

    test('demo page: figures run with both locks, by keyboard, and no update is lost', async () => {
        const server = await startServer();
        const page = await browser.newPage();
        const complaints = complaintsOf(page);
        try {
            await page.goto(server.origin);
            assert.equal(page.url(), server.page);
            await figuresRun(page);
            await page.focus('input[value=holdfast]');
            await page.keyboard.press('ArrowRight');
            assert.equal(await isIn(page, 'input[value=textbook]', ':checked'), true);
            await page.keyboard.press('Tab');
            await page.keyboard.press('ArrowRight');
            assert.equal(await textOf(page, '#workers-value'), '3');
            await figuresRun(page);
            await appears(page, '#lost', /Updates lost: 0\./);
            await page.focus('#pause');
            await page.keyboard.press('Enter');
            assert.equal(await textOf(page, '#pause'), 'Start');
            assert.deepEqual(complaints, []);
        } finally {
            await page.close();
            await server.close();
        }
    });

    test('demo page: without the isolation headers it says which ones are missing', async () => {
        const server = await startServer({ isolated: false });
        const page = await browser.newPage();
        const complaints = complaintsOf(page);
        try {
            await page.goto(server.page);
            await appears(page, '#notice');
            const notice = await textOf(page, '#notice');
            assert.match(notice, /Cross-Origin-Opener-Policy: same-origin/);
            assert.match(notice, /Cross-Origin-Embedder-Policy: require-corp/);
            assert.equal(await isIn(page, '#pause', ':disabled'), true);
            assert.deepEqual(complaints, []);
        } finally {
            await page.close();
            await server.close();
        }
    });
}

for (const name of BROWSER_NAMES) {
    describe(`in ${name}`, () => demoPageTests(name));
}

test('demo server: only the folders of the page are served', async () => {
    const server = await startServer();
    try {
        for (const path of [
            '/package.json',
            '/demo/../package.json',
            '/demo/..%2fpackage.json',
            '/.git/HEAD',
        ]) {
            assert.equal((await answerTo(server.origin, path)).status, 404, path);
        }
        const { headers } = await fetch(`${server.origin}/js-glue/index.js`);
        assert.match(headers.get('content-type') ?? '', /javascript/);
        assert.equal(headers.get('cross-origin-opener-policy'), 'same-origin');
        assert.equal(headers.get('cross-origin-embedder-policy'), 'require-corp');
    } finally {
        await server.close();
    }
});

test('demo server: addresses that are almost the page lead to it', async () => {
    const server = await startServer();
    try {
        for (const [path, location] of /** @type {[string, string][]} */ ([
            ['/', '/demo/page/'],
            ['/?x=1', '/demo/page/?x=1'],
            ['/demo/page', '/demo/page/'],
            ['/demo/page?x=1', '/demo/page/?x=1'],
        ])) {
            assert.deepEqual(await answerTo(server.origin, path), { status: 302, location }, path);
        }
        for (const path of ['/demo/page/', '/demo/page/?x=1']) {
            assert.equal((await answerTo(server.origin, path)).status, 200, path);
        }
        assert.equal((await answerTo(server.origin, '//demo/page')).status, 404);
    } finally {
        await server.close();
    }
});
