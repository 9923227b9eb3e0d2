/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTask } from 'node:timers/promises';
import { Guard, RwLock } from '../../js-glue/index.js';
import { waitWithoutLimit } from '../support/endless.js';
import { errorWith } from '../support/errors.js';
import { jobEnds, reasonOf } from '../support/event-loop.js';
import { messageOf, startThread } from '../support/thread.js';
import { within } from '../support/watchdog.js';
import { assertFree, wordsOf } from '../support/words.js';

/* The reader-writer lock on one thread. The tests for all kinds of waits are in primitives-waits.test.js. */

waitWithoutLimit();

/** @typedef {import('../../js-glue/index.js').LockMode} LockMode */

/** @type {LockMode[]} */
const MODES = ['shared', 'exclusive'];

/** @type {<T>(promise: Promise<T>, lock: RwLock) => Promise<T>} */
const met = (promise, lock) => within(promise, 'a request', [lock]);

/** @param {RwLock} lock @returns {'free' | LockMode} */
function stateOf(lock) {
    if (lock.tryLock()) {
        lock.unlock();
        return 'free';
    }
    if (lock.tryLockShared()) {
        lock.unlockShared();
        return 'shared';
    }
    return 'exclusive';
}

test('rwlock: a new lock is free', () => {
    const lock = new RwLock();
    assertFree(lock);
    assert.equal(stateOf(lock), 'free');
    assertFree(lock);
});

test('rwlock: lock() excludes readers and writers, and lockShared() excludes writers', () => {
    const lock = new RwLock();
    lock.lock();
    assert.equal(stateOf(lock), 'exclusive');
    lock.unlock();
    assertFree(lock);
    lock.lockShared();
    lock.lockShared();
    assert.equal(stateOf(lock), 'shared');
    lock.unlockShared();
    assert.equal(stateOf(lock), 'shared');
    lock.unlockShared();
    assertFree(lock);
});

test('rwlock: tryLock and tryLockShared acquire a free lock with any timeout', () => {
    const lock = new RwLock();
    for (const timeout of [undefined, 0, -1, -Infinity, 0.001, 5, 1e12, Infinity]) {
        assert.equal(lock.tryLock(timeout), true);
        lock.unlock();
        assert.equal(lock.tryLockShared(timeout), true);
        assert.equal(lock.tryLockShared(timeout), true);
        lock.unlockShared();
        lock.unlockShared();
    }
    assertFree(lock);
});

test('rwlock: an exclusive holder that asks again gets HF_DEADLOCK', async () => {
    const lock = new RwLock();
    lock.lock();
    const words = wordsOf(lock);
    const isBad = errorWith('HF_DEADLOCK', /already holds RwLock at \d+.*acquireAsync\(\)/);
    for (const again of [
        () => lock.lock(),
        () => lock.lockShared(),
        () => lock.tryLock(5),
        () => lock.tryLockShared(5),
        ...MODES.flatMap((mode) => [() => lock.exec(assert.fail, { mode }), () => lock.acquire({ mode })]),
    ]) {
        assert.throws(again, isBad);
    }
    assert.equal(lock.tryLock(), false);
    assert.equal(lock.tryLockShared(), false);
    assert.deepEqual(wordsOf(lock), words);
    lock.unlock();
    for (const mode of MODES) {
        const nested = lock.execAsync(() => lock.execAsync(() => {}, { mode }));
        await assert.rejects(met(nested, lock), errorWith('HF_DEADLOCK', /returned a request for RwLock at/));
        await met(
            lock.execAsync(() => {}),
            lock,
        );
    }
    assertFree(lock);
});

test('rwlock: unlock in the wrong mode, or of a free lock, is refused and changes nothing', () => {
    const lock = new RwLock();
    const notMine = errorWith(
        'HF_NOT_OWNER',
        /does not hold RwLock at \d+ exclusively.*call unlockShared\(\)/,
    );
    const nobodys = errorWith('HF_NOT_OWNER', /Nobody holds RwLock at \d+ shared.*call unlock\(\)/);
    assert.throws(() => lock.unlock(), notMine);
    assert.throws(() => lock.unlockShared(), nobodys);
    assertFree(lock);
    lock.lock();
    const locked = wordsOf(lock);
    assert.throws(() => lock.unlockShared(), nobodys);
    assert.deepEqual(wordsOf(lock), locked);
    lock.unlock();
    lock.lockShared();
    const shared = wordsOf(lock);
    assert.throws(() => lock.unlock(), notMine);
    assert.deepEqual(wordsOf(lock), shared);
    lock.unlockShared();
    assertFree(lock);
});

