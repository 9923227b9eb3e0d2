/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LockSpace, RwLock } from '../../js-glue/index.js';
import { RecoverableRwLock } from '../../js-glue/recoverable.js';
import { attach } from '../../js-glue/memory/attachment.js';
import { RESULT_OK } from '../../js-glue/memory/layout.js';
import { makeBoard, reach, reached } from '../support/board.js';
import { waitWithoutLimit } from '../support/endless.js';
import { errorWith } from '../support/errors.js';
import { jobEnds } from '../support/event-loop.js';
import { messageOf, startThread } from '../support/thread.js';
import { within } from '../support/watchdog.js';
import { assertFree, wordsOf } from '../support/words.js';

/* A writer that continues as a reader. tests/games/rwlock.js and the models show that no writer gets in
 * between. */

waitWithoutLimit();

const NOTHING_TO_DOWNGRADE = errorWith(
    'HF_NOT_OWNER',
    /does not hold \w+ at \d+ exclusively or upgradable, so it has nothing to downgrade/,
);

/** @type {<T>(promise: Promise<T>, lock: RwLock) => Promise<T>} */
const met = (promise, lock) => within(promise, 'a request', [lock]);

/** Each has a memory of its own, since sections are counted there. */
const CLASSES = [
    { name: 'recoverable rwlock', make: () => new RecoverableRwLock({ space: new LockSpace() }) },
    { name: 'rwlock', make: () => new RwLock({ space: new LockSpace() }) },
];

/** @param {RwLock} lock */
function assertShared(lock) {
    assert.equal(lock.tryLock(), false);
    assert.equal(lock.tryLockShared(), true);
    lock.unlockShared();
}

/** Checks that no section is counted and no word is left. @param {RwLock} lock */
function assertNoneLeft(lock) {
    assert.equal(attach(lock.memory).sections, 0);
    assertFree(lock);
}

/** @type {[name: string, take: (lock: RwLock) => void][]} */
const TAKES = [
    ['lock', (lock) => lock.lock()],
    ['tryLock', (lock) => assert.ok(lock.tryLock())],
    ['tryLock(timeout)', (lock) => assert.ok(lock.tryLock(1))],
];

/** @type {[name: string, acquire: (lock: RwLock) => any][]} */
const ACQUIRES = [
    ['acquire', (lock) => lock.acquire()],
    ['tryAcquire', (lock) => lock.tryAcquire()],
    ['acquireAsync', (lock) => met(lock.acquireAsync(), lock)],
];

