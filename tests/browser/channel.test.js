/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Channels between a page and its workers. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { serve } from '../../browsers/serve.js';
import { isQuick } from '../support/tier.js';
import { callOn, inEachBrowser, onPage } from './each-browser.js';

const MESSAGES = isQuick ? 2000 : 20_000;

/** @type {Awaited<ReturnType<typeof serve>>} */
let server;
before(async () => {
    server = await serve({ isFixed: true, folders: ['js-glue', 'tests/browser', 'tests/support'] });
});
after(() => server?.close());

/** @param {import('./each-browser.js').Place} place */
function channelTests(place) {
    /** @param {string} name @param {unknown} [options] */
    const play = (name, options) =>
        onPage(place.browser, server, (page) => callOn(page, '/tests/browser/channel.js', name, options));

    test('channel: a page gets all that two workers send without a pause, and has its frames', async (t) => {
        const { counts, frames } = await play('toPage', { messages: MESSAGES });
        t.diagnostic(`${frames} frames`);
        assert.deepEqual(counts, [MESSAGES, MESSAGES]);
        assert.ok(frames > 0);
    });

    test('channel: a worker that blocks gets all that a page sends', async () => {
        assert.deepEqual(await play('fromPage', { messages: MESSAGES }), {
            0: { count: MESSAGES, last: MESSAGES - 1 },
        });
    });

    test('channel: on a page, calls that may block are refused, and tries work', async () => {
        const refused = 'HF_MAY_NOT_BLOCK';
        assert.deepEqual(await play('calls'), [refused, refused, true, refused, refused, refused, 3, 0]);
    });

    test('channel: workers that are terminated in a send or a receive do not hold up the page', async () => {
        assert.deepEqual(await play('deaths'), { isBusy: true, received: '7', left: 0 });
    });
}

inEachBrowser(channelTests);
