/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { AbandonedError, Condition, LockSpace, Mutex, Once, RwLock, support } from '../../js-glue/index.js';
import { attach } from '../../js-glue/memory/attachment.js';
import { AGENT_PRESENCE_OFFSET, RESULT_OK, THREAD_MARK } from '../../js-glue/memory/layout.js';
import { Holder } from '../../js-glue/waiting/holder.js';
import { makeBoard } from '../support/board.js';
import { jobEnds } from '../support/event-loop.js';
import { assertTold, HELD, isTold, LIMIT_MS, startMortal } from '../support/mortal.js';
import { startThread } from '../support/thread.js';
import { within } from '../support/watchdog.js';
import { assertFree } from '../support/words.js';

/* Threads that die with a lock: waiters get the error, and the lock can be recovered. */

/** Locks whose word names their exclusive holder. */
const LOCKS = [
    { name: 'mutex', Lock: Mutex },
    { name: 'reader-writer lock', Lock: RwLock },
];

/**
 * A lock whose holder is dead.
 *
 * @template {Mutex | RwLock} Lock
 * @param {import('node:test').TestContext} t
 * @param {Lock} lock
 * @returns {Promise<Lock>}
 */
async function abandon(t, lock) {
    await startMortal(t, lock);
    await assert.rejects(within(lock.acquireAsync(), 'news of the death', [lock]), isTold);
    return lock;
}

/** @param {import('node:test').TestContext} t */
const makeAbandoned = (t) => abandon(t, new Mutex());

test('abandoned: this runtime can detect the death of a thread', () => {
    assert.equal(support().death, 'probe');
});

