/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { inspect } from '../../js-glue/debug.js';
import { LockSpace, RwLock } from '../../js-glue/index.js';
import { RecoverableRwLock, RecoverableSemaphore } from '../../js-glue/recoverable.js';
import { trace } from '../../js-glue/trace.js';
import { makeBoard, reached } from '../support/board.js';
import { errorWith } from '../support/errors.js';
import { assertTold, isTold, LIMIT_MS, startMortal } from '../support/mortal.js';
import { messageOf, startThread } from '../support/thread.js';
import { within } from '../support/watchdog.js';
import { EntryObserver } from '../support/trace-entries.js';
import { assertFree } from '../support/words.js';

/* Semaphores and reader-writer locks that get back what a dead thread held. Tests of the other classes cover
 * the common promises. */

/** The number of threads that die while they acquire and release. */
const DEATHS = 6;

/** @param {Promise<any>} promise @param {any} lock */
const met = (promise, lock) => within(promise, 'a request', [lock]);

for (const way of ['idle', 'blocked', 'computing', 'throws', 'exits', 'ends']) {
    for (const holds of ['permits', 'permits for a section']) {
        test(`recoverable: semaphore: ${holds} of a dead thread are returned: ${way}`, async (t) => {
            const semaphore = new RecoverableSemaphore({ max: 3 });
            const worker = await startMortal(t, semaphore, { way, holds });
            assert.equal(semaphore.value, 1);
            assert.equal(semaphore.tryEnter({ permits: 2 }), false);
            const entered = semaphore.enterAsync({ permits: 2 });
            if (['idle', 'blocked', 'computing'].includes(way)) {
                await sleep(50);
                void worker.terminate();
            }
            await met(entered, semaphore);
            assert.equal(semaphore.value, 1);
            semaphore.leave(2);
            assert.equal(semaphore.value, 3);
        });
    }

    test(`recoverable: lock: a dead reader does not block writers: ${way}`, async (t) => {
        const lock = new RecoverableRwLock();
        const worker = await startMortal(t, lock, { way, holds: 'shared' });
        assert.equal(lock.tryLock(), false);
        const locked = lock.execAsync(() => 'alone');
        if (['idle', 'blocked', 'computing'].includes(way)) {
            await sleep(50);
            void worker.terminate();
        }
        assert.equal(await met(locked, lock), 'alone');
        assertFree(lock);
    });
}

test('recoverable: lock: a writer that dies after its downgrade is a dead reader', async (t) => {
    const lock = new RecoverableRwLock();
    const worker = await startMortal(t, lock, { way: 'idle', holds: 'downgraded' });
    assert.equal(lock.tryLock(), false);
    assert.equal(lock.tryLockShared(), true);
    lock.unlockShared();
    void worker.terminate();
    assert.equal(
        await met(
            lock.execAsync(() => 'alone'),
            lock,
        ),
        'alone',
    );
    assertFree(lock);
});

test('recoverable: a blocked thread acquires permits that a dead thread held', async (t) => {
    const semaphore = new RecoverableSemaphore({ max: 2 });
    const lock = new RecoverableRwLock();
    for (const [object, holds] of /** @type {const} */ ([
        [semaphore, 'permits'],
        [lock, 'shared'],
    ])) {
        const worker = await startMortal(t, object, { way: 'idle', holds });
        void worker.terminate();
    }
    assert.equal(semaphore.tryEnter({ timeout: LIMIT_MS }), true);
    assert.equal(lock.tryLock(LIMIT_MS), true);
});

test('recoverable: a thread that only calls tryEnter() acquires permits that a dead thread held', async (t) => {
    const semaphore = new RecoverableSemaphore({ max: 2 });
    const worker = await startMortal(t, semaphore, { way: 'idle', holds: 'permits' });
    await worker.terminate();
    const end = performance.now() + LIMIT_MS;
    while (!semaphore.tryEnter() && performance.now() < end) {
        await sleep(20);
    }
    assert.equal(semaphore.value, 1);
});

test('recoverable: permits of a living thread are not returned, however long it holds them', async (t) => {
    const semaphore = new RecoverableSemaphore({ max: 4 });
    const lives = await startMortal(t, semaphore, { way: 'computing', holds: 'permits' });
    const dies = await startMortal(t, semaphore, { way: 'idle', holds: 'permits' });
    void dies.terminate();
    await met(semaphore.enterAsync({ permits: 2 }), semaphore);
    await assert.rejects(semaphore.enterAsync({ timeout: 3000 }), errorWith('HF_TIMEOUT', /./));
    assert.equal(semaphore.value, 0);
    void lives.terminate();
    await met(semaphore.enterAsync({ permits: 2 }), semaphore);
});

