/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* A hidden page, whose timers the browser slows down. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launchBrowser } from '../../browsers/launch.js';
import { serve } from '../../browsers/serve.js';
import { callOn, onPage } from './each-browser.js';

/** Options by which the driver keeps Chromium from slowing timers down. */
const UNREAL = [
    '--disable-background-timer-throttling',
    '--disable-backgrounding-occluded-windows',
    '--disable-renderer-backgrounding',
];
const ROUNDS = 9;
const MIDDLE = 4;

/** @type {Awaited<ReturnType<typeof serve>>} */
let server;
/** @type {import('puppeteer-core').Browser} */
let browser;
before(async () => {
    server = await serve({ folders: ['js-glue', 'tests/browser'] });
    browser = await launchBrowser('chromium', { ignoreDefaultArgs: UNREAL });
});
after(() => Promise.all([server?.close(), browser?.close()]));

test('hidden page, in chromium: a wait ends soon after a lost wake-up, although timers of the page are late', (t) =>
    onPage(browser, server, async (page) => {
        const other = await browser.newPage();
        await other.bringToFront();
        const seen = await callOn(page, '/tests/browser/hidden.js', 'lateTimers', { rounds: ROUNDS });
        await other.close();
        const { hidden, times } =
            /** @type {Awaited<ReturnType<typeof import('./hidden.js').lateTimers>>} */ (seen);
        t.diagnostic(JSON.stringify(times));
        assert.ok(hidden, 'the page is to be seen');
        const parts = times.map(({ timer, wait }) => wait / timer).sort((one, two) => one - two);
        const usual = parts[MIDDLE] ?? NaN;
        assert.ok(usual < 1 / 2, `in the middle, a wait takes ${usual} of a timer's time`);
    }));
