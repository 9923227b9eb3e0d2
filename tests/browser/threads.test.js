/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Threads that are not plain workers of the page, and threads that end while they wait. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { serve } from '../../browsers/serve.js';
import { isQuick } from '../support/tier.js';
import { callOn, inEachBrowser, onOnePage, withPage } from './each-browser.js';
import { assertServed, assertSurvived, FREE } from './verdicts.js';

/* Differences between browsers that are by design. */

/** Only Chromium lets a shared worker block; no browser lets a service worker. */
const SHARED_WORKER_MAY_BLOCK = { chromium: true, firefox: false, webkit: false };

/**
 * Outcomes after a holder's death: waiters for mutexes and for writers get the error; read locks and
 * recoverable permits are returned without one.
 */
const OF_A_DEAD_THREAD = ['HF_ABANDONED', 'HF_ABANDONED', 'HF_ABANDONED', 'met', 'met'];

/**
 * WebKit posts shared memory to workers, but not to windows: frames of one origin may call each other
 * instead.
 */
const POSTS_TO_FRAMES = { chromium: true, firefox: true, webkit: false };

/**
 * Chromium still runs reactions to a wake in the window of a removed iframe: its request is refused, and its
 * code sees that. In other browsers the promise never settles.
 */
const RUNS_REMOVED_WINDOWS = { chromium: true, firefox: false, webkit: false };

/**
 * Chromium lets a terminated thread that blocks live for up to two seconds: it gets the lock in its turn, and
 * finishes its job.
 */
const GOES_ON_WHEN_TERMINATED = { chromium: true, firefox: false, webkit: false };

/**
 * WebKit ends a thread anywhere: one terminated during a hand-over may get the lock, and die as its holder.
 * So there the lock is released only when the thread is gone.
 */
const ENDS_ANYWHERE = { chromium: false, firefox: false, webkit: true };

/** WebKit has no Symbol.dispose yet: there, `using` must be compiled, or a guard released by release(). */
const HAS_DISPOSE = { chromium: true, firefox: true, webkit: false };

/** How long Chromium lets a terminated worker that blocks live, unless it gives up its wait. */
const LIVES_ON_MS = 2000;

const FRAMES = isQuick ? 20 : 60;

const TAKERS_ROUNDS = Number(process.env['HOLDFAST_TAKERS_ROUNDS'] ?? (isQuick ? 1 : 2));

/** @type {Awaited<ReturnType<typeof serve>>} */
let server;
before(async () => {
    const programs = ['lock', 'mortal', 'ring'].map((name) => `tests/browser/${name}-worker.js`);
    server = await serve({ isFixed: true, folders: ['js-glue', 'tests/browser', 'tests/support'], programs });
});
after(() => server?.close());

/** @param {{ first: number, second: number, torn: number, worker: number, page: number, worklet: number }} seen */
function assertNoneLost({ first, second, torn, worker, page, worklet }) {
    assert.equal(torn, 0);
    assert.equal(first, second);
    assert.equal(first, worker + page + worklet);
}