test('recoverable: a writer that dies abandons the lock, as in RwLock', async (t) => {
    const lock = new RecoverableRwLock();
    await assertTold(t, 'exits', lock);
    assert.throws(() => lock.lockShared(), isTold);
    assert.equal(
        lock.recover(() => {}),
        true,
    );
    lock.lockShared();
    lock.unlockShared();
    assertFree(lock);
});

test("recoverable: the next thread in a dead thread's slot returns the dead thread's permits", async (t) => {
    const space = new LockSpace({ threads: 2 });
    const semaphore = new RecoverableSemaphore({ space, max: 4 });
    for (let life = 0; life < 5; life += 1) {
        const worker = await startMortal(t, semaphore, { way: 'idle', holds: 'permits' });
        assert.equal(semaphore.value, 2, `life ${life}`);
        await worker.terminate();
    }
});

test('recoverable: only the thread that holds permits or read locks can return them', async (t) => {
    const semaphore = new RecoverableSemaphore({ max: 3 });
    const lock = new RecoverableRwLock();
    await startMortal(t, semaphore, { way: 'idle', holds: 'permits' });
    await startMortal(t, lock, { way: 'idle', holds: 'shared' });
    assert.throws(() => semaphore.leave(), errorWith('HF_NOT_OWNER', /^This thread does not hold a permit/));
    assert.throws(
        () => lock.unlockShared(),
        errorWith('HF_NOT_OWNER', /^This thread does not hold a shared/),
    );
    lock.lockShared();
    semaphore.enter();
    assert.throws(() => semaphore.leave(2), errorWith('HF_NOT_OWNER', /2 permits/));
    semaphore.leave();
    lock.unlockShared();
    assert.throws(() => lock.unlockShared(), errorWith('HF_NOT_OWNER', /./));
    assert.throws(() => lock.unlock(), errorWith('HF_NOT_OWNER', /./));
    assert.equal(semaphore.value, 1);
});

/**
 * Starts a thread that makes the calls it is sent.
 *
 * @param {import('node:test').TestContext} t
 * @param {object} [how]
 */
function startCaller(t, how = {}) {
    const worker = startThread(t, 'caller', how);
    return (/** @type {any} */ lock, /** @type {unknown[][]} */ ...calls) => {
        worker.postMessage({ handle: lock.handle, calls });
        return messageOf(worker, 'what calls have returned', [lock]);
    };
}

test('recoverable: a thread without a slot cannot return more permits than it holds', async (t) => {
    const call = startCaller(t, { isUnseen: true });
    const lock = new RecoverableRwLock();
    const semaphore = new RecoverableSemaphore({ max: 3 });
    lock.lockShared();
    semaphore.enter({ permits: 2 });
    assert.deepEqual(await call(lock, ['unlockShared']), ['HF_NOT_OWNER']);
    assert.deepEqual(await call(semaphore, ['leave'], ['tryEnter'], ['leave', 2], ['leave'], ['leave']), [
        ...['HF_NOT_OWNER', true, 'HF_NOT_OWNER', undefined, 'HF_NOT_OWNER'],
    ]);
    assert.deepEqual(
        await call(
            lock,
            ['tryLockShared'],
            ['lockShared'],
            ['unlockShared'],
            ['unlockShared'],
            ['unlockShared'],
        ),
        [true, undefined, undefined, undefined, 'HF_NOT_OWNER'],
    );
    lock.unlockShared();
    semaphore.leave(2);
    assert.equal(semaphore.value, 3);
    assert.deepEqual(await call(lock, ['lock'], ['unlockShared'], ['unlock']), [
        ...[undefined, 'HF_NOT_OWNER', undefined],
    ]);
    assert.deepEqual(await call(lock, ['downgrade'], ['lock'], ['downgrade'], ['unlock']), [
        ...['HF_NOT_OWNER', undefined, undefined, 'HF_NOT_OWNER'],
    ]);
    assert.equal(lock.tryLock(), false);
    assert.deepEqual(await call(lock, ['unlockShared'], ['unlockShared']), [undefined, 'HF_NOT_OWNER']);
    assertFree(lock);
});