for (const { name, Lock } of LOCKS) {
    for (const way of ['idle', 'blocked', 'computing', 'throws', 'exits', 'ends']) {
        test(`abandoned: ${name}: a waiter gets HF_ABANDONED when the holder dies: ${way}`, (t) =>
            assertTold(t, way, new Lock()));
    }

    for (const holds of ['guard', 'section']) {
        test(`abandoned: ${name}: a blocked waiter gets HF_ABANDONED when a thread that holds the lock by a ${holds} dies`, async (t) => {
            const mutex = new Lock();
            const worker = await startMortal(t, mutex, { way: 'idle', holds });
            void worker.terminate();
            assert.throws(() => mutex.lock(), isTold);
            assert.throws(() => mutex.tryLock(50), isTold);
        });
    }

    for (const [how, ask] of /** @type {const} */ ([
        ['tryLock', (/** @type {Mutex | RwLock} */ lock) => lock.tryLock(100)],
        ['execAsync', (/** @type {Mutex | RwLock} */ lock) => lock.execAsync(() => {}, { timeout: 100 })],
    ])) {
        test(`abandoned: ${name}: repeated short waits by ${how}(), with long pauses, report the death`, async (t) => {
            const lock = new Lock();
            await startMortal(t, lock);
            const begin = performance.now();
            /** @type {unknown} */
            let told;
            while (told === undefined && performance.now() - begin < LIMIT_MS) {
                try {
                    await ask(lock);
                } catch (error) {
                    told = /** @type {{ code?: string }} */ (error).code === 'HF_TIMEOUT' ? undefined : error;
                }
                await sleep(1100);
            }
            assert.ok(isTold(told));
        });
    }

    test(`abandoned: ${name}: every acquiring method throws HF_ABANDONED at once, without the lock`, async (t) => {
        const mutex = await abandon(t, new Lock());
        const callback = () => assert.fail('it has no lock');
        for (const ask of [
            () => mutex.lock(),
            () => mutex.tryLock(),
            () => mutex.tryLock(1000),
            () => mutex.exec(callback),
            () => mutex.acquire(),
        ]) {
            const begin = performance.now();
            assert.throws(ask, isTold);
            assert.ok(performance.now() - begin < LIMIT_MS / 10, 'it does not wait');
        }
        for (const ask of [
            () => mutex.execAsync(callback),
            () => mutex.execAsync(callback, { timeout: 0 }),
            () => mutex.execAsync(callback, { timeout: 1000, signal: new AbortController().signal }),
            () => mutex.acquireAsync(),
        ]) {
            await assert.rejects(within(ask(), 'the error', [mutex]), isTold);
        }
        const all = Array.from({ length: 50 }, () => mutex.execAsync(callback));
        for (const each of all) {
            await assert.rejects(within(each, 'the error of each', [mutex]), isTold);
        }
        assert.throws(() => mutex.unlock(), { code: 'HF_NOT_OWNER' });
        assert.throws(() => mutex.tryLock(), isTold);
    });

    test(`abandoned: ${name}: a thread that only calls tryLock() gets HF_ABANDONED`, async (t) => {
        const mutex = new Lock();
        await startMortal(t, mutex);
        const end = performance.now() + LIMIT_MS;
        let isToldOfIt = false;
        while (!isToldOfIt && performance.now() < end) {
            await sleep(5);
            try {
                assert.equal(mutex.tryLock(), false);
            } catch (error) {
                isToldOfIt = isTold(error);
            }
        }
        assert.ok(isToldOfIt);
    });

    test(`abandoned: ${name}: recover() runs the repair with the lock held, and makes the lock usable again`, async (t) => {
        const mutex = await abandon(t, new Lock());
        let repairs = 0;
        const isDone = mutex.recover(() => {
            repairs += 1;
            assert.throws(() => mutex.lock(), { code: 'HF_DEADLOCK' });
            assert.throws(() => mutex.unlock(), { code: 'HF_NOT_OWNER' });
        });
        assert.ok(isDone);
        assertFree(mutex);
        assert.equal(
            mutex.recover(() => assert.fail('nothing is to be repaired')),
            false,
        );
        assert.equal(await mutex.execAsync(() => repairs), 1);
        assertFree(mutex);
    });

    test(`abandoned: ${name}: recoverAsync() holds the lock until the repair has settled, and other requests wait`, async (t) => {
        const mutex = await abandon(t, new Lock());
        const events = /** @type {string[]} */ ([]);
        const recovered = mutex.recoverAsync(async () => {
            await sleep(20);
            events.push('repaired');
        });
        const next = mutex.execAsync(() => events.push('next'));
        assert.equal(await within(recovered, 'the repair', [mutex]), true);
        await within(next, 'the next one', [mutex]);
        assert.deepEqual(events, ['repaired', 'next']);
        assert.equal(await mutex.recoverAsync(() => assert.fail()), false);
        assertFree(mutex);
    });

    test(`abandoned: ${name}: after a failed repair the lock is still abandoned by the same owner`, async (t) => {
        const mutex = await abandon(t, new Lock());
        const ownerOf = () => {
            try {
                return mutex.tryLock();
            } catch (error) {
                return /** @type {import('../../js-glue/index.js').AbandonedError} */ (error).owner;
            }
        };
        const owner = ownerOf();
        assert.ok(owner);
        const failure = new Error('cannot');
        const fail = () => {
            throw failure;
        };
        assert.throws(() => mutex.recover(fail), failure);
        assert.equal(ownerOf(), owner);
        await assert.rejects(mutex.recoverAsync(fail), failure);
        await assert.rejects(
            mutex.recoverAsync(() => sleep(5).then(fail)),
            failure,
        );
        assert.throws(() => mutex.recover(/** @type {any} */ (() => sleep(1))), { code: 'HF_BAD_CALLBACK' });
        const handled = Promise.reject(failure);
        handled.catch(() => {}); // an unhandled rejection would fail the test
        assert.throws(() => mutex.recover(/** @type {any} */ (() => handled)), { code: 'HF_BAD_CALLBACK' });
        await sleep(1);
        assert.equal(ownerOf(), owner);
        const [refused, later] = [sleep(1), sleep(10)];
        assert.throws(() => mutex.recover(/** @type {any} */ (() => refused)), { code: 'HF_BAD_CALLBACK' });
        await assert.rejects(
            mutex.recoverAsync(() => later.then(fail)), // during this wait the refused callback's promise settles
            failure,
        );
        assert.equal(ownerOf(), owner);
        assert.ok(mutex.recover(() => {}));
        assertFree(mutex);
    });

    test(`abandoned: ${name}: recover() and recoverAsync() reject bad input`, async () => {
        const mutex = new Lock();
        for (const none of /** @type {any[]} */ ([undefined, null, 7, {}, 'repair'])) {
            assert.throws(() => mutex.recover(none), { code: 'HF_BAD_CALLBACK' });
            await assert.rejects(mutex.recoverAsync(none), { code: 'HF_BAD_CALLBACK' });
        }
        await assert.rejects(
            mutex.recoverAsync(() => {}, { timeout: NaN }),
            { code: 'HF_BAD_TIMEOUT' },
        );
        mutex.lock();
        assert.throws(() => mutex.recover(() => {}), { code: 'HF_DEADLOCK' });
        await assert.rejects(
            mutex.recoverAsync(() => {}, { timeout: 10 }),
            { code: 'HF_TIMEOUT' },
        );
        mutex.unlock();
        assertFree(mutex);
    });

    test(`abandoned: ${name}: options are checked even if a repair is needed`, async (t) => {
        const mutex = await abandon(t, new Lock());
        for (const [options, code] of /** @type {[any, string][]} */ ([
            [{ timeout: NaN }, 'HF_BAD_TIMEOUT'],
            [{ signal: 7 }, 'HF_BAD_SIGNAL'],
            [7, 'HF_BAD_OPTION'],
        ])) {
            await assert.rejects(
                mutex.recoverAsync(() => assert.fail('it does not repair'), options),
                { code },
            );
        }
        assert.ok(mutex.recover(() => {}));
    });

    test(`abandoned: ${name}: a repair that returns a request for its own lock is rejected`, async (t) => {
        const mutex = await abandon(t, new Lock());
        const isDeadlock = { code: 'HF_DEADLOCK' };
        const nested = mutex.recoverAsync(() => mutex.execAsync(() => {}));
        await assert.rejects(within(nested, 'an error', [mutex]), isDeadlock);
        /** @type {Promise<boolean> | undefined} */
        let inner;
        const outer = mutex.recoverAsync(() => (inner = mutex.recoverAsync(assert.fail)));
        await assert.rejects(within(outer, 'an error', [mutex]), isDeadlock);
        await assert.rejects(Promise.resolve(inner), isDeadlock);
        assert.ok(await mutex.recoverAsync(() => {}));
        const section = mutex.execAsync(() => mutex.recoverAsync(() => {}));
        await assert.rejects(within(section, 'an error', [mutex]), isDeadlock);
        assertFree(mutex);
    });

    test(`abandoned: ${name}: exactly one of several concurrent recoveries runs its repair`, async (t) => {
        const mutex = await abandon(t, new Lock());
        const repairs = await Promise.all(
            Array.from({ length: 5 }, () =>
                within(
                    mutex.recoverAsync(() => sleep(5)),
                    'a repair',
                    [mutex],
                ),
            ),
        );
        assert.deepEqual(repairs, [true, false, false, false, false]);
        assertFree(mutex);
    });

    test(`abandoned: ${name}: recover() waits until the death of the holder is detected`, async (t) => {
        const mutex = new Lock();
        const worker = await startMortal(t, mutex, { way: 'idle' });
        void worker.terminate();
        let isRepaired = false;
        assert.ok(mutex.recover(() => (isRepaired = true)));
        assert.ok(isRepaired);
        assertFree(mutex);
    });

    test(`abandoned: ${name}: a thread that dies during its repair abandons the lock again`, async (t) => {
        const mutex = await abandon(t, new Lock());
        await startMortal(t, mutex, { holds: 'repair' });
        await assert.rejects(within(mutex.acquireAsync(), 'news of the death', [mutex]), isTold);
        assert.ok(mutex.recover(() => {}));
        assertFree(mutex);
    });
}

