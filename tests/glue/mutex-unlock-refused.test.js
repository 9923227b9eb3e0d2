/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { attach } from '../../js-glue/memory/attachment.js';
import { Condition, LockSpace, Mutex } from '../../js-glue/index.js';
import { errorWith } from '../support/errors.js';
import { jobEnds } from '../support/event-loop.js';
import { within } from '../support/watchdog.js';
import { assertFree } from '../support/words.js';

/* unlock() is refused while a section or a guard holds the mutex, and releases it itself. The glue counts the
 * holds of sections and guards in each memory, and searches for one only while the count is not 0. So each
 * test has its own memory: in a used one, a wrong count could look right. */

function makeMutex() {
    return new Mutex({ space: new LockSpace() });
}

/** @param {Mutex} mutex */
function countAt(mutex) {
    return attach(mutex.memory).sections;
}

/**
 * @param {Mutex} mutex held by a section or a guard
 * @param {number} [count] the number of mutexes in its memory that are held in this way
 */
function assertRefusesUnlock(mutex, count = 1) {
    assert.equal(countAt(mutex), count);
    assert.throws(() => mutex.unlock(), errorWith('HF_NOT_OWNER', /A guard or a callback holds \w+ at \d+/));
    assert.equal(mutex.tryLock(), false);
}

/** @param {Mutex} mutex whose sections and guards have ended */
function assertNoneCounted(mutex) {
    assert.equal(countAt(mutex), 0);
    mutex.lock();
    mutex.unlock();
    assertFree(mutex);
}

/** @type {[string, (mutex: Mutex) => unknown][]} */
const WAYS = [
    ['exec', (mutex) => mutex.exec(() => assertRefusesUnlock(mutex))],
    ['execAsync', (mutex) => mutex.execAsync(() => assertRefusesUnlock(mutex))],
    [
        'execAsync, async',
        (mutex) =>
            mutex.execAsync(async () => {
                assertRefusesUnlock(mutex);
                await undefined;
                assertRefusesUnlock(mutex);
            }),
    ],
    [
        'execAsync that waits',
        (mutex) => {
            mutex.lock();
            const section = mutex.execAsync(() => assertRefusesUnlock(mutex));
            mutex.unlock();
            return section;
        },
    ],
    [
        'acquire',
        (mutex) => {
            const guard = mutex.acquire();
            assertRefusesUnlock(mutex);
            guard.release();
        },
    ],
    [
        'acquireAsync',
        async (mutex) => {
            const guard = await mutex.acquireAsync();
            assertRefusesUnlock(mutex);
            guard.release();
        },
    ],
];

for (const [name, hold] of WAYS) {
    test(`mutex: unlock() is refused during the first section in a memory, by ${name}, and allowed after it`, async () => {
        const mutex = makeMutex();
        await within(Promise.resolve(hold(mutex)), 'the section', [mutex]);
        assertNoneCounted(mutex);
    });
}

test('mutex: unlock is refused during a section, even after sections of other mutexes have ended', async () => {
    const space = new LockSpace();
    const mutex = new Mutex({ space });
    const neighbour = new Mutex({ space });
    const guard = mutex.acquire();
    await neighbour.execAsync(() => assertRefusesUnlock(neighbour, 2));
    assertRefusesUnlock(mutex);
    neighbour.lock();
    neighbour.unlock();
    guard.release();
    assertNoneCounted(mutex);
});

test('mutex: a guard that lost its lock does not block unlock() of a later lock()', () => {
    const mutex = makeMutex();
    const guard = mutex.acquire();
    const { exports, self } = attach(mutex.memory);
    exports.mutex_unlock(mutex.byteOffset, self); // as another program's code might
    mutex.lock();
    assert.equal(countAt(mutex), 0);
    mutex.unlock();
    assert.throws(() => guard.release(), errorWith('HF_NOT_OWNER', / was released by /));
    assertNoneCounted(mutex);
});

test('mutex: unlock() is allowed while a section waits for a condition, and refused once the section goes on', async () => {
    const mutex = makeMutex();
    const condition = new Condition({ space: LockSpace.attach(mutex.memory) });
    const section = mutex.execAsync(async () => {
        const notified = condition.waitAsync(mutex);
        assert.equal(countAt(mutex), 0);
        await notified;
        assertRefusesUnlock(mutex);
    });
    mutex.lock();
    condition.notify();
    mutex.unlock();
    await within(section, 'the section', [mutex, condition]);
    assertNoneCounted(mutex);
});

test('mutex: unlock is refused while a guard of acquireAsync holds the lock, and the guard releases it', async () => {
    const mutex = makeMutex();
    const guard = await mutex.acquireAsync();
    assertRefusesUnlock(mutex);
    const behind = mutex.acquireAsync();
    await jobEnds();
    assertRefusesUnlock(mutex);
    guard.release();
    const next = await within(behind, 'the guard behind', [mutex]);
    assertRefusesUnlock(mutex);
    next.release();
    assertNoneCounted(mutex);
});

test('mutex: unlock is refused inside execAsync, and the section continues', async () => {
    const mutex = makeMutex();
    const section = async () => {
        assertRefusesUnlock(mutex);
        await jobEnds();
        assertRefusesUnlock(mutex);
        return 7;
    };
    const both = Promise.all([mutex.execAsync(section), mutex.execAsync(section)]);
    assert.deepEqual(await within(both, 'both sections', [mutex]), [7, 7]);
    const short = mutex.execAsync(() => assertRefusesUnlock(mutex));
    await within(short, 'a section that is not async', [mutex]);
    assertNoneCounted(mutex);
});

test('mutex: unlock by another object of the same mutex is refused as well', async () => {
    const mutex = makeMutex();
    const guard = await mutex.acquireAsync();
    assertRefusesUnlock(Mutex.from(mutex.handle));
    guard.release();
    assertNoneCounted(mutex);
});

test('mutex: unlock is refused inside exec, which releases the lock whatever its callback does', () => {
    const mutex = makeMutex();
    assert.equal(
        mutex.exec(() => {
            assertRefusesUnlock(mutex);
            return 7;
        }),
        7,
    );
    assertFree(mutex);
    const own = new Error('of the callback');
    const callback = () => {
        assertRefusesUnlock(mutex);
        throw own;
    };
    assert.throws(
        () => mutex.exec(callback),
        (error) => error === own,
    );
    assertNoneCounted(mutex);
});

test('mutex: unlock is refused while a guard of acquire holds the lock, and the guard releases it', () => {
    const mutex = makeMutex();
    const guard = mutex.acquire();
    assertRefusesUnlock(mutex);
    assertRefusesUnlock(Mutex.from(mutex.handle));
    guard.release();
    assertNoneCounted(mutex);
});

test('mutex: a guard that lost its lock does not block unlock() after a condition wait has resumed', async () => {
    const mutex = makeMutex();
    const condition = new Condition({ space: LockSpace.attach(mutex.memory) });
    mutex.lock();
    const notified = condition.waitAsync(mutex);
    const guard = mutex.acquire();
    const { exports, self } = attach(mutex.memory);
    exports.mutex_unlock(mutex.byteOffset, self); // as another program's code might
    condition.notify();
    await within(notified, 'the wait', [mutex, condition]);
    assert.equal(countAt(mutex), 0);
    mutex.unlock();
    assert.throws(() => guard.release(), errorWith('HF_NOT_OWNER', /./));
    assertNoneCounted(mutex);
});