test('recoverable: permits of a thread without a slot are forgotten when the lock is freed', async (t) => {
    const call = startCaller(t, { isUnseen: true });
    const space = new LockSpace();
    const before = new RecoverableSemaphore({ space, max: 3 });
    assert.deepEqual(await call(before, ['enter'], ['free']), [undefined, undefined]);
    const semaphore = new RecoverableSemaphore({ space, max: 3 });
    assert.equal(semaphore.byteOffset, before.byteOffset);
    semaphore.enter();
    assert.deepEqual(await call(semaphore, ['leave']), ['HF_NOT_OWNER']);
});

test('recoverable: a thread without a slot can return its permits through a new lock object', async (t) => {
    const call = startCaller(t, { isUnseen: true, forgets: true });
    const semaphore = new RecoverableSemaphore({ max: 3 });
    assert.deepEqual(await call(semaphore, ['enter']), [undefined]);
    assert.deepEqual(await call(semaphore, ['leave'], ['leave']), [undefined, 'HF_NOT_OWNER']);
    assert.deepEqual(await call(semaphore, ['enter'], ['free']), [undefined, undefined]);
});

test('recoverable: a thread that runs on after it was declared dead takes no permits of others', async (t) => {
    const space = new LockSpace({ threads: 2 });
    const semaphore = new RecoverableSemaphore({ space, max: 3 });
    const call = startCaller(t);
    semaphore.enter();
    assert.deepEqual(await call(semaphore, ['enter']), [undefined]);
    inspect(space)
        .threads.find(({ isThis }) => !isThis)
        ?.declareDead();
    await met(semaphore.enterAsync({ permits: 2 }), semaphore);
    assert.deepEqual(await call(semaphore, ['leave']), ['HF_NOT_OWNER']);
    assert.equal(semaphore.value, 0);
    semaphore.leave(3);

    const next = startCaller(t);
    assert.deepEqual(await next(semaphore, ['enter']), [undefined]);
    assert.deepEqual(await call(semaphore, ['leave'], ['enter'], ['leave']), [
        ...['HF_NOT_OWNER', undefined, 'HF_NOT_OWNER'],
    ]);
    assert.equal(semaphore.value, 2);
    assert.deepEqual(await next(semaphore, ['leave'], ['leave']), [undefined, 'HF_NOT_OWNER']);
    assert.equal(semaphore.value, 3);
});

test("recoverable: an RwLock and a RecoverableRwLock may be made in each other's freed bytes", async (t) => {
    for (const [Before, After] of /** @type {const} */ ([
        [RwLock, RecoverableRwLock],
        [RecoverableRwLock, RwLock],
    ])) {
        const space = new LockSpace({ threads: 2 }); // with more, the lock would not begin a cache line
        const call = startCaller(t);
        const calls = [['lockShared'], ['unlockShared'], ['tryLock'], ['unlock']];
        const before = new Before({ space });
        const results = await call(before, ...calls);
        space.free(before);
        const lock = new After({ space });
        assert.equal(lock.byteOffset, before.byteOffset);
        const behind = new Uint8Array(space.buffer, space.alloc(64), 64);
        assert.deepEqual(await call(lock, ...calls), results);
        assert.deepEqual(behind, new Uint8Array(64));
        assertFree(lock);
    }
});

test('recoverable: a section that returns a request for its own permits gets HF_DEADLOCK', async () => {
    const mutex = new RecoverableSemaphore({ max: 1 });
    const isDeadlock = errorWith('HF_DEADLOCK', /, which it holds/);
    await assert.rejects(
        met(
            mutex.execAsync(() => mutex.execAsync(() => {})),
            mutex,
        ),
        isDeadlock,
    );
    const semaphore = new RecoverableSemaphore({ max: 2 });
    await assert.rejects(
        met(
            semaphore.execAsync(() => semaphore.execAsync(() => {}), { permits: 2 }),
            semaphore,
        ),
        isDeadlock,
    );
    assert.equal(
        await semaphore.execAsync(() => semaphore.execAsync(() => 'others give back')),
        'others give back',
    );
    assert.equal(mutex.value, 1);
});

/** Blocking calls of a thread that holds one permit of two, or the lock shared. @type {[unknown[][], unknown[][]]} */
const [FOR_PERMITS, FOR_LOCK] = [
    [
        ['enter', { permits: 2 }],
        ['tryEnter', { timeout: 5, permits: 2 }],
        ['acquire', { permits: 2 }],
    ],
    [['lock'], ['tryLock', 5], ['acquire'], ['tryAcquire', { timeout: 5 }]],
];