for (const { name, make } of CLASSES) {
    for (const [way, take] of TAKES) {
        test(`${name}: after ${way}, downgrade() makes the writer a reader`, () => {
            const lock = make();
            take(lock);
            lock.downgrade();
            assertShared(lock);
            assert.throws(() => lock.unlock(), { code: 'HF_NOT_OWNER' });
            lock.unlockShared();
            assertNoneLeft(lock);
        });
    }

    for (const [way, acquire] of ACQUIRES) {
        test(`${name}: a guard of ${way} is a reader from its downgrade to its release`, async () => {
            const lock = make();
            const guard = await acquire(lock);
            guard.downgrade();
            assertShared(lock);
            assert.equal(guard.released, false);
            assert.throws(() => guard.downgrade(), NOTHING_TO_DOWNGRADE);
            assertShared(lock);
            guard.release();
            assert.equal(guard.released, true);
            assert.throws(() => guard.downgrade(), NOTHING_TO_DOWNGRADE);
            assertNoneLeft(lock);
        });
    }

    test(`${name}: a downgrade of a lock that is not held exclusively is refused, and changes nothing`, () => {
        const lock = make();
        assert.throws(() => lock.downgrade(), NOTHING_TO_DOWNGRADE);
        assertNoneLeft(lock);
        lock.lockShared();
        const shared = wordsOf(lock);
        assert.throws(() => lock.downgrade(), NOTHING_TO_DOWNGRADE);
        assert.deepEqual(wordsOf(lock), shared);
        lock.unlockShared();
        const guard = lock.acquire({ mode: 'shared' });
        assert.throws(() => guard.downgrade(), NOTHING_TO_DOWNGRADE);
        assert.deepEqual(wordsOf(lock), shared);
        guard.release();
        assertNoneLeft(lock);
    });

    test(`${name}: downgrade() is refused while a callback or a guard holds the lock`, async () => {
        const lock = make();
        const isRefused = () => {
            const words = wordsOf(lock);
            assert.throws(() => lock.downgrade(), errorWith('HF_NOT_OWNER', /A guard or a callback holds/));
            assert.deepEqual(wordsOf(lock), words);
        };
        lock.exec(isRefused);
        await met(lock.execAsync(isRefused), lock);
        const guard = lock.acquire();
        isRefused();
        guard.release();
        assertNoneLeft(lock);
    });

    test(`${name}: after the downgrade of a guard, unlock() of a later lock() releases that lock()`, () => {
        const lock = make();
        const guard = lock.acquire();
        guard.downgrade();
        guard.release();
        lock.lock();
        lock.unlock();
        assert.throws(() => guard.release(), errorWith('HF_NOT_OWNER', /already released/));
        assertNoneLeft(lock);
    });

    test(`${name}: requests made after a guard's downgrade are granted`, async () => {
        const lock = make();
        const guard = lock.acquire();
        guard.downgrade();
        const [writer, reader] = [lock.execAsync(() => 1), lock.execAsync(() => 2, { mode: 'shared' })];
        guard.release();
        assert.deepEqual(await met(Promise.all([writer, reader]), lock), [1, 2]);
        assertNoneLeft(lock);
    });
}

for (const by of ['lock', 'a guard']) {
    test(`rwlock: downgrade of ${by} lets waiting readers in, and no writer`, async (t) => {
        const lock = new RwLock({ space: new LockSpace() });
        const guard = by === 'lock' ? undefined : lock.acquire();
        if (!guard) {
            lock.lock();
        }
        const [own, written] = [
            lock.execAsync(() => assertShared(lock), { mode: 'shared' }),
            lock.execAsync(() => 'written'),
        ];
        const reader = startThread(t, 'rwlock-reader', lock.handle);
        assert.equal(await messageOf(reader, 'a try', [lock]), false);
        const read = messageOf(reader, 'a read', [lock]);
        await jobEnds();
        (guard ?? lock).downgrade();
        await met(own, lock);
        if (guard) {
            guard.release();
        } else {
            lock.unlockShared();
        }
        assert.equal(await met(written, lock), 'written');
        assert.equal(await read, true);
        assertNoneLeft(lock);
    });
}

test('rwlock: downgrade by another thread is refused, and changes nothing', async (t) => {
    const lock = new RwLock();
    const board = makeBoard(3);
    const [held, release, released] = [0, 1, 2];
    startThread(t, 'rwlock-holder', { handle: lock.handle, board, held, release, released });
    await within(reached(board, held), 'the holder', [lock]);
    const words = wordsOf(lock);
    assert.throws(() => lock.downgrade(), NOTHING_TO_DOWNGRADE);
    assert.deepEqual(wordsOf(lock), words);
    reach(board, release);
    await within(reached(board, released), 'the release', [lock]);
    assertFree(lock);
});

test('rwlock: a guard that has lost its lock is not downgraded', () => {
    const lock = new RwLock({ space: new LockSpace() });
    const { exports, self } = attach(lock.memory);
    const guard = lock.acquire();
    assert.equal(exports.rwlock_unlock(lock.byteOffset, self), RESULT_OK); // as code of another program might
    assert.throws(() => guard.downgrade(), NOTHING_TO_DOWNGRADE);
    lock.lock();
    assert.throws(() => guard.downgrade(), NOTHING_TO_DOWNGRADE);
    lock.unlock();
    assert.throws(() => guard.release(), errorWith('HF_NOT_OWNER', / was released by /));
    assertNoneLeft(lock);
});
