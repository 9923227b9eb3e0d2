/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* How often a waiter is overtaken where pages take part, counted in sections and rounds of others. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { serve } from '../../browsers/serve.js';
import { MOST_OVERTAKEN, mostButOne, RETAKINGS } from '../support/retaking.js';
import { isQuick } from '../support/tier.js';
import { callOn, inEachBrowser, onOnePage } from './each-browser.js';

/**
 * The share of requests that are granted before every other thread, or the page itself, could have had three
 * turns.
 */
const USUAL = 3 / 4;
const ROUNDS_OF_ALL = 3;

/** @type {Awaited<ReturnType<typeof serve>>} */
let server;
before(async () => {
    server = await serve({
        isFixed: true,
        folders: ['js-glue', 'models/c', 'tests/browser', 'tests/support'],
    });
});
after(() => server?.close());

/** @param {import('./each-browser.js').Place} place */
function overtakingTests(place) {
    const withPage = onOnePage(place, () => server);
    /** @param {string} name of a scenario @param {unknown} [options] */
    const play = (name, options) =>
        withPage((page) => callOn(page, '/tests/browser/overtaking.js', name, options));

    test('overtaking: a busy page acquires the lock among event loops that sleep while they hold it', async (t) => {
        const { overtaken, counts } = await play('pageAmongLoops', { asks: 60 });
        t.diagnostic(JSON.stringify({ overtaken, counts }));
        const most = ROUNDS_OF_ALL * (counts.length + 1);
        const usual = overtaken[Math.floor(USUAL * overtaken.length)];
        assert.ok(usual <= most, `overtaken ${overtaken} times, by ${counts.length} others`);
    });

    for (const { name, kind, asks } of RETAKINGS.filter(({ blocks }) => !blocks)) {
        // Node's overtaking.test.js has all of them in the quick tier.
        for (const ask of isQuick && kind !== 'mutex' ? asks.slice(1) : asks) {
            const what = `a page that has a request and takes ${name}`;
            test(`overtaking: a worker's ${ask}() is overtaken only a few times by ${what}`, async () => {
                const overtaken = await play('overtakenByThePage', { name, ask });
                assert.ok(mostButOne(overtaken) <= MOST_OVERTAKEN, `overtaken ${overtaken} times`);
            });
        }
    }
}

inEachBrowser(overtakingTests);