test("abandoned: after a writer's death every method for readers throws HF_ABANDONED, without the lock", async (t) => {
    const lock = new RwLock();
    const worker = await startMortal(t, lock, { way: 'idle', holds: 'try' });
    void worker.terminate();
    const callback = () => assert.fail('it has no lock');
    const mode = /** @type {const} */ ('shared');
    assert.throws(() => lock.lockShared(), isTold);
    for (const ask of [
        () => lock.lockShared(),
        () => lock.tryLockShared(),
        () => lock.tryLockShared(1000),
        () => lock.exec(callback, { mode }),
        () => lock.acquire({ mode }),
    ]) {
        assert.throws(ask, isTold);
    }
    for (const ask of [
        () => lock.execAsync(callback, { mode }),
        () => lock.execAsync(callback, { mode, timeout: 0 }),
        () => lock.acquireAsync({ mode, timeout: 1000 }),
    ]) {
        await assert.rejects(within(ask(), 'the error', [lock]), isTold);
    }
    assert.throws(() => lock.unlockShared(), { code: 'HF_NOT_OWNER' });
    assert.ok(lock.recover(() => {}));
    assertFree(lock);
});

test('abandoned: when a writer dies, all waiting readers and writers get HF_ABANDONED', async (t) => {
    const lock = new RwLock();
    const worker = await startMortal(t, lock, { way: 'idle' });
    const asked = Array.from({ length: 8 }, (_, at) =>
        lock.acquireAsync({ mode: at % 2 ? 'shared' : 'exclusive' }),
    );
    const told = asked.map((each) => assert.rejects(within(each, 'news of the death', [lock]), isTold));
    await worker.terminate();
    await Promise.all(told);
    assert.ok(lock.recover(() => {}));
    assertFree(lock);
});

