/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
    Barrier,
    Condition,
    CountingSemaphore,
    Event,
    Latch,
    Mutex,
    Once,
    RwLock,
    TimeoutError,
} from '../../js-glue/index.js';
import { within } from '../support/watchdog.js';

/* The result of each method at its time limit: docs/guide.md has the rule and the table. */

/**
 * Calls that cannot be granted, with their expected results, without and with a wait.
 * @type {[string, () => unknown, unknown][]}
 */
const TOLD = [];
{
    const [mutex, lock, seats] = [new Mutex(), new RwLock(), new CountingSemaphore({ initial: 0, max: 2 })];
    const [event, turn] = [new Event(), new Event({ autoReset: true })];
    const [latch, barrier] = [new Latch({ count: 1 }), new Barrier({ parties: 2 })];
    const [held, condition, once] = [new Mutex(), new Condition(), new Once()];
    const alone = new RwLock();
    alone.lock();
    mutex.lock();
    lock.lockShared();
    held.lock();
    void once.runAsync(() => new Promise(() => {})).catch(() => {});
    const asked = (/** @type {number} */ timeout) => ({ timeout });
    for (const timeout of [0, -1, 2]) {
        TOLD.push(
            ['RwLock.tryLock', () => lock.tryLock(timeout), false],
            ['RwLock.tryAcquire', () => lock.tryAcquire({ timeout }), null],
            ['CountingSemaphore.tryEnter', () => seats.tryEnter({ timeout, permits: 2 }), false],
            ['CountingSemaphore.tryAcquire', () => seats.tryAcquire({ timeout, permits: 2 }), null],
            ['Event.wait', () => event.wait(timeout), false],
            ['Event.wait, with autoReset', () => turn.wait(timeout), false],
            ['Latch.wait', () => latch.wait(timeout), false],
            ['Condition.waitFor', () => condition.waitFor(held, { timeout }), false],
            [
                'Condition.waitFor a predicate',
                () => condition.waitFor(held, { timeout, predicate: () => false }),
                false,
            ],
            ['Barrier.arriveAndWait', () => barrier.arriveAndWait(timeout), null],
            ['Mutex.execAsync', () => mutex.execAsync(assert.fail, asked(timeout)), TimeoutError],
            ['Mutex.executeLocked', () => mutex.executeLocked(assert.fail, asked(timeout)), TimeoutError],
            ['Mutex.acquireAsync', () => mutex.acquireAsync(asked(timeout)), TimeoutError],
            ['Mutex.recoverAsync', () => mutex.recoverAsync(assert.fail, asked(timeout)), TimeoutError],
            ['RwLock.execAsync', () => lock.execAsync(assert.fail, asked(timeout)), TimeoutError],
            ['RwLock.acquireAsync', () => lock.acquireAsync(asked(timeout)), TimeoutError],
            ['CountingSemaphore.execAsync', () => seats.execAsync(assert.fail, asked(timeout)), TimeoutError],
            ['CountingSemaphore.enterAsync', () => seats.enterAsync(asked(timeout)), TimeoutError],
            ['CountingSemaphore.acquireAsync', () => seats.acquireAsync(asked(timeout)), TimeoutError],
            ['Condition.waitAsync', () => condition.waitAsync(held, asked(timeout)), TimeoutError],
            ['Event.waitAsync', () => event.waitAsync(asked(timeout)), TimeoutError],
            ['Event.waitAsync, with autoReset', () => turn.waitAsync(asked(timeout)), TimeoutError],
            ['Latch.waitAsync', () => latch.waitAsync(asked(timeout)), TimeoutError],
            ['Barrier.arriveAndWaitAsync', () => barrier.arriveAndWaitAsync(asked(timeout)), TimeoutError],
            ['Once.runAsync', () => once.runAsync(assert.fail, asked(timeout)), TimeoutError],
        );
    }
    TOLD.push(
        ['Mutex.tryLock', () => mutex.tryLock(), false],
        ['Mutex.tryAcquire', () => mutex.tryAcquire(), null],
        ['RwLock.tryLockShared', () => alone.tryLockShared(), false],
        ['RwLock.tryAcquire, shared', () => alone.tryAcquire({ mode: 'shared' }), null],
    );
}

test('timeouts: at the timeout blocking methods return false or null, and promises reject with a TimeoutError', async () => {
    for (const [title, wait, expected] of TOLD) {
        /** @type {any} */
        let told;
        try {
            const result = wait();
            const isAsync = result instanceof Promise;
            assert.equal(isAsync, /Async|executeLocked/.test(title), title);
            told = await within(Promise.resolve(result), title, []);
        } catch (error) {
            told = error instanceof TimeoutError ? error.constructor : error;
        }
        assert.equal(told, expected, title);
    }
});
