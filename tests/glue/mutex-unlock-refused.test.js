/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { attach } from '../../js-glue/memory/attachment.js';
import { Condition, LockSpace, Mutex } from '../../js-glue/index.js';
import { errorWith } from '../support/errors.js';
import { within } from '../support/watchdog.js';
import { assertFree } from '../support/words.js';

/* What a thread holds mutexes by. unlock() asks for that only while something in the memory is held by a section or a
 * guard, and the glue counts these. So each test has a memory of its own: in one that was used before, a count that has
 * gone wrong would look like one that is right. */

function makeMutex() {
    return new Mutex(new LockSpace());
}

/** @param {Mutex} mutex */
function takesAt(mutex) {
    return attach(mutex.memory).sections;
}

/**
 * @param {Mutex} mutex held by something that releases it
 * @param {number} [takes] how many mutexes of its memory are held so
 */
function assertRefusesUnlock(mutex, takes = 1) {
    assert.equal(takesAt(mutex), takes);
    assert.throws(() => mutex.unlock(), errorWith('HF_NOT_OWNER', /A guard or a callback holds the lock/));
    assert.equal(mutex.tryLock(), false);
}

/** @param {Mutex} mutex whose sections and guards have ended */
function assertNoTakes(mutex) {
    assert.equal(takesAt(mutex), 0);
    mutex.lock();
    mutex.unlock();
    assertFree(mutex);
}

/** @type {[string, (mutex: Mutex) => unknown][]} */
const TAKES = [
    ['exec', (mutex) => mutex.exec(() => assertRefusesUnlock(mutex))],
    ['executeLocked', (mutex) => mutex.executeLocked(() => assertRefusesUnlock(mutex))],
    [
        'executeLocked, async',
        (mutex) =>
            mutex.executeLocked(async () => {
                assertRefusesUnlock(mutex);
                await undefined;
                assertRefusesUnlock(mutex);
            }),
    ],
    [
        'executeLocked that waits',
        (mutex) => {
            mutex.lock();
            const section = mutex.executeLocked(() => assertRefusesUnlock(mutex));
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
        'lockAsync',
        async (mutex) => {
            const guard = await mutex.lockAsync();
            assertRefusesUnlock(mutex);
            guard.release();
        },
    ],
];

for (const [name, take] of TAKES) {
    test(`mutex: unlock is refused in the first section of its memory, by ${name}, and not after it`, async () => {
        const mutex = makeMutex();
        await within(Promise.resolve(take(mutex)), 'the section', [mutex]);
        assertNoTakes(mutex);
    });
}

test('mutex: unlock is refused in a section for as long as that lasts, whatever ends beside it', async () => {
    const space = new LockSpace();
    const mutex = new Mutex(space);
    const neighbour = new Mutex(space);
    const guard = mutex.acquire();
    await neighbour.executeLocked(() => assertRefusesUnlock(neighbour, 2));
    assertRefusesUnlock(mutex);
    neighbour.lock();
    neighbour.unlock();
    guard.release();
    assertNoTakes(mutex);
});

test('mutex: a lock that was lost is no take any more when it is taken again', () => {
    const mutex = makeMutex();
    const guard = mutex.acquire();
    const { exports, self } = attach(mutex.memory);
    exports.mutex_unlock(mutex.byteOffset, self); // as another program's code might
    mutex.lock();
    assert.equal(takesAt(mutex), 0);
    mutex.unlock();
    assert.throws(() => guard.release(), errorWith('HF_NOT_OWNER', /does not hold the lock/));
    assertNoTakes(mutex);
});

test('mutex: a section that waits for a condition is no take meanwhile, and one again afterwards', async () => {
    const mutex = makeMutex();
    const condition = new Condition(LockSpace.attach(mutex.memory));
    const section = mutex.executeLocked(async () => {
        const notified = condition.waitAsync(mutex);
        assert.equal(takesAt(mutex), 0);
        await notified;
        assertRefusesUnlock(mutex);
    });
    mutex.lock();
    condition.notify();
    mutex.unlock();
    await within(section, 'the section', [mutex, condition]);
    assertNoTakes(mutex);
});

test('mutex: a wait that goes on after a guard has lost the lock meanwhile leaves no take of that', async () => {
    const mutex = makeMutex();
    const condition = new Condition(LockSpace.attach(mutex.memory));
    mutex.lock();
    const notified = condition.waitAsync(mutex);
    const guard = mutex.acquire();
    const { exports, self } = attach(mutex.memory);
    exports.mutex_unlock(mutex.byteOffset, self); // as another program's code might
    condition.notify();
    await within(notified, 'the wait', [mutex, condition]);
    assert.equal(takesAt(mutex), 0);
    mutex.unlock();
    assert.throws(() => guard.release(), errorWith('HF_NOT_OWNER', /./));
    assertNoTakes(mutex);
});