test('abandoned: the death of a reader is not reported, since only writers abandon a lock', async (t) => {
    const lock = new RwLock();
    await startMortal(t, lock, { holds: 'shared' });
    await assert.rejects(lock.acquireAsync({ timeout: 1500 }), { code: 'HF_TIMEOUT' });
    assert.ok(lock.tryLockShared());
    lock.unlockShared();
    lock.unlockShared(); // the dead reader's hold
    assertFree(lock);
});

for (const holds of ['upgradable', 'upgradable guard']) {
    for (const mode of /** @type {const} */ (['exclusive', 'upgradable'])) {
        test(`abandoned: ${mode}: waiters acquire the lock of a dead upgradable reader without an error: ${holds}`, async (t) => {
            const lock = new RwLock();
            await startMortal(t, lock, { holds });
            lock.exec(() => {}, { mode: 'shared' });
            const guard = await within(lock.acquireAsync({ mode }), 'the lock', [lock], LIMIT_MS);
            guard.release();
            assertFree(lock);
            await startMortal(t, lock, { holds });
            lock.exec(() => {}, { mode });
            assertFree(lock);
        });
    }
}

test('abandoned: a thread that only calls tryLock() acquires the lock of a dead upgradable reader', async (t) => {
    for (const take of [
        (/** @type {RwLock} */ lock) => lock.tryLock() && (lock.unlock(), true),
        (/** @type {RwLock} */ lock) => lock.tryLockUpgradable() && (lock.unlockUpgradable(), true),
    ]) {
        const lock = new RwLock();
        await startMortal(t, lock, { holds: 'upgradable' });
        const end = performance.now() + LIMIT_MS;
        while (!take(lock)) {
            assert.ok(performance.now() < end);
            await sleep(20);
        }
        assertFree(lock);
    }
});

for (const holds of ['upgrading', 'upgrading guard']) {
    test(`abandoned: if a thread dies while it waits for its upgrade, others acquire the lock: ${holds}`, async (t) => {
        const lock = new RwLock();
        lock.lockShared();
        const worker = await startMortal(t, lock, { way: 'idle', holds });
        while (lock.tryLockShared()) {
            lock.unlockShared();
            await sleep(1);
        }
        void worker.terminate();
        const reads = lock.execAsync(() => 'read', { mode: 'shared' });
        assert.equal(await within(reads, 'a reader', [lock], LIMIT_MS), 'read');
        const guard = await lock.acquireAsync({ mode: 'upgradable', timeout: LIMIT_MS });
        assert.equal(guard.tryUpgrade(), false);
        lock.unlockShared();
        assert.equal(guard.tryUpgrade(), true);
        guard.release();
        assertFree(lock);
    });
}

test('abandoned: a thread that dies after its upgrade abandons the lock as a writer does', async (t) => {
    const lock = new RwLock();
    await startMortal(t, lock, { holds: 'upgraded' });
    await assert.rejects(within(lock.acquireAsync(), 'news of the death', [lock]), isTold);
    assert.ok(lock.recover(() => {}));
    lock.lockUpgradable();
    lock.unlockUpgradable();
    assertFree(lock);
});

