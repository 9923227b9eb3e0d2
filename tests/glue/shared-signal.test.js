/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Barrier, Condition, CountingSemaphore, Latch, Mutex, RwLock } from '../../js-glue/index.js';
import { BURST_MS } from '../../js-glue/thread/times.js';
import { runChild } from '../support/child.js';
import { waitWithoutLimit } from '../support/endless.js';
import { countTimers, jobEnds } from '../support/event-loop.js';
import { within } from '../support/watchdog.js';
import { assertAtRest, assertFree, restOf } from '../support/words.js';

/* One signal ends several requests of different kinds: each ends once, and all other requests continue. */

waitWithoutLimit();

/**
 * @param {Promise<unknown>[]} requests that were given up
 * @param {unknown} reason
 * @param {import('../../js-glue/memory/placed.js').Placed[]} objects
 */
async function assertGivenUp(requests, reason, objects) {
    const settled = await within(Promise.allSettled(requests), 'those given up', objects);
    for (const result of settled) {
        assert.ok(result.status === 'rejected');
        assert.equal(result.reason, reason);
    }
}

/** @type {[name: string, amounts: number[]][]} */
const ORDERS = [
    ['a large request and a small one', [2, 1]],
    ['a small request and a large one', [1, 2]],
    ['many requests, large and small', [2, 1, 2, 2, 1, 1, 2, 1]],
];

for (const [name, amounts] of ORDERS) {
    for (const between of [false, true]) {
        const where = between ? 'between them' : 'behind them';

        test(`one signal, ${name}: after the abort, a request ${where} without the signal enters a semaphore`, async () => {
            const timers = countTimers();
            const semaphore = new CountingSemaphore({ initial: 0, max: 4 });
            const rest = restOf(semaphore);
            const controller = new AbortController();
            const { signal } = controller;
            /** @type {Promise<void>[]} */
            const others = [];
            const ended = amounts.map((permits) => {
                const request = semaphore.enterAsync({ permits, signal });
                if (between) {
                    others.push(semaphore.enterAsync({ permits: 1 }));
                }
                return request;
            });
            others.push(semaphore.enterAsync({ permits: 2 }));
            await jobEnds();
            const reason = new Error('enough');
            controller.abort(reason);
            await assertGivenUp(ended, reason, [semaphore]);
            for (const [index, other] of others.entries()) {
                semaphore.leave(index === others.length - 1 ? 2 : 1);
                await within(other, `request ${index}`, [semaphore]);
            }
            await jobEnds();
            assertAtRest(semaphore, rest);
            assert.equal(countTimers(), timers, 'timers are left');
        });

        test(`one signal, ${name}: after the abort, a request ${where} without the signal acquires a reader-writer lock`, async () => {
            const timers = countTimers();
            const lock = new RwLock();
            const controller = new AbortController();
            const { signal } = controller;
            const holder = await lock.acquireAsync();
            /** @type {Promise<number>[]} */
            const others = [];
            const ended = amounts.map((amount) => {
                const request = lock.execAsync(assert.fail, {
                    mode: amount === 1 ? 'shared' : 'exclusive',
                    signal,
                });
                if (between) {
                    others.push(lock.execAsync(() => 7, { mode: 'shared' }));
                }
                return request;
            });
            others.push(lock.execAsync(() => 7));
            await jobEnds();
            const reason = new Error('enough');
            controller.abort(reason);
            await assertGivenUp(ended, reason, [lock]);
            holder.release();
            const values = await within(Promise.all(others), 'the others', [lock]);
            assert.ok(values.every((value) => value === 7));
            await jobEnds();
            assertFree(lock);
            assert.equal(countTimers(), timers, 'timers are left');
        });
    }
}

test('one signal: if the lock is released just before the abort, a request without the signal acquires it', async () => {
    const lock = new RwLock();
    const controller = new AbortController();
    const { signal } = controller;
    lock.lock();
    const writer = lock.execAsync(assert.fail, { signal });
    const reader = lock.execAsync(assert.fail, { mode: 'shared', signal });
    const behind = lock.execAsync(() => 7);
    await jobEnds();
    lock.unlock();
    controller.abort();
    await assertGivenUp([writer, reader], signal.reason, [lock]);
    assert.equal(await within(behind, 'the request behind', [lock]), 7);
    await jobEnds();
    assertFree(lock);
});