/** @param {import('./each-browser.js').Place} place */
function threadTests(place) {
    const onThePage = onOnePage(place, () => server);
    /**
     * Runs a scenario, whose words and threads are its own.
     *
     * @param {string} file
     * @param {string} name
     * @param {unknown} [options]
     */
    const play = (file, name, options) =>
        onThePage((page) => callOn(page, `/tests/browser/${file}`, name, options));

    for (const size of isQuick ? [5] : [2, 5]) {
        test(`threads: one of ${size} workers in a deadlock cycle throws, and the others continue`, async (t) => {
            const { ends, ms } = await play('rings.js', 'ringOfWorkers', { size });
            t.diagnostic(`over after ${ms.toFixed()} ms`);
            const thrown = ends.filter((/** @type {any} */ { end }) => end !== 'got it');
            assert.deepEqual(
                thrown.map((/** @type {any} */ { end }) => end),
                ['HF_DEADLOCK'],
            );
            for (let at = 0; at < size; at += 1) {
                assert.match(thrown[0].message, new RegExp(`member ${at} holds Mutex at \\d+ and waits for`));
            }
        });
    }

    test('threads: a deadlock cycle through the page is reported as suspected, and ends at its time limit', async () => {
        const { end, endOfWorker, reports } = await play('rings.js', 'ringThroughThePage');
        assert.equal(end, 'HF_TIMEOUT');
        assert.equal(endOfWorker, 'got it');
        assert.equal(reports.length, 1);
        assert.equal(reports[0].certain, false);
        assert.match(reports[0].message, /^Perhaps a deadlock: .*page holds Mutex at \d+ and waits for/);
    });

    // In Firefox one more try is allowed, since some nested workers never start (page-threads.js).
    test('threads: the page acquires the lock in time while a worker and its nested workers hammer it', async (t) => {
        const playOnce = () => play('scenarios.js', 'pageAmongNestedWorkers', 60);
        const seen = await (place.name === 'firefox' ? playOnce().catch(playOnce) : playOnce());
        t.diagnostic(JSON.stringify(seen));
        assertServed(seen);
    });

    for (const [role, how] of /** @type {const} */ ([
        ['waiter', 'blocks'],
        ['asker', 'waits by its event loop'],
    ])) {
        for (const isGone of ENDS_ANYWHERE[place.name] ? [true] : [false, true]) {
            const when = isGone ? 'when its thread is gone' : 'at once';
            test(`threads: a worker that is terminated while it ${how} delays no other waiter (release ${when})`, async (t) => {
                const seen = await play('deaths.js', 'terminatedWorker', { role, isGone });
                t.diagnostic(JSON.stringify(seen));
                assertSurvived(seen);
                if (isGone) {
                    assert.equal(seen.victimSections, 0);
                } else if (role === 'waiter' && GOES_ON_WHEN_TERMINATED[place.name]) {
                    assert.equal(seen.victimSections, 1);
                }
            });
        }
    }

    for (const isWoken of [false, true]) {
        const when = isWoken ? 'after its wake-up' : 'during its wait';
        test(`threads: an iframe removed ${when} delays no other waiter`, async (t) => {
            const hears = RUNS_REMOVED_WINDOWS[place.name];
            const seen = await play('deaths.js', 'removedFrame', { isWoken, hears });
            t.diagnostic(JSON.stringify(seen));
            assertSurvived(seen);
            assert.equal(seen.victimSections, 0);
            assert.equal(seen.heard, hears);
            assert.equal(seen.posted, POSTS_TO_FRAMES[place.name]);
        });
    }

    test('threads: a removed iframe is a dead thread, and abandons the locks that it held', async () => {
        const seen = await play('deaths.js', 'removedHolder');
        assert.deepEqual(seen, { heldOn: true, outcomes: OF_A_DEAD_THREAD });
    });

    test('threads: a lock that a removed iframe acquires counts as held by a dead thread', async () => {
        assert.deepEqual(await play('deaths.js', 'leavingHolder'), OF_A_DEAD_THREAD);
    });

    test('threads: an iframe whose document is rewritten abandons the locks that it held', async () => {
        const outcomes = await play('deaths.js', 'rewrittenHolder');
        assert.deepEqual(outcomes, [...OF_A_DEAD_THREAD, ...OF_A_DEAD_THREAD]);
    });

    for (const [way, isEnded] of /** @type {[string, boolean][]} */ ([
        ['idle', true],
        ['blocked', true],
        ['computing', true],
        ['nested', true],
        ['closes', false],
    ])) {
        test(`threads: a waiter gets HF_ABANDONED when the worker that holds the lock ends: ${way}`, async (t) => {
            const seen = await play('mortals.js', 'deathOfHolder', { way, isEnded });
            t.diagnostic(JSON.stringify(seen));
            assert.equal(seen.support, 'probe');
            for (const { code, owner } of [seen.page, seen.worker]) {
                assert.deepEqual({ code, owner }, { code: 'HF_ABANDONED', owner: 'mortal' });
            }
            assert.deepEqual([seen.recovered, seen.later], [true, 'met']);
        });
    }

    test('threads: a blocked worker terminated by way of inspect() gives up its wait', async (t) => {
        const seen = await play('mortals.js', 'deathOfHolder', {
            way: 'blocked',
            isEnded: true,
            givesUp: true,
        });
        t.diagnostic(JSON.stringify(seen));
        for (const { code, ms } of [seen.page, seen.worker]) {
            assert.equal(code, 'HF_ABANDONED');
            assert.ok(ms < LIVES_ON_MS, `told after ${ms} ms`);
        }
    });

    test('threads: permits and read locks are neither lost nor duplicated when workers die while they take them', async (t) => {
        const seen = await play('takers.js', 'deathsOfTakers', { rounds: TAKERS_ROUNDS });
        t.diagnostic(JSON.stringify(seen));
        assert.deepEqual(seen, { deaths: seen.deaths, free: 5, isFree: true });
    });

    test('threads: a worker that has called close() counts as alive until its job ends', async (t) => {
        const seen = await play('mortals.js', 'deathOfHolder', { way: 'closesAndGoesOn', isEnded: false });
        t.diagnostic(JSON.stringify(seen));
        assert.deepEqual([seen.page.code, seen.worker.code], ['got it', 'got it']);
        assert.deepEqual([seen.recovered, seen.later], [false, 'met']);
    });

    test('threads: the next iframe gets the slot of a removed iframe', async () => {
        assert.equal(await play('mortals.js', 'manyFrames', { count: isQuick ? 5 : 10 }), 'met');
    });

    test('threads: an audio worklet that uses tryLock() keeps rendering, and its sections are exclusive', async (t) => {
        const seen = await play('agents.js', 'soundThatTries');
        t.diagnostic(JSON.stringify(seen));
        assert.equal(seen.worklet + seen.refused, seen.blocks);
        assert.ok(seen.worklet > 0);
        assert.ok(seen.page > 0);
        assertNoneLost(seen);
        assert.deepEqual(seen.lockWords, FREE);
    });

    for (const [kind, entry, mayBlock] of /** @type {const} */ ([
        ['shared', 'askSharedWorker', SHARED_WORKER_MAY_BLOCK[place.name]],
        ['service', 'askServiceWorker', false],
    ])) {
        test(`threads: a ${kind} worker can use locks in its own memory, and may ${mayBlock ? '' : 'not '}block`, async () => {
            const {
                report: { advice, ...report },
                handle,
            } = await play('agents.js', entry);
            assert.match(advice, /(shared|service) worker.*whatever the headers/, 'the server sends them');
            assert.deepEqual(report, {
                mayShare: false,
                handle: 'HF_NOT_ISOLATED',
                mayBlock,
                asyncWait: 'waitAsync',
                lock: mayBlock ? 'locked' : 'HF_MAY_NOT_BLOCK',
                tryLock: true,
                late: 'HF_TIMEOUT',
                behind: 'run',
                untouched: true,
                words: FREE,
            });
            assert.equal(handle, 'messageerror', 'no page can share memory with it');
        });
    }

    test('threads: a page can have many spaces at once', async () => {
        assert.equal(await play('agents.js', 'manySpaces'), 40);
    });

    test('threads: a compiled `using` block releases its guard, even in a browser without Symbol.dispose', async () => {
        const known = HAS_DISPOSE[place.name];
        assert.deepEqual(await play('agents.js', 'disposing'), { known, released: true });
    });

    // The last, since a page behind another one gets no frames.
    test('threads: two pages at once, each with its own space, do not disturb each other', async (t) => {
        /** @template T @param {(page: import('./each-browser.js').Page) => Promise<T>} use */
        const onNewPage = (use) =>
            withPage(place.browser, async (page) => {
                await page.goto(`${server.origin}/tests/browser/blank.html`);
                return use(page);
            });
        const address = '/tests/browser/agents.js';
        await onNewPage(async (page) => {
            const begun = await callOn(page, address, 'beginActivity');
            const other = await onNewPage((another) =>
                callOn(another, '/tests/browser/scenarios.js', 'pageAmongWorkers', FRAMES),
            );
            const meanwhile = await callOn(page, address, 'activityNow');
            const end = await callOn(page, address, 'endActivity');
            t.diagnostic(JSON.stringify({ begun, other, meanwhile, end }));
            assertServed(other);
            assert.ok(meanwhile.worker > begun.worker, 'its worker went on');
            assert.ok(meanwhile.page > begun.page, 'its page went on');
            assertNoneLost(end);
            assert.deepEqual(end.lockWords, FREE);
        });
    });
}

inEachBrowser(threadTests);
