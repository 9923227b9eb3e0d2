/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* A page in the back/forward cache. Firefox's driver keeps none there. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { launchBrowser } from '../../browsers/launch.js';
import { serve } from '../../browsers/serve.js';
import { isQuick } from '../support/tier.js';
import { callOn, onPage } from './each-browser.js';

/** The option by which the driver keeps pages out of Chromium's cache. */
const UNREAL = ['--disable-back-forward-cache'];
const CACHED_MS = 1500;
const BACK_MS = 1000;
/** The limit of the driver's calls, which have no watchdog. */
const LIMIT_MS = 240_000;
const ADDRESS = '/tests/browser/cached.js';

/**
 * On a busy machine WebKit sometimes never begins a load. A new window would not help, since it has no history to go
 * back in.
 */
const TRIES = { chromium: 1, webkit: 3 };

/** Observations of a page that went into the cache and came back. @param {keyof typeof TRIES} name */
async function seenIn(name) {
    const server = await serve({ folders: ['js-glue', 'tests/browser', 'tests/support'] });
    const browser = await launchBrowser(name, { ignoreDefaultArgs: UNREAL });
    try {
        return await onPage(browser, server, async (page) => {
            await callOn(page, ADDRESS, 'begin');
            await page.goto(`${server.origin}/tests/browser/blank.html?another`);
            // Goes back after this call has returned: the page would not answer a call that goes back.
            await page.evaluate((ms) => void setTimeout(() => history.back(), ms), CACHED_MS);
            // WebKit's driver never answers a call made while the page goes into the cache.
            await sleep(CACHED_MS + BACK_MS);
            await page.waitForFunction(() => !location.search);
            return callOn(page, ADDRESS, 'end');
        });
    } finally {
        await browser.close();
        await server.close();
    }
}

/** @param {keyof typeof TRIES} name @param {number} tries @returns {Promise<unknown>} */
async function seenAtLast(name, tries) {
    try {
        return await seenIn(name);
    } catch (error) {
        if (tries === 1) {
            throw error;
        }
        return seenAtLast(name, tries - 1);
    }
}

/** @type {(keyof typeof TRIES)[]} */
const NAMES = isQuick ? ['chromium'] : ['chromium', 'webkit'];

for (const name of NAMES) {
    test(
        `cached page, in ${name}: neither the page nor its workers are declared dead`,
        { timeout: LIMIT_MS },
        async (t) => {
            const seen = await seenAtLast(name, TRIES[name]);
            t.diagnostic(JSON.stringify(seen));
            assert.deepEqual(seen, {
                wasCached: true,
                page: 'nothing',
                worker: 'nothing',
                later: { code: 'got it' },
            });
        },
    );
}
