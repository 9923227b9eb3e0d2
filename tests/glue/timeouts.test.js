/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { test } from 'node:test';
import { environment } from '../../js-glue/thread/environment.js';
import { deadlineIn, Latch, Mutex, RwLock } from '../../js-glue/index.js';
import { replaceInEnvironment } from '../support/environment.js';
import { errorWith } from '../support/errors.js';
import { countTimers, jobEnds, reasonOf } from '../support/event-loop.js';
import { within } from '../support/watchdog.js';
import { assertFree } from '../support/words.js';

/* A timeout of 0, and the remaining time limit of a request that ended early. */

test('timeouts: a request with timeout 0 is rejected before the running job ends', async () => {
    const mutex = new Mutex();
    mutex.lock();
    const late = reasonOf(mutex.execAsync(() => {}, { timeout: 0 }));
    mutex.unlock();
    assert.equal(/** @type {any} */ (await within(late, 'the end', [mutex])).code, 'HF_TIMEOUT');
    assertFree(mutex);
});

test('timeouts: a request times out even if another request with the same timeout was aborted', async (t) => {
    const TIMEOUT_MS = 250; // by the real timers, since the clock below stands still
    let time = environment.now(); // later than the times of earlier tests
    t.after(replaceInEnvironment({ now: () => time }));
    const mutex = new Mutex();
    mutex.lock();
    const controller = new AbortController();
    const former = reasonOf(mutex.execAsync(assert.fail, { timeout: TIMEOUT_MS, signal: controller.signal }));
    controller.abort();
    await within(former, 'the end of the first one', [mutex]);
    const late = reasonOf(mutex.execAsync(assert.fail, { timeout: TIMEOUT_MS }));
    let isOver = false;
    void late.then(() => (isOver = true));
    await jobEnds();
    assert.equal(isOver, false, 'it ends with the first one');
    time += TIMEOUT_MS + 1;
    const reason = await within(late, 'the end of the second one', [mutex]);
    assert.equal(/** @type {any} */ (reason).code, 'HF_TIMEOUT');
    mutex.unlock();
    assertFree(mutex);
});

/**
 * Replaces the program's `setTimeout` while `make` runs.
 *
 * @template T
 * @param {(callback: () => void) => unknown} fake
 * @param {() => T} make
 */
function withTimer(fake, make) {
    const { setTimeout } = globalThis;
    globalThis.setTimeout = /** @type {any} */ (fake);
    try {
        return make();
    } finally {
        globalThis.setTimeout = setTimeout;
    }
}

test('timeouts: if a mocked setTimeout calls back at once, the request times out', async () => {
    const mutex = new Mutex();
    mutex.lock();
    const { signal } = new AbortController();
    const late = withTimer(
        (callback) => callback(),
        () => reasonOf(mutex.execAsync(assert.fail, { timeout: 50, signal })),
    );
    const reason = await within(late, 'the end', [mutex]);
    assert.equal(/** @type {any} */ (reason).code, 'HF_TIMEOUT');
    assert.equal(getEventListeners(signal, 'abort').length, 0, 'a listener is left');
    mutex.unlock();
    assertFree(mutex);
});

/** @returns {Promise<any>} the error of a request whose time is up and whose signal aborts in one callback */
async function endedByBoth() {
    const mutex = new Mutex();
    mutex.lock();
    const controller = new AbortController();
    const { signal } = controller;
    let timeIsUp = () => {};
    const first = mutex.execAsync(() => {
        timeIsUp();
        controller.abort();
    });
    const second = mutex.execAsync(() => 2);
    const ended = withTimer(
        (callback) => (timeIsUp = callback),
        () => reasonOf(mutex.execAsync(assert.fail, { timeout: 50, signal })),
    );
    const fourth = mutex.execAsync(() => 4);
    await jobEnds();
    mutex.unlock();
    await within(first, 'the first', [mutex]);
    const reason = /** @type {any} */ (await within(ended, 'the one that ends', [mutex]));
    assert.deepEqual(await within(Promise.all([second, fourth]), 'the others', [mutex]), [2, 4]);
    await jobEnds();
    assertFree(mutex);
    assert.ok(reason === signal.reason || reason.code === 'HF_TIMEOUT', String(reason));
    return reason;
}

test('timeouts: a request that times out and is aborted in the same callback settles once', async () => {
    const timers = countTimers();
    let reason = await endedByBoth();
    // On a busy machine the thread may see the signal before it handles the timer.
    for (let tries = 20; tries > 0 && reason.code !== 'HF_TIMEOUT'; tries -= 1) {
        reason = await endedByBoth();
    }
    assert.equal(reason.code, 'HF_TIMEOUT');
    assert.equal(countTimers(), timers, 'timers are left');
});

test('timeouts: several waits may share one deadline, and none lasts longer', async () => {
    const [mutex, lock, latch] = [new Mutex(), new RwLock(), new Latch({ count: 1 })];
    mutex.lock();
    lock.lockShared();
    const deadline = deadlineIn(20);
    assert.equal(latch.wait({ deadline }), false);
    assert.ok(performance.now() >= deadline);
    for (const limit of [{ deadline }, { deadline, timeout: 1e6 }, { deadline, signal: null }]) {
        const error = await within(reasonOf(mutex.acquireAsync(limit)), 'the end', [mutex]);
        assert.match(String(error), /after 0 ms/);
    }
    assert.equal(lock.tryAcquire({ deadline, mode: 'exclusive' }), null);
    assert.equal(lock.tryLock({ deadline }), false);
    const error = await within(reasonOf(latch.waitAsync({ deadline })), 'the end', [latch]);
    assert.match(String(error), /after 0 ms/);
    mutex.unlock();
    lock.unlockShared();
    assert.equal(mutex.tryLock({ deadline }), true, 'a free lock needs no time');
    mutex.unlock();
    assertFree(mutex);
});

test('timeouts: deadlineIn returns performance.now() plus its argument', () => {
    const before = performance.now();
    const deadline = deadlineIn(1500.5);
    assert.ok(deadline >= before + 1500.5 && deadline <= performance.now() + 1500.5);
    assert.equal(deadlineIn(Infinity), Infinity);
    assert.ok(deadlineIn(-5) <= performance.now());
    for (const milliseconds of /** @type {any[]} */ ([NaN, '5', null, undefined, {}, 5n])) {
        assert.throws(() => deadlineIn(milliseconds), errorWith('HF_BAD_TIMEOUT', /number in ms/));
    }
});

test('timeouts: a deadline reads performance.now() at each call', async (t) => {
    const mutex = new Mutex();
    mutex.lock();
    t.mock.method(performance, 'now', () => 5000);
    assert.equal(deadlineIn(7), 5007);
    const error = await within(reasonOf(mutex.acquireAsync({ deadline: 5003 })), 'the end', [mutex]);
    assert.match(String(error), /after 3 ms/);
    mutex.unlock();
});

test('timeouts: the error of a timeout, a deadline or AbortSignal.timeout() is named TimeoutError', async () => {
    const mutex = new Mutex();
    mutex.lock();
    for (const limit of [{ timeout: 2 }, { deadline: deadlineIn(2) }, { signal: AbortSignal.timeout(2) }]) {
        const error = await within(reasonOf(mutex.acquireAsync(limit)), 'the end', [mutex]);
        assert.equal(/** @type {Error} */ (error).name, 'TimeoutError');
    }
    mutex.unlock();
    assertFree(mutex);
});
