/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LockSpace, RwLock } from '../../js-glue/index.js';
import { attach } from '../../js-glue/memory/attachment.js';
import { RESULT_OK } from '../../js-glue/memory/layout.js';
import { errorWith } from '../support/errors.js';
import { jobEnds } from '../support/event-loop.js';
import { within } from '../support/watchdog.js';
import { assertFree } from '../support/words.js';

/* unlock() is refused while a section or a guard holds the lock exclusively, as for a mutex. Each test has
 * its own memory, for the same reason as in mutex-unlock-refused.test.js. */

function makeLock() {
    return new RwLock({ space: new LockSpace() });
}

/** @param {RwLock} lock held exclusively by a section or a guard */
function assertRefusesUnlock(lock) {
    assert.equal(attach(lock.memory).sections, 1);
    assert.throws(() => lock.unlock(), errorWith('HF_NOT_OWNER', /A guard or a callback holds \w+ at \d+/));
    assert.equal(lock.tryLock(), false);
    assert.equal(lock.tryLockShared(), false);
}

/** @param {RwLock} lock whose sections and guards have ended */
function assertNoneCounted(lock) {
    assert.equal(attach(lock.memory).sections, 0);
    lock.lock();
    lock.unlock();
    assertFree(lock);
}

/** As code of another program might. @param {RwLock} lock */
function releaseByOtherCode(lock) {
    const { exports, self } = attach(lock.memory);
    assert.equal(exports.rwlock_unlock(lock.byteOffset, self), RESULT_OK);
}

/** @type {Record<string, (lock: RwLock) => unknown>} */
const WAYS = {
    exec: (lock) => lock.exec(() => assertRefusesUnlock(lock)),
    'exec that throws'(lock) {
        const own = new Error('of the callback');
        const callback = () => {
            assertRefusesUnlock(lock);
            throw own;
        };
        assert.throws(
            () => lock.exec(callback),
            (error) => error === own,
        );
    },
    execAsync: (lock) => lock.execAsync(() => assertRefusesUnlock(lock)),
    'execAsync, async': (lock) =>
        lock.execAsync(async () => {
            assertRefusesUnlock(lock);
            await jobEnds();
            assertRefusesUnlock(lock);
        }),
    'execAsync that waits'(lock) {
        lock.lock();
        const section = lock.execAsync(() => assertRefusesUnlock(lock));
        lock.unlock();
        return section;
    },
    acquire(lock) {
        const guard = lock.acquire();
        assertRefusesUnlock(lock);
        assertRefusesUnlock(RwLock.from(lock.handle));
        guard.release();
    },
    tryAcquire(lock) {
        const guard = lock.tryAcquire();
        assertRefusesUnlock(lock);
        guard?.release();
    },
    async acquireAsync(lock) {
        const guard = await lock.acquireAsync();
        const behind = lock.acquireAsync();
        await jobEnds();
        assertRefusesUnlock(lock);
        guard.release();
        const next = await behind;
        assertRefusesUnlock(lock);
        next.release();
    },
};

for (const [name, hold] of Object.entries(WAYS)) {
    test(`rwlock: unlock() is refused during an exclusive section, by ${name}, and allowed after it`, async () => {
        const lock = makeLock();
        await within(Promise.resolve(hold(lock)), 'the section', [lock]);
        assertNoneCounted(lock);
    });
}

test('rwlock: in a shared section, the error of unlock() says that the lock is not held exclusively', () => {
    const lock = makeLock();
    const guard = lock.acquire({ mode: 'shared' });
    lock.exec(() => assert.equal(attach(lock.memory).sections, 0), { mode: 'shared' });
    assert.throws(() => lock.unlock(), errorWith('HF_NOT_OWNER', /does not hold RwLock at \d+ exclusively/));
    guard.release();
    assertNoneCounted(lock);
});

/** @type {Record<string, (lock: RwLock) => void>} */
const TAKES = {
    lock: (lock) => lock.lock(),
    tryLock: (lock) => assert.ok(lock.tryLock()),
    'tryLock(timeout)': (lock) => assert.ok(lock.tryLock(1)),
};

for (const [name, take] of Object.entries(TAKES)) {
    test(`rwlock: a guard that lost its lock does not block unlock() of a later ${name}`, () => {
        const lock = makeLock();
        const guard = lock.acquire();
        releaseByOtherCode(lock);
        take(lock);
        assert.throws(() => guard.release(), errorWith('HF_NOT_OWNER', / was released by /));
        lock.unlock();
        assertNoneCounted(lock);
    });
}

test('rwlock: if the first of two sections has lost the lock, the second still holds the lock', async () => {
    const lock = makeLock();
    const first = lock.acquire();
    releaseByOtherCode(lock);
    const second = await lock.acquireAsync();
    assertRefusesUnlock(lock);
    assert.throws(() => first.release(), errorWith('HF_NOT_OWNER', / was released by /));
    assertRefusesUnlock(lock);
    second.release();
    assertNoneCounted(lock);
});
