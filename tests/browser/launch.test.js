/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { BROWSER_NAMES, launchBrowser, NoBrowserError } from '../../browsers/launch.js';
import { BROWSERS } from '../../scripts/system-packages.mjs';
import { ONLY_IN_ALL } from '../support/tier.js';

const LONGEST_LOAD_MS = 3000;

/** A width in pixels, narrower than the default. */
const NARROW = 600;

// Browsers that test.mjs shares are already running.
for (const name of Object.keys(process.env).filter((each) => each.startsWith('HOLDFAST_SHARED_'))) {
    delete process.env[name];
}

for (const name of BROWSER_NAMES) {
    test(`browsers: if ${name} is missing, the error says what to install or to set`, async (t) => {
        const { PATH, [BROWSERS[name].variable]: other } = process.env;
        t.after(() => Object.assign(process.env, { PATH }, other && { [BROWSERS[name].variable]: other }));
        process.env.PATH = '';
        delete process.env[BROWSERS[name].variable];
        await assert.rejects(launchBrowser(name), (error) => {
            assert.ok(error instanceof NoBrowserError);
            assert.ok(error.message.includes(BROWSERS[name].debianPackage), error.message);
            assert.ok(error.message.includes(BROWSERS[name].variable), error.message);
            return true;
        });
    });
}

test('browsers: if webkit finds no display, the error says what to install or to set', async (t) => {
    const { PATH, HOLDFAST_WEBKIT, HOLDFAST_XVFB } = process.env;
    const before = Object.entries({ PATH, HOLDFAST_WEBKIT, HOLDFAST_XVFB });
    t.after(() => {
        for (const [name, value] of before) {
            delete process.env[name];
            Object.assign(process.env, value !== undefined && { [name]: value });
        }
    });
    Object.assign(process.env, { PATH: '', HOLDFAST_WEBKIT: process.execPath });
    delete process.env.HOLDFAST_XVFB;
    await assert.rejects(launchBrowser('webkit'), (error) => {
        assert.ok(error instanceof NoBrowserError);
        assert.match(error.message, /set HOLDFAST_XVFB to its path, or .*apt-get install xvfb$/);
        return true;
    });
});

test('browsers: a page that WebKit does not finish loading is loaded again', ONLY_IN_ALL, async (t) => {
    let asked = 0;
    const server = createServer((request, response) => {
        asked += request.url === '/' ? 1 : 0;
        if (asked > 1) {
            response.end('loaded');
        }
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const browser = await launchBrowser('webkit', { protocolTimeout: LONGEST_LOAD_MS });
    t.after(async () => {
        await browser.close();
        server.closeAllConnections();
        server.close();
    });
    const page = await browser.newPage();
    await page.setViewport({ width: NARROW, height: 700 });
    const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
    await page.goto(`http://127.0.0.1:${port}/`);
    assert.equal(await page.evaluate('document.body.textContent'), 'loaded');
    assert.equal(await page.evaluate('outerWidth'), NARROW, 'the other window is as wide');
    assert.equal(asked, 2);
});