for (const mode of MODES) {
    test(`rwlock: ${mode}, exec returns the result, and releases whatever the callback does`, () => {
        const lock = new RwLock();
        assert.equal(
            lock.exec(() => stateOf(lock), { mode }),
            mode,
        );
        const error = new Error('of the callback');
        assert.throws(
            () =>
                lock.exec(
                    () => {
                        throw error;
                    },
                    { mode },
                ),
            error,
        );
        assert.throws(
            () => lock.exec(/** @type {any} */ (async () => {}), { mode }),
            errorWith('HF_BAD_CALLBACK', /Use execAsync\(\)/),
        );
        assertFree(lock);
    });

    test(`rwlock: ${mode}, execAsync holds the lock until the promise settles`, async () => {
        const lock = new RwLock();
        const error = new Error('of the callback');
        for (const contended of [false, true]) {
            if (contended) {
                lock.lock();
            }
            const first = lock.execAsync(
                async () => {
                    await jobEnds();
                    return stateOf(lock);
                },
                { mode },
            );
            const second = reasonOf(
                lock.execAsync(
                    async () => {
                        await jobEnds();
                        throw error;
                    },
                    { mode },
                ),
            );
            const third = reasonOf(
                lock.execAsync(
                    () => {
                        throw error;
                    },
                    { mode },
                ),
            );
            if (contended) {
                await jobEnds();
                lock.unlock();
            }
            assert.equal(await met(first, lock), mode);
            assert.deepEqual(await met(Promise.all([second, third]), lock), [error, error]);
            assertFree(lock);
        }
    });

    test(`rwlock: ${mode}, a guard releases once`, async () => {
        const lock = new RwLock();
        for (const take of [() => lock.acquire({ mode }), () => lock.acquireAsync({ mode })]) {
            const guard = await take();
            assert.ok(guard instanceof Guard);
            assert.equal(stateOf(lock), mode);
            guard.release();
            assertFree(lock);
            assert.throws(() => guard.release(), errorWith('HF_NOT_OWNER', /is already released/));
            assertFree(lock);
        }
    });
}

test('rwlock: exclusive is the default', async () => {
    const lock = new RwLock();
    assert.equal(
        lock.exec(() => stateOf(lock)),
        'exclusive',
    );
    assert.equal(await lock.execAsync(() => stateOf(lock)), 'exclusive');
    for (const take of [
        () => lock.acquire(),
        () => lock.acquireAsync(),
        () => lock.acquireAsync({ timeout: 5 }),
    ]) {
        const guard = await take();
        assert.equal(stateOf(lock), 'exclusive');
        guard.release();
    }
});

test('rwlock: shared sections of one thread run side by side, an exclusive one alone, in the order made', async () => {
    const lock = new RwLock();
    /** @type {string[]} */
    const order = [];
    /** @param {string} name @param {LockMode} mode */
    const section = (name, mode) =>
        lock.execAsync(
            async () => {
                order.push(`${name}+`);
                await jobEnds();
                await jobEnds();
                order.push(`${name}-`);
            },
            { mode },
        );
    lock.lock();
    const all = [
        section('r1', 'shared'),
        section('r2', 'shared'),
        section('w1', 'exclusive'),
        section('r3', 'shared'),
        section('r4', 'shared'),
        section('w2', 'exclusive'),
    ];
    await jobEnds();
    lock.unlock();
    await met(Promise.all(all), lock);
    const phases = ['r1+ r2+ r1- r2-', 'w1+ w1-', 'r3+ r4+ r3- r4-', 'w2+ w2-'];
    assert.equal(order.join(' '), phases.join(' '));
    assertFree(lock);
});

test('rwlock: when a waiting writer times out or aborts, the readers behind it acquire the lock', async () => {
    const lock = new RwLock();
    const controller = new AbortController();
    lock.lockShared();
    const writer = reasonOf(lock.execAsync(assert.fail, { signal: controller.signal }));
    const reader = lock.execAsync(() => 7, { mode: 'shared' });
    await jobEnds();
    controller.abort();
    await met(writer, lock);
    assert.equal(await met(reader, lock), 7);
    lock.unlockShared();
    assertFree(lock);
});

test('rwlock: while a writer waits, a reader of another thread does not overtake it', async (t) => {
    const lock = new RwLock();
    lock.lockShared();
    const writer = lock.execAsync(() => 'written');
    await jobEnds();
    const reader = startThread(t, 'rwlock-reader', lock.handle);
    assert.equal(await messageOf(reader, 'a try', [lock]), false);
    const read = messageOf(reader, 'a read', [lock]);
    lock.unlockShared();
    assert.equal(await met(writer, lock), 'written');
    assert.equal(await read, true);
    assertFree(lock);
});

test('rwlock: a pending write request keeps new reads of its own thread out, and is granted', async () => {
    const rwlock = new RwLock();
    rwlock.lockShared();
    await nextTask(); // if a turn were due, the request would begin after it
    const request = rwlock.execAsync(() => 7);
    await jobEnds();
    assert.ok(!rwlock.tryLockShared());
    rwlock.unlockShared();
    assert.equal(await met(request, rwlock), 7);
});
