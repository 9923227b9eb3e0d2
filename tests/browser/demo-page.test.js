/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { get } from 'node:http';
import { after, before, test } from 'node:test';
import { startServer } from '../../demo/server.mjs';
import { launchChromium } from './chromium.js';

/** @type {import('playwright-core').Browser} */
let browser;

before(async () => {
    browser = await launchChromium();
});

after(() => browser?.close());

/**
 * @param {import('playwright-core').Page} page
 * @returns {string[]} what goes wrong on it, from now on
 */
function complaintsOf(page) {
    /** @type {string[]} */
    const complaints = [];
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    return complaints;
}

/**
 * Waits until the figures are there and workers run sections.
 * @param {import('playwright-core').Page} page
 */
async function figuresRun(page) {
    const sections = /[1-9]/;
    await page.locator('#sections', { hasText: sections }).waitFor();
    await page.locator('#median', { hasText: 'ms' }).waitFor();
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
        assert.equal(await page.isChecked('input[value=textbook]'), true);
        await page.keyboard.press('Tab');
        await page.keyboard.press('ArrowRight');
        assert.equal(await page.textContent('#workers-value'), '3');
        await figuresRun(page);
        await page.locator('#lost', { hasText: 'Updates lost: 0.' }).waitFor();
        await page.focus('#pause');
        await page.keyboard.press('Enter');
        assert.equal(await page.textContent('#pause'), 'Start');
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
        await page.locator('#notice').waitFor();
        const notice = (await page.textContent('#notice')) ?? '';
        assert.match(notice, /Cross-Origin-Opener-Policy: same-origin/);
        assert.match(notice, /Cross-Origin-Embedder-Policy: require-corp/);
        assert.equal(await page.isDisabled('#pause'), true);
        assert.deepEqual(complaints, []);
    } finally {
        await page.close();
        await server.close();
    }
});

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
