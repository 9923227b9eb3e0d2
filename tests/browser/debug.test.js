/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { serve } from '../../browsers/serve.js';
import { callOn, inEachBrowser, onPage } from './each-browser.js';

/* debug() on a page. Chromium's stacks show the awaiters, so it reports at once; other browsers report after
 * a second. */

const PAGE = '/tests/browser/debug-page.js';

const AT_ONCE = /: a section holds Mutex at \d+ and awaits Mutex at \d+\.$/;
const AFTER_A_SECOND = /: a section has held Mutex at \d+ for \d\.\d s, and a request/;

/** @type {Awaited<ReturnType<typeof serve>>} */
let server;

before(async () => {
    server = await serve({ isFixed: true, folders: ['js-glue', 'tests/browser'] });
});

after(() => server?.close());

inEachBrowser((place) => {
    /** @param {string} entry */
    const call = (entry) => onPage(place.browser, server, (page) => callOn(page, PAGE, entry));

    test('debug: a section that awaits a request for its own lock is reported, with the stacks of both calls', async () => {
        const { end, reports, isFree } = await call('waitsForItself');
        assert.equal(end, 'TimeoutError');
        assert.equal(isFree, true);
        assert.equal(reports.length, 1);
        const [{ message, members }] = reports;
        assert.match(message, place.name === 'chromium' ? AT_ONCE : AFTER_A_SECOND);
        assert.match(members[0].heldFrom, /debug-page\.js/);
        assert.match(members[0].askedFrom, /save/);
    });

    test('debug: a section may request its own lock without awaiting the request', async () => {
        assert.deepEqual(await call('startsOthers'), { end: '4', reports: [], isFree: true });
    });
});