test('abandoned: a living upgradable reader keeps its lock, and errors name the reader', async (t) => {
    const lock = new RwLock();
    const worker = await startMortal(t, lock, { way: 'idle', holds: 'upgradable' });
    const held = { code: 'HF_TIMEOUT', message: /, held by worker \d+ for [\d.]+ s/ };
    await assert.rejects(lock.acquireAsync({ timeout: 1500 }), held);
    await worker.terminate();
});

test('abandoned: waiters acquire a reader-writer lock once its repair is done', async (t) => {
    const lock = await abandon(t, new RwLock());
    const events = /** @type {string[]} */ ([]);
    const recovered = lock.recoverAsync(async () => {
        assert.equal(lock.tryLockShared(), false);
        await sleep(20);
        assert.throws(() => lock.unlock(), { code: 'HF_NOT_OWNER' });
        events.push('repaired');
    });
    const readers = Array.from({ length: 3 }, () =>
        lock.execAsync(() => events.push('read'), { mode: 'shared' }),
    );
    assert.ok(await within(recovered, 'the repair', [lock]));
    await within(Promise.all(readers), 'the readers', [lock]);
    assert.deepEqual(events, ['repaired', 'read', 'read', 'read']);
    lock.lock();
    lock.unlock(); // the lock does not count as abandoned again
    assertFree(lock);
});

/**
 * The number of times in a row that a wait reports an abandoned lock which another thread then recovers.
 */
const ROUNDS = 4;

/**
 * Makes a stand-in for a wait: it reports each time that the lock is abandoned, though another thread recovers it.
 *
 * @param {number[]} timeouts gets the timeout of each wait
 */
function abandonedInVain(timeouts) {
    return async (/** @type {{ timeout: number }} */ { timeout }) => {
        timeouts.push(timeout);
        await sleep(10);
        throw timeouts.length < ROUNDS ? new AbandonedError('') : new Error('enough');
    };
}

/** @param {number[]} timeouts */
function assertOneLimit(timeouts) {
    assert.equal(timeouts.length, ROUNDS);
    assert.equal(timeouts[0], 1000);
    timeouts.forEach((timeout, at) => assert.ok(timeout < (timeouts[at - 1] ?? Infinity), `${timeouts}`));
}

for (const { name, Lock } of LOCKS) {
    test(`abandoned: ${name}: recoverAsync() keeps waiting if another thread recovers the lock first`, async (t) => {
        const lock = new Lock();
        const attachment = attach(lock.memory);
        const { exports } = attachment;
        t.after(() => void (attachment.exports = exports));
        const taken = [0, 0, 0];
        attachment.exports = {
            ...exports,
            owned_take_over: (at, self) => taken.pop() ?? exports.owned_take_over(at, self),
        };
        await abandon(t, lock);
        assert.ok(
            await within(
                lock.recoverAsync(() => {}),
                'the repair',
                [lock],
            ),
        );
        assert.deepEqual(taken, []);
        assertFree(lock);
    });
}

test('abandoned: one time limit covers all waits of a call of Once', async (t) => {
    const timeouts = /** @type {number[]} */ ([]);
    const wait = abandonedInVain(timeouts);
    t.after(() => t.mock.restoreAll()); // Deno does not do this by itself
    t.mock.method(Mutex.prototype, 'execAsync', (/** @type {any} */ _, /** @type {any} */ options) =>
        wait(options),
    );
    t.mock.method(Mutex.prototype, 'recoverAsync', async () => true);
    await assert.rejects(
        new Once().runAsync(() => assert.fail(), { timeout: 1000 }),
        /enough/,
    );
    assertOneLimit(timeouts);
});

test('abandoned: a condition wait throws during a repair, and does not release the mutex', async (t) => {
    const mutex = await makeAbandoned(t);
    const condition = new Condition();
    const isRefused = { code: 'HF_BAD_MUTEX' };
    assert.throws(() => mutex.recover(() => condition.waitFor(mutex, { timeout: 10 })), isRefused);
    await assert.rejects(
        mutex.recoverAsync(() => condition.waitAsync(mutex)),
        isRefused,
    );
    assert.throws(() => mutex.tryLock(), isTold);
    assert.ok(mutex.recover(() => {}));
});

