/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { serve } from '../../browsers/serve.js';
import { callOn, inEachBrowser, onPage } from './each-browser.js';

/* Keys between a page and its workers. */

const PAGE = '/tests/browser/keyed-page.js';

/** @type {Awaited<ReturnType<typeof serve>>} */
let server;

before(async () => {
    server = await serve({ isFixed: true, folders: ['js-glue', 'tests'] });
});

after(() => server?.close());

inEachBrowser((place) => {
    test('keyed: a page and workers add to the data of five keys, and nothing is lost', async () => {
        const { sum, expected } = await onPage(place.browser, server, (page) =>
            callOn(page, PAGE, 'addByKeys'),
        );
        assert.equal(sum, expected);
    });

    test('keyed: a page gets an error for the key of a dead worker, and repairs its data', async () => {
        const seen = await onPage(place.browser, server, (page) => callOn(page, PAGE, 'loseAKey'));
        const told = seen.death === 'probe';
        assert.deepEqual(seen, {
            before: [false, true],
            death: seen.death,
            code: told ? 'HF_ABANDONED' : 'HF_TIMEOUT',
            isRepaired: told,
        });
    });
});
