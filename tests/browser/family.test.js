/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { serve } from '../../browsers/serve.js';
import { GAMES } from '../games/games.js';
import { CONTESTS } from '../games/contests.js';
import { buildEndlessModule } from '../stress/endless-module.js';
import { seedFor } from '../support/seed.js';
import { isQuick } from '../support/tier.js';
import { callOn, inEachBrowser, onOnePage } from './each-browser.js';
import { isSoon } from './verdicts.js';

/* All primitives on the main thread of a page beside workers. */

const WORKERS = 2;
const OPERATIONS = isQuick ? 100 : 600;
const ASKS = isQuick ? 10 : 60;

/** @type {Awaited<ReturnType<typeof serve>>} */
let server;
/** @type {number[]} */
let bytes;

before(async () => {
    server = await serve({
        isFixed: true,
        folders: ['js-glue', 'models', 'tests'],
        programs: ['tests/stress/browser-thread.js'],
    });
    bytes = [...buildEndlessModule()];
});

after(() => server?.close());

/** @param {import('./each-browser.js').Place} place */
function familyTests(place) {
    const withPage = onOnePage(place, () => server);
    /**
     * Calls a function of family-page.js.
     *
     * @param {string} entry
     * @param {object} [options]
     */
    const callOnPage = (entry, options) =>
        withPage((page) => callOn(page, '/tests/browser/family-page.js', entry, options));

    for (const game of GAMES.keys()) {
        test(`page: ${game}: ${WORKERS} blocking workers and the page find no broken promise`, async (t) => {
            const match = { name: game, count: WORKERS, operations: OPERATIONS, seed: seedFor(t), bytes };
            assert.ok((await callOnPage('play', match)) > 0);
        });
    }

    for (const contest of Object.keys(CONTESTS)) {
        test(`page: the page acquires a lock in time while two workers hammer it: ${contest}`, async (t) => {
            const seen = await callOnPage('pageAmongHammers', { name: contest, asks: ASKS });
            t.diagnostic(JSON.stringify(seen));
            assert.equal(seen.answered, ASKS);
            assert.equal(seen.torn, 0);
            const { median, longestPause } = seen;
            assert.ok(
                isSoon(median, longestPause),
                `median wait ${median} ms, longest pause ${longestPause} ms`,
            );
        });
    }

    test('page: blocking calls throw before they change a word, and all other calls work', async () => {
        const { refused, worked } = await callOnPage('reportOnBlocking');
        assert.ok(refused.length > 20);
        for (const { name, call, code, instead, message, untouched } of refused) {
            const where = `${name}: ${call}: ${message}`;
            assert.equal(code, 'HF_MAY_NOT_BLOCK', where);
            assert.ok(message.includes(`${instead}()`), where);
            assert.ok(untouched, where);
        }
        for (const [what, outcome] of Object.entries(worked)) {
            assert.equal(outcome, 'works', what);
        }
    });
}

inEachBrowser(familyTests);
