/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { serve } from '../../browsers/serve.js';
import { ENGINES_DIFFER } from '../support/web-locks-cases.js';
import { callOn, inEachBrowser, onPage } from './each-browser.js';

/* The promises of the Web Locks API, checked on our lock manager and on the browsers' own. */

/** @type {Awaited<ReturnType<typeof serve>>} */
let server;

before(async () => {
    server = await serve({ isFixed: true, folders: ['js-glue', 'tests'] });
});

after(() => server?.close());

inEachBrowser((place) => {
    for (const [whose, isEngine] of /** @type {const} */ ([
        ['ours', false],
        ["the browser's own", true],
    ])) {
        test(`web-locks: every case passes on a page: ${whose}`, async () => {
            /** @type {{ title: string, message: string }[]} */
            const failed = await onPage(place.browser, server, (page) =>
                callOn(page, '/tests/browser/web-locks-page.js', 'failedCases', isEngine),
            );
            const differ = isEngine ? Object.keys(ENGINES_DIFFER[place.name] ?? {}) : [];
            assert.deepEqual(
                failed.map(({ title }) => title),
                differ,
                JSON.stringify(failed),
            );
        });
    }
});