test("abandoned: the error does not name the thread that later took the dead owner's slot", async (t) => {
    const space = new LockSpace({ threads: 2 });
    const mutex = new Mutex({ space });
    await startMortal(t, mutex);
    await assert.rejects(within(mutex.acquireAsync(), 'news of the death', [mutex]), isTold);
    await startMortal(t, { handle: space.handle }, { way: 'idle', holds: 'nothing' });
    assert.throws(() => mutex.lock(), { code: 'HF_ABANDONED', owner: '', since: undefined });
});

test('abandoned: a condition wait is rejected without the mutex if its holder died', async (t) => {
    const space = new LockSpace();
    const mutex = new Mutex({ space });
    const condition = new Condition({ space });
    const waited = mutex.execAsync(() => condition.waitAsync(mutex));
    await startMortal(t, mutex);
    condition.notify();
    await assert.rejects(within(waited, 'news of the death', [mutex, condition]), isTold);
    assert.ok(mutex.recover(() => {}));
    assertFree(mutex);
});

test('abandoned: a once whose running thread died is not done, and the next caller runs its callback', async (t) => {
    for (const way of ['run', 'runAsync']) {
        const doing = new Once();
        await startMortal(t, doing, { holds: 'once' });
        let runs = 0;
        const ran = way === 'run' ? doing.run(() => (runs += 1)) : doing.runAsync(() => (runs += 1));
        assert.equal(await within(Promise.resolve(ran), 'the next run', []), true);
        assert.equal(runs, 1);
        assert.ok(doing.isDone);
    }
});

/**
 * Waits until a mutex's holder has armed its 64 entries again after a probe (c-src/agents.h).
 * @param {Mutex} mutex
 */
async function answered({ memory, byteOffset }) {
    const { exports, table, words } = attach(memory);
    const holder = exports.owner_probe(byteOffset, table, 0, 0);
    const credits = (exports.agents_slot(table, holder) + AGENT_PRESENCE_OFFSET) / 4 - 1;
    while (Atomics.load(words, credits) !== 64 << 12) {
        await sleep(1);
    }
}

