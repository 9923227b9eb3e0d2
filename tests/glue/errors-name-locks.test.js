/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
    Barrier,
    BinarySemaphore,
    Condition,
    CountingSemaphore,
    Event,
    Latch,
    LockSpace,
    Mutex,
    Once,
    RecursiveMutex,
    RwLock,
} from '../../js-glue/index.js';
import { RecoverableRwLock, RecoverableSemaphore } from '../../js-glue/recoverable.js';

import { makeBoard, reach, reached } from '../support/board.js';
import { reasonOf } from '../support/event-loop.js';
import { startThread } from '../support/thread.js';
import { within } from '../support/watchdog.js';

/* Errors name their lock, and its holder. */

/** @typedef {import('../../js-glue/index.js').HoldfastError} HoldfastError */

/**
 * Each class, with its options and a call that fails.
 * @type {[new (options: any) => any, object, (lock: any) => unknown][]}
 */
const FAIL = [
    [Mutex, {}, (mutex) => mutex.unlock()],
    [RwLock, {}, (lock) => lock.unlock()],
    [RwLock, {}, (lock) => lock.unlockShared()],
    [RecoverableRwLock, {}, (lock) => lock.unlockShared()],
    [RecursiveMutex, {}, (mutex) => mutex.unlock()],
    [BinarySemaphore, {}, (seat) => seat.leave()],
    [CountingSemaphore, { max: 2 }, (seats) => seats.leave()],
    [RecoverableSemaphore, { max: 2 }, (seats) => seats.leave()],
    [Latch, { count: 1 }, (latch) => latch.countDown(2)],
    [Latch, { count: 1 }, (latch) => latch.waitAsync({ timeout: 1 })],
    [Barrier, { parties: 2 }, (barrier) => barrier.arriveAndWaitAsync({ timeout: 1 })],
    [Event, {}, (event) => event.waitAsync({ timeout: 1 })],
    [Event, { autoReset: true }, (event) => event.waitAsync({ timeout: 1 })],
    [Once, {}, (once) => once.run(() => once.run(assert.fail))],
    [Once, {}, (once) => once.runAsync(() => once.runAsync(assert.fail))],
    [Mutex, {}, (mutex) => mutex.execAsync(() => mutex.execAsync(assert.fail))],
    [Mutex, {}, (mutex) => mutex.exec(() => mutex.unlock())],
    [Mutex, {}, (mutex) => mutex.exec(() => mutex.lock())],
    [Mutex, {}, (mutex) => new Condition().wait(mutex)],
    [
        Mutex,
        {},
        (mutex) => {
            const guard = mutex.acquire();
            guard.release();
            guard.release();
        },
    ],
];

/** @param {() => unknown} call @returns {Promise<HoldfastError>} */
async function errorOf(call) {
    return /** @type {any} */ (await reasonOf((async () => call())()));
}

test('errors: an error has the kind, the name and the offset of its lock, and its message names the lock', async () => {
    const space = new LockSpace();
    for (const [index, [Class, options, fail]] of FAIL.entries()) {
        const kind = /** @type {any} */ (Class).KIND;
        const name = `${index}: $& 'orders' %`;
        const named = new Class({ ...options, name });
        for (const lock of [
            new Class({ ...options, space }),
            new Class({ ...options, space, name }),
            named,
            /** @type {any} */ (Class).from(structuredClone(named.handle)),
        ]) {
            const { name } = lock;
            const { byteOffset } = lock;
            const error = await errorOf(() => fail(lock));
            assert.deepEqual(error.lock, { kind, name, byteOffset }, `${kind}, ${error.message}`);
            const title = name ? `${kind} '${name}'` : `${kind} at ${byteOffset}`;
            assert.ok(error.message.includes(title), error.message);
        }
    }
});

test('errors: an error that is not about a lock has no `lock`', async () => {
    const error = await errorOf(() => new Mutex(/** @type {any} */ ({ spaces: 1 })));
    assert.equal(error.code, 'HF_BAD_OPTION');
    assert.equal(error.lock, undefined);
});

test('errors: errors of a timeout and of an unlock by another thread name the lock and its holder', async (t) => {
    const space = new LockSpace();
    const orders = new Mutex({ space, name: 'orders' });
    const board = makeBoard(3);
    const [held, release, released] = [0, 1, 2];
    startThread(t, 'holder', { handle: orders.handle, board, held, release, released });
    await within(reached(board, held), 'the holder', [orders]);
    const late = await errorOf(() => orders.acquireAsync({ timeout: 2 }));
    assert.match(
        late.message,
        /^Timed out after 2 ms waiting for Mutex 'orders', held by worker \d+( for \d\.\d s)?\.$/,
    );
    const refused = await errorOf(() => orders.unlock());
    assert.match(refused.message, /^This thread does not hold Mutex 'orders', held by worker \d+/);
    const later = await errorOf(() => orders.acquireAsync({ timeout: 700 }));
    assert.match(later.message, /^Timed out after 700 ms .* held by worker \d+ for \d\.\d s\.$/);
    reach(board, release);
    await within(reached(board, released), 'the release', [orders]);
});

test('errors: the error of a request whose lock is freed names the lock', async () => {
    const space = new LockSpace();
    const mutex = new Mutex({ space });
    const { byteOffset } = mutex;
    mutex.lock();
    const waits = errorOf(() => mutex.acquireAsync());
    space.free(mutex);
    const error = await within(waits, 'the request', []);
    assert.equal(error.code, 'HF_FREED');
    assert.equal(error.lock?.byteOffset, byteOffset);
    assert.match(error.message, /^This thread has freed Mutex at \d+\.$/);
});
