/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Promises about a page's requests, which hold whatever its program does meanwhile. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { serve } from '../../browsers/serve.js';
import { DROPPED } from '../support/dropped-locks.js';
import { ONLY_IN_ALL } from '../support/tier.js';
import { callOn, inEachBrowser, onOnePage, withPage } from './each-browser.js';
import { FREE } from './verdicts.js';

/** WebKit loses a message of a closing page in one of three tries; the other browsers lose none. */
const TRIES = { chromium: 1, firefox: 1, webkit: 8 };

/** Enough for a page to load and begin its requests. */
const A_WHILE_MS = 200;
const AWAY_MS = 700;
const LOOK_MS = 20;
const MOST_LOOKS = 1500;

/** At most this part of a crowd runs between two other tasks. */
const LARGE_PART = 1 / 2;

/** More locks than a default space has room for. */
const DROPPED_COUNT = Number(process.env.HOLDFAST_DROPPED ?? 5000);

/** @type {Awaited<ReturnType<typeof serve>>} */
let server;
before(async () => {
    server = await serve({ isFixed: true, folders: ['js-glue', 'tests/browser', 'tests/support'] });
});
after(() => server?.close());

/** @param {import('../../browsers/launch.js').Page} page @param {RegExp} path of the document that it goes to */
async function arrives(page, path) {
    let at = '';
    for (let looks = 0; !path.test(at); looks += 1) {
        assert.ok(looks < MOST_LOOKS, `the page is at ${at}, not at ${path}`);
        await pause(LOOK_MS);
        at = await page.evaluate(() => location.pathname).catch(() => ''); // fails between two documents
    }
}

/** @param {import('./each-browser.js').Place} place */
function requestTests(place) {
    const onThePage = onOnePage(place, () => server);
    /**
     * Runs a scenario.
     *
     * @param {string} name
     * @param {unknown} [options]
     */
    const play = (name, options) =>
        onThePage((page) => callOn(page, '/tests/browser/requests.js', name, options));

    for (const polyfills of [false, true]) {
        const whose = polyfills ? 'a polyfill' : 'the browser, if it has any';
        test(`requests: callbacks run in the async context of their caller, by ${whose}`, async () => {
            const { callers, seen, lockWords } = await play('contexts', { polyfills });
            assert.deepEqual(seen, callers);
            assert.deepEqual(lockWords, FREE);
        });
    }

    test('requests: pending requests for a freed lock are rejected, and do not change the next lock at its address', async () => {
        assert.deepEqual(await play('freedWithRequests'), {
            outcomes: ['HF_FREED', 'HF_FREED', 'HF_FREED'],
            areSame: [true, true],
            areUntouched: [true, true],
        });
    });

    test(
        `requests: ${DROPPED_COUNT} locks of each class, made and dropped by the page, do not exhaust memory`,
        ONLY_IN_ALL,
        async () => {
            const done = await play('droppedLocks', DROPPED_COUNT);
            assert.deepEqual(
                done,
                DROPPED.map(([name]) => name),
            );
        },
    );

    test('requests: loops of requests in a worker leave its timers their turns', async () => {
        assert.equal(await play('loopsBesideTimers'), 'HF_TIMEOUT');
    });

    for (const how of ['granted', 'aborted', 'timed out']) {
        test(`requests: a thousand requests, all ${how} at once, leave turns to other tasks of the page`, async (t) => {
            const { mostInTurn, crowd, isOrdered } = await play('crowd', { how });
            t.diagnostic(`${mostInTurn} in one turn`);
            assert.ok(isOrdered, 'not in the order made');
            assert.ok(mostInTurn <= LARGE_PART * crowd, `${mostInTurn} of ${crowd} in one turn`);
        });
    }

    // The last, since a page behind another one gets no frames.
    test('requests: requests of a page in the back/forward cache are granted once the page is restored', async () => {
        const { origin } = server;
        await withPage(place.browser, async (page) => {
            for (let tries = TRIES[place.name]; tries > 0; tries -= 1) {
                await page.goto(`${origin}/tests/browser/blank.html?${tries}`);
                await callOn(page, '/tests/browser/requests.js', 'makeManyForEver');
                await pause(A_WHILE_MS);
                await page.evaluate(() => void setTimeout(() => location.assign('frame.html')));
                await arrives(page, /frame/);
                await pause(AWAY_MS);
                await page.evaluate(() => void setTimeout(() => history.back()));
                await arrives(page, /blank/);
                const served = await callOn(page, '/tests/browser/requests.js', 'areServed');
                assert.deepEqual(served, ['met', 'HF_TIMEOUT']);
            }
        });
    });
}

inEachBrowser(requestTests);