test('threads: if the table of threads is full, the next thread is refused until one has died', async (t) => {
    const space = new LockSpace({ threads: 3 });
    const lock = { handle: space.handle };
    const mutex = new Mutex({ space });
    const mortal = await startMortal(t, mutex, { way: 'idle' });
    await startMortal(t, lock, { way: 'idle', holds: 'nothing' });
    const refused = startThread(t, 'mortal', {
        ...{ handle: space.handle, board: makeBoard(1), held: HELD, way: 'idle', holds: 'nothing' },
    });
    const [error] = await within(once(refused, 'error'), 'an error of the one too many', []);
    assert.match(error.message, /No room for another thread.*new LockSpace\({ threads/); // Deno passes no code on
    await answered(mutex); // a thread that dies while it answers a probe keeps its slot
    await mortal.terminate();
    for (let count = 0; count < 5; count += 1) {
        const next = await startMortal(t, lock, { way: 'idle', holds: 'nothing' });
        await next.terminate();
    }
});

test('threads: a thread whose death cannot be detected takes no slot', async (t) => {
    const space = new LockSpace({ threads: 1 });
    for (let count = 0; count < 3; count += 1) {
        await startMortal(t, { handle: space.handle }, { holds: 'nothing', polyfills: true });
    }
});

test('threads: the size of the table of threads must be a whole number in range', () => {
    for (const threads of /** @type {any[]} */ ([0, -1, 1024, 1.5, NaN, '3', null, {}])) {
        assert.throws(() => new LockSpace({ threads }), { code: 'HF_BAD_OPTION' });
    }
    new LockSpace({ threads: 1 });
    new LockSpace({ threads: 512 });
    new LockSpace({ pages: 2, threads: 1023 });
    assert.throws(() => new LockSpace({ threads: 513 }), { code: 'HF_BAD_OPTION' });
});

for (const way of ['blocked', 'computing']) {
    test(`threads: a holder that is ${way} for long is not declared dead`, async (t) => {
        const mutex = new Mutex();
        await startMortal(t, mutex, { way });
        const waits = Array.from({ length: 3 }, () => mutex.execAsync(() => {}, { timeout: 4000 }));
        for (const each of waits) {
            await assert.rejects(within(each, 'the end of the wait', [mutex]), { code: 'HF_TIMEOUT' });
        }
        assert.equal(mutex.tryLock(1500), false);
    });
}

test('threads: a thread arms 16 entries at first, so 16 threads can probe it at once', async (t) => {
    const mutex = new Mutex();
    await startMortal(t, mutex, { way: 'idle' });
    const { exports, table, words } = attach(mutex.memory);
    const holder = exports.owner_probe(mutex.byteOffset, table, 0, 0);
    const presence = exports.agents_slot(table, holder) + AGENT_PRESENCE_OFFSET;
    assert.equal(Atomics.notify(words, presence / 4), 16, 'entries');
});

test('threads: a thread arms more entries after it was probed, so it can be probed often', async (t) => {
    const mutex = new Mutex();
    await startMortal(t, mutex, { way: 'idle' });
    const asked = mutex.execAsync(() => {}, { timeout: 800 });
    await assert.rejects(within(asked, 'the end of the wait', [mutex]), { code: 'HF_TIMEOUT' });
    const { exports, table, words } = attach(mutex.memory);
    const holder = exports.owner_probe(mutex.byteOffset, table, 0, 0);
    const presence = exports.agents_slot(table, holder) + AGENT_PRESENCE_OFFSET;
    assert.equal(Atomics.notify(words, presence / 4), 64, 'entries');
});

test('abandoned: a condition calls the predicate only with the mutex held', async () => {
    const space = new LockSpace();
    const [mutex, condition] = [new Mutex({ space }), new Condition({ space })];
    const { exports, table } = attach(space.memory);
    const other = exports.agents_join(table, 0);
    const place = mutex.byteOffset;
    let isReady = false;
    let calls = 0;
    const predicate = () => {
        calls += 1;
        return isReady;
    };
    const section = mutex.execAsync(() => condition.waitAsync(mutex, { predicate }));
    assert.equal(exports.mutex_lock_for_a_time(place, other), RESULT_OK);
    isReady = true;
    condition.notify();
    exports.gate_abandon(place, other, other | THREAD_MARK);
    await within(assert.rejects(section, { code: 'HF_ABANDONED' }), 'the section', [mutex]);
    assert.equal(calls, 1);
    assert.ok(mutex.recover(() => {}));
    assertFree(mutex);
});

test('abandoned: a lock that a living thread holds has no dead owner', () => {
    const mutex = new Mutex();
    const holder = new Holder({ attachment: attach(mutex.memory), byteOffset: mutex.byteOffset });
    mutex.exec(() => assert.equal(holder.dead()[0], ''));
});

test('abandoned: after its condition wait a section does not resume while another thread repairs', async () => {
    const space = new LockSpace();
    const [mutex, condition] = [new Mutex({ space }), new Condition({ space })];
    const { exports, table, queues } = attach(space.memory);
    const other = exports.agents_join(table, 0);
    const place = mutex.byteOffset;
    let isReady = false;
    let repairs = 0;
    const section = mutex.execAsync(async () => {
        await condition.waitAsync(mutex, { predicate: () => isReady });
        assert.equal(repairs, 0, 'inside with a repair');
    });
    assert.equal(exports.mutex_lock_for_a_time(place, other), RESULT_OK);
    const repairer = (async () => {
        try {
            await (async () => mutex.execAsync(() => {}))();
        } catch {
            await mutex.recoverAsync(async () => {
                repairs += 1;
                await sleep(20);
                repairs -= 1;
            });
        }
    })();
    isReady = true;
    condition.notify();
    // On a slow machine the repair may end before the section's turn; then the section resumes, as any
    // request does.
    const end = section.catch(({ code }) => assert.equal(code, 'HF_ABANDONED'));
    const [queue] = /** @type {any[]} */ ([...(queues.get(place)?.values() ?? [])]);
    while (!queue.first?.next) {
        await jobEnds(); // until the section asks for the mutex behind the repairer
    }
    exports.gate_abandon(place, other, other | THREAD_MARK);
    await within(end, 'the section', [mutex]);
    await within(repairer, 'the repair', [mutex]);
    assertFree(mutex);
});