for (const isUnseen of [false, true]) {
    const thread = `a thread ${isUnseen ? 'without' : 'with'} a slot`;

    test(`recoverable: ${thread} gets HF_DEADLOCK instead of blocking for its own permits or locks`, async (t) => {
        const call = startCaller(t, { isUnseen });
        const semaphore = new RecoverableSemaphore({ max: 2 });
        const lock = new RecoverableRwLock();
        const deadlocks = (/** @type {unknown[][]} */ calls) => calls.map(() => 'HF_DEADLOCK');
        assert.deepEqual(
            await call(semaphore, ['enter'], ...FOR_PERMITS, ['tryEnter', { permits: 2 }], ['leave']),
            [
                undefined,
                ...deadlocks(FOR_PERMITS),
                false, // this call never waits
                undefined,
            ],
        );
        assert.deepEqual(await call(lock, ['lockShared'], ...FOR_LOCK, ['tryLock'], ['unlockShared']), [
            undefined,
            ...deadlocks(FOR_LOCK),
            false,
            undefined,
        ]);
        assert.deepEqual(await call(semaphore, ['enter', { permits: 2 }], ['leave', 2]), [
            undefined,
            undefined,
        ]);
        assert.equal(semaphore.value, 2);
        assertFree(lock);
    });
}

test('recoverable: a thread that holds some permits can block for permits that others hold', async (t) => {
    const semaphore = new RecoverableSemaphore({ max: 3 });
    const worker = await startMortal(t, semaphore, { way: 'idle', holds: 'permits' });
    semaphore.enter();
    void worker.terminate();
    semaphore.enter({ permits: 2 });
    semaphore.leave(3);
});

test('recoverable: a section or guard gets HF_NOT_OWNER at its end if other code has released its lock', async (t) => {
    const lock = new RecoverableRwLock();
    const call = startCaller(t);
    assert.deepEqual(await call(lock, ['lockShared']), [undefined]);
    const isTold = errorWith('HF_NOT_OWNER', /^This thread does not hold a shared lock/);
    const guard = lock.acquire({ mode: 'shared' });
    lock.unlockShared();
    assert.throws(() => guard.release(), isTold);
    assert.throws(() => lock.exec(() => lock.unlockShared(), { mode: 'shared' }), isTold);
});

test('recoverable: at() is refused, since records and a name have to follow the lock in memory', () => {
    const space = new LockSpace({ threads: 8 });
    const place = space.alloc(128);
    for (const make of [
        () => RecoverableSemaphore.at(space.memory, place, { max: 2 }),
        () => RecoverableRwLock.at(space.memory, place, {}),
    ]) {
        assert.throws(make, errorWith('HF_BAD_OPTION', /constructor/));
    }
    const named = new RecoverableRwLock({ space, name: 'book' });
    const behind = new RecoverableRwLock({ space });
    assert.equal(behind.byteOffset - named.byteOffset, 16 + 8 * 8 + 48);
});

test('recoverable: every method that acquires or releases updates the records', async () => {
    const semaphore = new RecoverableSemaphore({ max: 5 });
    const lock = new RecoverableRwLock();
    semaphore.enter({ permits: 2 });
    assert.equal(semaphore.tryEnter({ permits: 2 }), true);
    await semaphore.execAsync(() => assert.equal(semaphore.value, 0));
    semaphore.exec(() => assert.equal(semaphore.value, 0));
    await met(semaphore.enterAsync(), semaphore);
    const later = semaphore.execAsync(() => semaphore.value, { permits: 5 });
    semaphore.leave(5);
    assert.equal(await met(later, semaphore), 0);
    assert.throws(() => semaphore.leave(), errorWith('HF_NOT_OWNER', /./));

    lock.lockShared();
    assert.equal(lock.tryLockShared(), true);
    assert.equal(lock.tryLock(), false);
    const guard = await met(lock.acquireAsync({ mode: 'shared' }), lock);
    lock.exec(() => {}, { mode: 'shared' });
    const alone = lock.execAsync(() => 'alone');
    lock.unlockShared();
    lock.unlockShared();
    guard.release();
    assert.equal(await met(alone, lock), 'alone');
    lock.exec(() => assert.equal(lock.tryLockShared(), false));
    const writer = lock.acquire();
    writer.downgrade();
    lock.lockShared();
    writer.release();
    assert.equal(lock.tryLock(), false);
    lock.unlockShared();
    assert.throws(() => lock.unlockShared(), errorWith('HF_NOT_OWNER', /./));
    assertFree(lock);
});

