/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { serve } from '../../browsers/serve.js';
import { callOn, inEachBrowser, onOnePage, onPage } from './each-browser.js';
import { OUTCOMES } from './used-memory.js';
import { assertServed, FREE } from './verdicts.js';
import { isQuick } from '../support/tier.js';
import { within } from '../support/watchdog.js';

const FRAMES = isQuick ? 60 : 120;

/** A page that freezes has no watchdog of its own. */
const FREEZE_MS = 30_000;

/** @type {Awaited<ReturnType<typeof serve>>} */
let isolated;
/** @type {Awaited<ReturnType<typeof serve>>} */
let plain;
/** @type {Awaited<ReturnType<typeof serve>>} */
let strict;

before(async () => {
    const folders = ['js-glue', 'tests/browser', 'tests/support'];
    isolated = await serve({ isFixed: true, folders });
    plain = await serve({ isFixed: true, folders, isolated: false });
    strict = await serve({
        isFixed: true,
        folders,
        headers: { 'Content-Security-Policy': "script-src 'self'" },
    });
});

after(async () => {
    await isolated?.close();
    await plain?.close();
    await strict?.close();
});

/** @param {import('./each-browser.js').Place} place */
function pageTests(place) {
    const onThePage = onOnePage(place, () => isolated);
    const address = '/tests/browser/scenarios.js';
    /** Runs a scenario. @param {string} name @param {unknown} [options] */
    const play = (name, options) => onThePage((page) => callOn(page, address, name, options));
    /** @param {string} name @param {{ origin: string }} server */
    const playAt = (name, server) => onPage(place.browser, server, (page) => callOn(page, address, name));

    test('page: the page acquires the lock in time while two workers hammer it, and no update is lost', async (t) => {
        const seen = await play('pageAmongWorkers', FRAMES);
        t.diagnostic(JSON.stringify(seen));
        assertServed(seen);
    });

    test('page: the page finds data by name, and event.signal aborts when a worker sets the event', async () => {
        const expected = { isAborted: false, reason: 'AbortError', isSame: true, count: 1, state: 'free' };
        assert.deepEqual(await play('dataAndSignal'), expected);
    });

    test('page: frames continue while a request waits', async () => {
        const seen = await play('framesWhileWaiting');
        assert.deepEqual(seen, { frames: 10, answeredEarly: false, answered: true, lockWords: FREE });
    });

    test('page: frames and timers continue while a loop awaits free locks', async () => {
        const turns = { frames: 3, timers: 1 };
        assert.deepEqual(await play('framesBesideFreeLocks'), {
            execAsync: turns,
            acquireAsync: turns,
            enterAsync: turns,
        });
    });

    test('page: blocking calls throw before they change the lock word', async () => {
        const { free, held, lockWords } = await play('blockingOnThePage');
        for (const { errors, before, after } of [free, held]) {
            assert.deepEqual(
                errors.map((/** @type {{ code?: string } | undefined} */ error) => error?.code),
                ['HF_MAY_NOT_BLOCK', 'HF_MAY_NOT_BLOCK', 'HF_MAY_NOT_BLOCK', 'HF_MAY_NOT_BLOCK'],
            );
            assert.match(errors[0].message, /execAsync/);
            assert.deepEqual(after, before);
        }
        assert.deepEqual(free.before, FREE);
        assert.notDeepEqual(held.before, FREE);
        assert.deepEqual(lockWords, FREE);
    });

    test('page: a lock made in used memory works, whatever the memory contained', async () => {
        const outcomes = await within(play('waitsOnUsedMemory'), 'a page that may freeze', [], FREEZE_MS);
        assert.deepEqual(outcomes, OUTCOMES);
    });

    test('page: aborted and timed-out requests leave no state behind', async () => {
        assert.deepEqual(await play('abandonedRequests'), {
            isTimeoutError: true,
            timeoutCode: 'HF_TIMEOUT',
            isReason: true,
            ran: ['later'],
            free: true,
            lockWords: FREE,
            lockWordsAtEnd: FREE,
        });
    });

    test('page: one signal aborts several requests, and locks on arbitrary bytes do not freeze the page', async () => {
        const seen = await within(play('oneSignalAndGarbage'), 'a page that may freeze', [], FREEZE_MS);
        assert.deepEqual(seen, {
            statuses: ['rejected', 'rejected'],
            hadFrames: true,
        });
    });

    test('page: an audio worklet acquires a free lock at once, and waits are refused with a code', async () => {
        const { free, held, lockWords } = await play('inAnAudioWorklet');
        const never = { mayBlock: false, asyncWait: 'none', lock: 'HF_MAY_NOT_BLOCK' };
        assert.deepEqual(free, { ...never, tryLock: true, execAsync: 'run', acquireAsync: 'released' });
        const refused = { execAsync: 'HF_NO_TIMERS', acquireAsync: 'HF_NO_TIMERS' };
        assert.deepEqual(held, { ...never, tryLock: false, ...refused });
        assert.deepEqual(lockWords, FREE);
    });

    // These are the last, since a page behind another one gets no frames.
    test('page: without the isolation headers one thread can use locks, and sharing them throws', async () => {
        const seen = await playAt('withoutIsolation', plain);
        assert.equal(seen.isolated, false);
        assert.equal(seen.whileHeld, 1);
        assert.equal(seen.freeWhileHeld, false);
        assert.equal(seen.took, true);
        assert.equal(seen.count, 2);
        assert.deepEqual(seen.lockWords, FREE);
        for (const error of [seen.mutexHandle, seen.spaceHandle]) {
            assert.equal(error?.code, 'HF_NOT_ISOLATED');
            assert.match(error.message, /Cross-Origin-Opener-Policy: same-origin/);
            assert.match(error.message, /Cross-Origin-Embedder-Policy: require-corp/);
        }
        assert.equal(seen.support.mayShare, false);
        assert.match(seen.support.advice.join(' '), /Cross-Origin-Opener-Policy/);
    });

    test('page: if a CSP forbids WebAssembly, the error of the first lock says what to add', async () => {
        const error = await playAt('firstLock', strict);
        assert.equal(error?.code, 'HF_NO_WEBASSEMBLY');
        assert.match(error.message, /'wasm-unsafe-eval'/);
    });
}

inEachBrowser(pageTests);