test('one signal: condition waits that began before and after a notify each end once', async () => {
    const timers = countTimers();
    const mutex = new Mutex();
    const condition = new Condition();
    const rest = restOf(condition);
    const controller = new AbortController();
    const { signal } = controller;
    const wait = (/** @type {import('../../js-glue/condition.js').ConditionOptions} */ options = {}) =>
        mutex.execAsync(() => condition.waitAsync(mutex, options));
    const notified = wait();
    const former = wait({ signal });
    await jobEnds();
    condition.notify(1); // releases the first; the second is then a waiter of an earlier epoch
    await within(notified, 'the first wait', [mutex, condition]);
    const present = wait({ signal });
    const plain = wait();
    await jobEnds();
    controller.abort();
    await assertGivenUp([former, present], signal.reason, [mutex, condition]);
    // The count is right if a notify releases all, and afterwards no waiter is left.
    condition.notify();
    await within(plain, 'a wait without the signal', [mutex, condition]);
    await jobEnds();
    assertAtRest(condition, rest);
    const later = wait();
    await jobEnds();
    condition.notify(1);
    await within(later, 'a later wait', [mutex, condition]);
    assertAtRest(condition, rest);
    assertFree(mutex);
    assert.equal(countTimers(), timers, 'timers are left');
});

test('one signal: barrier arrivals of different rounds are each withdrawn once, and the rounds go on', async () => {
    const barrier = new Barrier({ parties: 2 });
    const rest = restOf(barrier);
    const controller = new AbortController();
    const { signal } = controller;
    // A wait of the first round is still in the queue when the round is over, and one of the next round comes
    // behind it.
    const first = barrier.arriveAndWaitAsync({ signal });
    await jobEnds();
    const last = barrier.arriveAndWaitAsync();
    const next = barrier.arriveAndWaitAsync({ signal });
    controller.abort();
    assert.equal(await within(last, 'the last of the first round', [barrier]), true);
    assert.equal(await within(first, 'the first of the first round', [barrier]), false);
    await assertGivenUp([next], signal.reason, [barrier]);
    assertAtRest(barrier, rest);
    for (let round = 0; round < 3; round += 1) {
        const both = [barrier.arriveAndWaitAsync(), barrier.arriveAndWaitAsync()];
        const lasts = await within(Promise.all(both), `round ${round}`, [barrier]);
        assert.deepEqual(lasts, [false, true]);
    }
    assertAtRest(barrier, rest);
});

test('one signal: waits for several objects each end once', async () => {
    const objects = [new CountingSemaphore({ initial: 0, max: 3 }), new Latch({ count: 1 }), new RwLock()];
    const [semaphore, latch, lock] = /** @type {[CountingSemaphore, Latch, RwLock]} */ (objects);
    const controller = new AbortController();
    const { signal } = controller;
    lock.lock();
    const ended = [
        semaphore.enterAsync({ permits: 3, signal }),
        latch.waitAsync({ signal }),
        lock.execAsync(assert.fail, { signal }),
        semaphore.enterAsync({ permits: 1, signal }),
        lock.execAsync(assert.fail, { mode: 'shared', signal }),
    ];
    const rest = [semaphore.enterAsync(), latch.waitAsync(), lock.execAsync(() => 7)];
    await jobEnds();
    controller.abort();
    await assertGivenUp(ended, signal.reason, objects);
    semaphore.leave();
    latch.countDown();
    lock.unlock();
    await within(Promise.all(rest), 'those without the signal', objects);
});

test('one signal: a request made in an abort handler, without the signal, is granted', async () => {
    const semaphore = new CountingSemaphore({ initial: 0, max: 3 });
    const controller = new AbortController();
    const { signal } = controller;
    /** @type {Promise<void> | undefined} */
    let later;
    signal.addEventListener('abort', () => (later = semaphore.enterAsync({ permits: 3 })));
    const ended = [2, 1, 3].map((permits) => semaphore.enterAsync({ permits, signal }));
    const behind = semaphore.enterAsync();
    await jobEnds();
    controller.abort();
    await assertGivenUp(ended, signal.reason, [semaphore]);
    semaphore.leave();
    await within(behind, 'the one behind', [semaphore]);
    semaphore.leave(3);
    await within(Promise.resolve(later), 'the later one', [semaphore]);
});

test('one signal: the process lives until requests without the signal are granted, and then ends', async () => {
    const { code, stdout, stderr } = await runChild('one-signal-lives');
    assert.equal(code, 0, `code ${code}: ${stderr}`);
    assert.equal(stdout, 'met');
});

test('one signal: the listener is removed only once, even if the queue runs before the listener', async (t) => {
    const mutex = new Mutex();
    const signal = new AbortController();
    const removals = t.mock.method(signal.signal, 'removeEventListener');
    const earlier = new AbortController();
    mutex.lock();
    const first = mutex.execAsync(() => {}, { signal: earlier.signal });
    await jobEnds();
    earlier.abort(); // begins a burst
    const end = performance.now() + 2 * BURST_MS;
    while (performance.now() < end) {
        // the burst has ended by then
    }
    const second = mutex.execAsync(() => {}, { signal: signal.signal });
    signal.abort();
    mutex.unlock();
    await assert.rejects(within(first, 'the first one', [mutex]), { name: 'AbortError' });
    await assert.rejects(within(second, 'the second one', [mutex]), { name: 'AbortError' });
    assert.equal(removals.mock.callCount(), 1);
});
