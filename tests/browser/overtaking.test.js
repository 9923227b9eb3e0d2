/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* How often a waiter is overtaken where pages take part, counted in sections and rounds of others. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { serve } from '../../browsers/serve.js';
import { MOST_OVERTAKEN, mostButOne, RETAKINGS } from '../support/retaking.js';
import { callOn, inEachBrowser, onPage } from './each-browser.js';

/**
 * The share of requests that are granted before every other thread, or the page itself, could have had three
 * turns.
 */
const USUAL = 3 / 4;
const ROUNDS_OF_ALL = 3;

/** @type {Awaited<ReturnType<typeof serve>>} */
let server;
before(async () => {
    server = await serve({ isFixed: true, folders: ['js-glue', 'tests/browser', 'tests/support'] });
});
after(() => server?.close());

/** @param {import('./each-browser.js').Place} place */
function overtakingTests(place) {
    /**
     * Runs a scenario on a page of its own.
     *
     * @param {string} name
     * @param {unknown} [options]
     */
    const play = (name, options) =>
        onPage(place.browser, server, (page) => callOn(page, '/tests/browser/overtaking.js', name, options));

    test('overtaking: a busy page acquires the lock among event loops that sleep while they hold it', async (t) => {
        const { overtaken, counts } = await play('pageAmongLoops');
        t.diagnostic(JSON.stringify({ overtaken, counts }));
        const most = ROUNDS_OF_ALL * (counts.length + 1);
        const usual = overtaken[Math.floor(USUAL * overtaken.length)];
        assert.ok(usual <= most, `overtaken ${overtaken} times, by ${counts.length} others`);
    });

    for (const { name, asks } of RETAKINGS.filter(({ blocks }) => !blocks)) {
        for (const ask of asks) {
            const what = `a page that has a request and takes ${name} overtakes ${ask} of a worker`;
            test(`overtaking: ${what} only a few times`, async () => {
                const overtaken = await play('overtakenByThePage', { name, ask });
                assert.ok(mostButOne(overtaken) <= MOST_OVERTAKEN, `overtaken ${overtaken} times`);
            });
        }
    }
}

inEachBrowser(overtakingTests);
