/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Channels between a page and its workers. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { serve } from '../../browsers/serve.js';
import { isQuick } from '../support/tier.js';
import { callOn, inEachBrowser, onOnePage } from './each-browser.js';

const MESSAGES = isQuick ? 2000 : 20_000;
const CALLS = isQuick ? 200 : 5000;

/** @type {Awaited<ReturnType<typeof serve>>} */
let server;
before(async () => {
    server = await serve({ isFixed: true, folders: ['js-glue', 'tests/browser', 'tests/support'] });
});
after(() => server?.close());

/** @param {import('./each-browser.js').Place} place */
function channelTests(place) {
    const onThePage = onOnePage(place, () => server);
    /** @param {string} name @param {unknown} [options] */
    const play = (name, options) =>
        onThePage((page) => callOn(page, '/tests/browser/channel.js', name, options));

    test('channel: a page that receives from two busy workers gets all messages, and keeps drawing frames', async (t) => {
        const { counts, frames } = await play('toPage', { messages: MESSAGES });
        t.diagnostic(`${frames} frames`);
        assert.deepEqual(counts, [MESSAGES, MESSAGES]);
        assert.ok(frames > 0);
    });

    test('channel: a blocking worker receives all messages that a page sends', async () => {
        assert.deepEqual(await play('fromPage', { messages: MESSAGES }), {
            0: { count: MESSAGES, last: MESSAGES - 1 },
        });
    });

    test('channel: on a page, methods that may block throw, and the try methods work', async () => {
        const refused = 'HF_MAY_NOT_BLOCK';
        assert.deepEqual(await play('calls'), [refused, refused, true, refused, refused, refused, 3, 0]);
    });

    test('calls: a worker blocks until the page answers, but the page may not block', async () => {
        const { told, code } = await play('workersCall', { messages: CALLS });
        assert.deepEqual(told, [CALLS, CALLS, CALLS]);
        assert.equal(code, 'HF_MAY_NOT_BLOCK');
    });

    test('calls: a late answer is dropped, and a call ends when the answering worker dies', async () => {
        assert.deepEqual(await play('callsEnd'), {
            isAwaited: false,
            told: ['HF_TIMEOUT', 22],
            length: 3,
            code: 'HF_ABANDONED',
        });
    });

    test('channel: the page sends and receives on after workers were terminated in a send or a receive', async () => {
        assert.deepEqual(await play('deaths'), { isBusy: true, received: '7', left: 0 });
    });

    test('channel: iframes removed while they wait, or in the middle of a send, take no message and block nobody', async () => {
        assert.deepEqual(await play('removedFrames'), { sizes: [1, 2], left: 0 });
    });
}

inEachBrowser(channelTests);