test('recoverable: max is limited to the largest number in a record', () => {
    for (const max of [0, -1, 1.5, 134_217_728, undefined, '2']) {
        const make = () => new RecoverableSemaphore(/** @type {any} */ ({ max }));
        assert.throws(make, errorWith('HF_BAD_COUNT', /./));
    }
    assert.equal(new RecoverableSemaphore({ max: 134_217_727 }).value, 134_217_727);
});

test('recoverable: RwLock refuses handles and names of a RecoverableRwLock', () => {
    const space = new LockSpace();
    const lock = new RecoverableRwLock({ space, name: 'book' });
    assert.throws(
        () => RwLock.from(/** @type {any} */ (lock.handle)),
        errorWith('HF_BAD_HANDLE', /RecoverableRwLock/),
    );
    assert.throws(() => RwLock.named(space, 'book'), errorWith('HF_BAD_NAME', /RecoverableRwLock/));
    assert.equal(RecoverableRwLock.named(space, 'book').byteOffset, lock.byteOffset);
    assert.equal(RecoverableRwLock.from(lock.handle).name, 'book');
    const seats = RecoverableSemaphore.named(space, 'seats', { max: 2 });
    seats.enter();
    assert.match(String(inspect(space)), /RecoverableSemaphore 'seats', 1 in use/);
    lock.lockShared();
    assert.match(String(inspect(space)), /RecoverableRwLock 'book', 1 in use/);
    assert.equal(RecoverableSemaphore.named(space, 'seats', { max: 9 }).max, 2);
});

test('recoverable: trace() shows recoverable classes like the others', async (t) => {
    const observer = new EntryObserver();
    t.after(() => observer.stop());
    const lock = new RecoverableRwLock();
    const semaphore = new RecoverableSemaphore({ max: 1 });
    t.after(trace(lock, { minimum: 0 }));
    t.after(trace(semaphore, { minimum: 0 }));
    await lock.execAsync(() => sleep(2), { mode: 'shared' });
    await semaphore.execAsync(() => sleep(2));
    const held = observer.take().filter(({ activity }) => activity === 'hold');
    assert.deepEqual(
        held.map(({ method, mode }) => [method, mode]),
        [
            ['execAsync', 'shared'],
            ['execAsync', undefined],
        ],
    );
});

test('recoverable: locks live in a space, and free() returns all their bytes', () => {
    const memory = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true });
    assert.throws(() => RecoverableRwLock.at(memory, 64), errorWith('HF_NO_ALLOCATOR', /LockSpace/));
    const space = new LockSpace({ threads: 8 });
    /** @type {RecoverableRwLock[]} */
    const all = [];
    const fill = () => {
        for (let left = 5000; left > 0; left -= 1) {
            all.push(new RecoverableRwLock({ space }));
        }
    };
    assert.throws(fill, errorWith('HF_NO_SPACE', /full \(80 bytes/));
    const fit = all.length;
    assert.ok(fit > 500 && fit < 1000, `${fit} locks of 16 + 8 * 8 bytes`);
    all.splice(0).forEach((lock) => space.free(lock));
    assert.throws(fill, errorWith('HF_NO_SPACE', /full \(80 bytes/));
    assert.equal(all.length, fit);
});

for (const isLoop of [false, true]) {
    const who = isLoop ? 'event loops' : 'threads';
    test(`recoverable: ${who} that die while they acquire and release neither lose nor duplicate permits`, async (t) => {
        const semaphore = new RecoverableSemaphore({ max: 3 });
        const lock = new RecoverableRwLock();
        for (let death = 0; death < DEATHS; death += 1) {
            const boards = [makeBoard(1), makeBoard(1)];
            const workers = boards.map((board) =>
                startThread(t, 'taker', { permits: semaphore.handle, lock: lock.handle, board, isLoop }),
            );
            for (const board of boards) {
                await within(reached(board, 0), 'a thread that takes and gives back', [semaphore, lock]);
            }
            await sleep(Math.random() * 5);
            await Promise.all(workers.map((worker) => worker.terminate()));
            await met(semaphore.enterAsync({ permits: 3 }), semaphore);
            semaphore.leave(3);
            await met(
                lock.execAsync(() => {}),
                lock,
            );
            assert.equal(semaphore.value, 3);
            assertFree(lock);
        }
    });
}
