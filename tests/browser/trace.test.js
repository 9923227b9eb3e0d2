/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { serve } from '../../browsers/serve.js';
import { callOn, inEachBrowser, onPage } from './each-browser.js';

/* trace() on a page that waits while a worker holds the lock. */

/** Some frames: the page waits for six. */
const LEAST_OVERLAP_MS = 40;

/** Two threads' clocks may differ by this much; browsers make them coarse. */
const SLACK_MS = 5;

/** @typedef {import('./trace-entries.js').Seen} Seen */

/** @type {Awaited<ReturnType<typeof serve>>} */
let server;

before(async () => {
    server = await serve({ isFixed: true, folders: ['js-glue', 'tests/browser'] });
});

after(() => server?.close());

/** @param {import('./each-browser.js').Page} page */
function waitForWorkerOn(page) {
    return callOn(page, '/tests/browser/trace-page.js', 'pageWaitsForWorker');
}

/**
 * @template {Seen} T
 * @param {readonly T[]} entries
 * @param {string} name
 * @param {string} track
 */
function only(entries, name, track) {
    const found = entries.filter((entry) => entry.name === name && entry.devtools.track === track);
    assert.equal(found.length, 1, `${found.length} entries called ${name} on the track ${track}`);
    return /** @type {T} */ (found[0]);
}

/** @param {Seen} hold @param {Seen} wait */
function assertWaitInHold(hold, wait) {
    const overlap = Math.min(hold.end, wait.end) - Math.max(hold.start, wait.start);
    assert.ok(overlap >= LEAST_OVERLAP_MS, `they overlap for ${overlap} ms`);
    assert.ok(hold.start <= wait.start + SLACK_MS);
    assert.ok(hold.end <= wait.end + SLACK_MS);
}

/** @param {import('./each-browser.js').Place} place */
function traceTests(place) {
    test('trace: PerformanceObservers of both threads get the wait and the hold, and the timeline stays empty', async () => {
        const { page, worker, left } = await onPage(place.browser, server, waitForWorkerOn);
        assertWaitInHold(only(worker, 'table: hold', 'holder'), only(page, 'table: wait', 'page'));
        assert.equal(left, 0);
    });

    // Only Chromium has this panel.
    if (place.name === 'chromium') {
        test("trace: a recording shows each thread's entries on a track of its own, with the fields of the panel", () =>
            onPage(place.browser, server, recorded));
    }
}

inEachBrowser(traceTests);

/** @param {import('./each-browser.js').Page} page */
async function recorded(page) {
    const { tracing } = /** @type {import('puppeteer-core').Page} */ (page);
    await tracing.start({ categories: ['blink.user_timing', '__metadata'] });
    await waitForWorkerOn(page);
    const bytes = await tracing.stop();
    const { traceEvents } = JSON.parse(new TextDecoder().decode(bytes));
    const entries = entriesOf(traceEvents);
    const hold = only(entries, 'table: hold', 'holder');
    const wait = only(entries, 'table: wait', 'page');
    assertWaitInHold(hold, wait);
    assert.deepEqual([hold.thread, wait.thread], ['DedicatedWorker thread', 'CrRendererMain']);
    for (const { devtools } of [hold, wait]) {
        assert.equal(devtools.dataType, 'track-entry');
        assert.equal(devtools.trackGroup, 'table');
    }
}

/**
 * The entries in a recording, with the threads that they were made by.
 * @param {any[]} events of Chromium's tracing
 * @returns {(Seen & { thread: string })[]}
 */
function entriesOf(events) {
    const threads = new Map(
        events
            .filter(({ name }) => name === 'thread_name')
            .map(({ pid, tid, args }) => [`${pid} ${tid}`, args.name]),
    );
    const keyOf = (/** @type {any} */ { pid, name, id, id2 }) => `${pid} ${name} ${id ?? id2?.local}`;
    const ends = new Map(events.filter(({ ph }) => ph === 'e').map((event) => [keyOf(event), event.ts]));
    return events
        .filter(({ ph, args }) => ph === 'b' && args.detail !== undefined)
        .map((event) => ({
            name: event.name,
            devtools: JSON.parse(event.args.detail).devtools,
            thread: threads.get(`${event.pid} ${event.tid}`),
            start: event.ts / 1000,
            end: ends.get(keyOf(event)) / 1000,
        }));
}
