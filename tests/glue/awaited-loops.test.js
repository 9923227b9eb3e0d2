/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Loops that await calls which do not wait. Such a loop runs only microtasks, unless its promises let other
 * work have turns. Turns and calls are counted, since a busy machine makes both longer. */
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
    RwLock,
} from '../../js-glue/index.js';
import { KeyedMutex } from '../../js-glue/keyed.js';
import { RecoverableRwLock, RecoverableSemaphore } from '../../js-glue/recoverable.js';
import * as tc39 from '../../js-glue/tc39.js';
import { environment } from '../../js-glue/thread/environment.js';
import { LockManager } from '../../js-glue/web-locks.js';
import { work } from '../support/board.js';
import { replaceInEnvironment } from '../support/environment.js';
import { jobEnds } from '../support/event-loop.js';
import { isTold, startMortal } from '../support/mortal.js';
import { within } from '../support/watchdog.js';

/** Calls for some hundred milliseconds; a turn comes after about four. */
const MOST_CALLS = 1_000_000;

const LONGER_THAN_A_BURST_MS = 6;

/** At most 16 calls come before a read of the clock, and one call after it. */
const MOST_LONG_SECTIONS = 17;

const nothing = () => {};
const wrong = /** @type {any} */ (5n);
const later = async () => {};

const mutex = new Mutex();
const rwlock = new RwLock();
const turn = new BinarySemaphore();
const seats = new CountingSemaphore({ max: 2 });
const isSet = new Event();
isSet.set();
const automatic = new Event({ autoReset: true });
const open = new Latch({ count: 0 });
const alone = new Barrier({ parties: 1 });
const pair = new Barrier({ parties: 2 });
const done = new Once();
done.run(nothing);
const condition = new Condition();
const held = new Mutex();
assert.ok(held.tryLock());
const heldForGood = new Mutex();
heldForGood.lock();
const taken = new RwLock();
assert.ok(taken.tryLock());
const missing = new Event();
const keyed = new KeyedMutex();
const recoverable = new RecoverableRwLock();
const recoverableSeats = new RecoverableSemaphore({ max: 2 });
const proposed = new tc39.Mutex();
const proposedCondition = new tc39.Condition();
const locks = new LockManager();

const released = async (/** @type {Promise<{ release(): void }>} */ guard) => (await guard).release();

/** Calls that a loop awaits again and again. @type {Record<string, () => PromiseLike<unknown>>} */
const AWAITED = {
    'Mutex.execAsync': () => mutex.execAsync(nothing),
    'Mutex.execAsync with an async callback': () => mutex.execAsync(later),
    'Mutex.execAsync with a callback that throws': () =>
        mutex.execAsync(() => Promise.reject(new Error('thrown'))).catch(nothing),
    'Mutex.execAsync with a timeout of 0, while it is held': () =>
        held.execAsync(nothing, { timeout: 0 }).catch(nothing),
    'Mutex.executeLocked': () => mutex.executeLocked(nothing),
    'Mutex.acquireAsync': () => released(mutex.acquireAsync()),
    'Mutex.acquireAsync with a timeout': () => released(mutex.acquireAsync({ timeout: 60_000 })),
    'Mutex.acquireAsync with a timeout of 0': () => released(mutex.acquireAsync({ timeout: 0 })),
    'Mutex.recoverAsync': () => mutex.recoverAsync(nothing),
    'Mutex.execAsync, asked for just before unlock()': () => {
        mutex.tryLock();
        const request = mutex.execAsync(nothing);
        mutex.unlock();
        return request;
    },
    'Mutex.execAsync with a timeout of 0 of two of which one is awaited': () => {
        void held.execAsync(nothing, { timeout: 0 }).catch(nothing);
        return held.execAsync(nothing, { timeout: 0 }).catch(nothing);
    },
    'Mutex.execAsync, the last of two': () => {
        void mutex.execAsync(nothing);
        return mutex.execAsync(nothing);
    },
    'Mutex.execAsync, the first of two': () => {
        const request = mutex.execAsync(nothing);
        void mutex.execAsync(nothing);
        return request;
    },
    'Mutex.execAsync with a signal that aborts while it is held': () => {
        const controller = new AbortController();
        const request = held.execAsync(nothing, { signal: controller.signal });
        controller.abort();
        return request.catch(nothing);
    },
    'RwLock.execAsync': () => rwlock.execAsync(nothing),
    'RwLock.execAsync, shared': () => rwlock.execAsync(nothing, { mode: 'shared' }),
    'RwLock.execAsync with a timeout of 0, while it is held': () =>
        taken.execAsync(nothing, { timeout: 0 }).catch(nothing),
    'RwLock.acquireAsync': () => released(rwlock.acquireAsync()),
    'RwLock.acquireAsync with a timeout of 0': () => released(rwlock.acquireAsync({ timeout: 0 })),
    'BinarySemaphore.execAsync': () => turn.execAsync(nothing),
    'CountingSemaphore.execAsync with an async callback': () => seats.execAsync(later, { permits: 2 }),
    'CountingSemaphore.acquireAsync': () => released(seats.acquireAsync()),
    'CountingSemaphore.enterAsync': () => seats.enterAsync().then(() => seats.leave()),
    'CountingSemaphore.execAsync, asked for just before leave()': () => {
        seats.tryEnter({ permits: 2 });
        const request = seats.execAsync(nothing);
        seats.leave(2);
        return request;
    },
    'Event.waitAsync': () => isSet.waitAsync(),
    'Event.waitAsync with a timeout of 0, while it is not set': () =>
        missing.waitAsync({ timeout: 0 }).catch(nothing),
    'Event.waitAsync, just before set()': () => {
        const wait = missing.waitAsync();
        missing.set();
        missing.reset();
        return wait;
    },
    'Event.waitAsync with a signal that aborts while it is not set': () => {
        const controller = new AbortController();
        const wait = missing.waitAsync({ signal: controller.signal });
        controller.abort();
        return wait.catch(nothing);
    },
    'Event.waitAsync of one that resets itself': () => {
        automatic.set();
        return automatic.waitAsync();
    },
    'Latch.waitAsync': () => open.waitAsync(),
    'Latch.waitAsync, just before countDown()': () => {
        const latch = new Latch({ count: 1 });
        const wait = latch.waitAsync();
        latch.countDown();
        return wait;
    },
    'Barrier.arriveAndWaitAsync of the first of two parties': () => {
        const wait = pair.arriveAndWaitAsync();
        void pair.arriveAndWaitAsync();
        return wait;
    },
    'Barrier.arriveAndWaitAsync': () => alone.arriveAndWaitAsync(),
    'Once.runAsync': () => done.runAsync(nothing),
    'Condition.waitAsync with a predicate that is true': () =>
        mutex.execAsync(() => condition.waitAsync(mutex, { predicate: () => true })),
    'Condition.waitAsync with a predicate that is true, with the mutex held throughout': () =>
        condition.waitAsync(heldForGood, { predicate: () => true }),
    'Condition.waitAsync, just before notify()': () => {
        const wait = condition.waitAsync(heldForGood);
        condition.notify();
        return wait;
    },
    'Condition.waitAsync with a timeout of 0': () =>
        mutex.execAsync(() => condition.waitAsync(mutex, { timeout: 0 }).catch(nothing)),
    'KeyedMutex.execAsync': () => keyed.execAsync('key', nothing),
    'KeyedMutex.acquireAsync': () => released(keyed.acquireAsync('key')),
    'RecoverableRwLock.execAsync': () => recoverable.execAsync(nothing),
    'RecoverableSemaphore.acquireAsync': () => released(recoverableSeats.acquireAsync()),
    'Mutex.lockAsync of holdfast/tc39': () => tc39.Mutex.lockAsync(proposed, nothing),
    'LockManager.request of holdfast/web-locks': () => locks.request('lock', nothing),
    'LockManager.query of holdfast/web-locks': () => locks.query(),
};

/** Calls that are refused, by programs that catch the error and try again. @type {typeof AWAITED} */
const REFUSED = {
    'Mutex.execAsync without a callback': () => mutex.execAsync(wrong),
    'Mutex.acquireAsync with a wrong timeout': () => mutex.acquireAsync({ timeout: wrong }),
    'Mutex.recoverAsync without a callback': () => mutex.recoverAsync(wrong),
    'KeyedMutex.execAsync without a key': () => keyed.execAsync(wrong, nothing),
    'RwLock.execAsync with a wrong mode': () => rwlock.execAsync(nothing, { mode: wrong }),
    'CountingSemaphore.enterAsync for too many permits': () => seats.enterAsync({ permits: 5 }),
    'Event.waitAsync with a wrong timeout': () => isSet.waitAsync({ timeout: wrong }),
    'Event.waitAsync of one that resets itself, with a wrong timeout': () =>
        automatic.waitAsync({ timeout: wrong }),
    'Latch.waitAsync with a wrong timeout': () => open.waitAsync({ timeout: wrong }),
    'Barrier.arriveAndWaitAsync with a wrong timeout': () => alone.arriveAndWaitAsync({ timeout: wrong }),
    'Once.runAsync without a callback': () => done.runAsync(wrong),
    'Condition.waitAsync with a mutex that is not held': () => condition.waitAsync(mutex),
    'Condition.waitAsync without a mutex': () => condition.waitAsync(wrong),
    'Condition.waitAsync of holdfast/tc39 with a mutex that is not held': () =>
        tc39.Condition.waitAsync(proposedCondition, proposed),
    'LockManager.request without a callback': () => locks.request('lock', wrong),
};

for (const [name, call] of Object.entries(REFUSED)) {
    AWAITED[`${name}, which is refused`] = () => call().then(() => assert.fail('not refused'), nothing);
}

/** @param {() => PromiseLike<unknown>} call @param {() => boolean} isOver @returns {Promise<number>} how many calls */
async function repeat(call, isOver) {
    let calls = 0;
    while (!isOver() && calls < MOST_CALLS) {
        await call();
        calls += 1;
    }
    return calls;
}

/** @param {() => PromiseLike<unknown>} call */
async function assertOthersRun(call) {
    const seen = { timer: false, task: false };
    setTimeout(() => (seen.timer = true), 1);
    setImmediate(() => (seen.task = true));
    await repeat(call, () => seen.timer && seen.task);
    assert.deepEqual(seen, { timer: true, task: true });
}

for (const [name, call] of Object.entries(AWAITED)) {
    test(`awaited loops: timers and tasks run while a loop awaits ${name}`, () => assertOthersRun(call));
}

test('awaited loops: timers and tasks run while a loop requests an abandoned lock', async (t) => {
    for (const lock of [new Mutex(), new RwLock()]) {
        await startMortal(t, lock);
        const refused = () => assert.rejects(lock.execAsync(nothing), isTold);
        await refused();
        await assertOthersRun(refused);
        await assertOthersRun(() => assert.rejects(lock.acquireAsync(), isTold));
        await assertOthersRun(() =>
            assert.rejects(
                lock.recoverAsync(() => {
                    throw new Error('thrown');
                }),
                /thrown/,
            ),
        );
    }
});

test('awaited loops: timers run while two loops of one thread pass a lock to each other', async () => {
    let isOver = false;
    setTimeout(() => (isOver = true), 1);
    await Promise.all(
        [0, 1].map(() =>
            repeat(
                () => mutex.execAsync(later),
                () => isOver,
            ),
        ),
    );
    assert.ok(isOver);
});

test('awaited loops: the lock is free while the loop yields to other work', async () => {
    for (const call of [
        () => mutex.execAsync(nothing),
        () => mutex.execAsync(later),
        () => released(mutex.acquireAsync()),
        () => released(mutex.acquireAsync({ timeout: 0 })),
    ]) {
        let turns = 0;
        let isFree = true;
        const look = () => {
            turns += 1;
            if (mutex.tryLock()) {
                mutex.unlock();
            } else {
                isFree = false;
            }
            if (turns < 4) {
                setImmediate(look);
            }
        };
        await jobEnds();
        setImmediate(look);
        await repeat(call, () => turns === 4);
        assert.equal(turns, 4);
        assert.ok(isFree);
    }
});

/**
 * Makes a turn due, as if this job had been running for long.
 *
 * @param {import('node:test').TestContext} t
 * @param {() => void} [onTurn] called in the next turn
 * @returns {Promise<() => void>} ends that
 */
async function makeTurnDue(t, onTurn = nothing) {
    let time = environment.now();
    const restore = replaceInEnvironment({ now: () => (time += 10) });
    t.after(restore);
    await jobEnds();
    setImmediate(onTurn);
    for (let calls = 0; calls < 300; calls += 1) {
        void mutex.execAsync(nothing); // not awaited, so a turn stays due
    }
    return restore;
}

test('awaited loops: if sections become longer, the loop soon yields more often', async (t) => {
    let time = environment.now();
    t.after(replaceInEnvironment({ now: () => time }));
    const [short, long] = [() => void (time += 0.001), () => void (time += 20)];
    for (let before = 100; before < 200; before += 10) {
        let hasTurned = false;
        setImmediate(() => (hasTurned = true));
        await repeat(
            () => mutex.execAsync(short),
            () => hasTurned,
        );
        let calls = 0;
        await repeat(
            () => mutex.execAsync(short),
            () => (calls += 1) > before,
        );
        hasTurned = false;
        setImmediate(() => (hasTurned = true));
        calls = await repeat(
            () => mutex.execAsync(long),
            () => hasTurned,
        );
        assert.ok(calls <= MOST_LONG_SECTIONS, `${calls} sections of 20 ms each`);
    }
});

test('awaited loops: the callback of a free lock runs before the call returns, even if other work is due', async (t) => {
    let turns = 0;
    await makeTurnDue(t, () => (turns += 1));
    let hasRun = false;
    const request = mutex.execAsync(() => void (hasRun = true));
    assert.ok(hasRun);
    assert.ok(mutex.tryLock(), 'it has released the lock');
    mutex.unlock();
    await request;
    assert.equal(turns, 1);
});

test('awaited loops: requests are granted in the order made, even if other work is due', async (t) => {
    await makeTurnDue(t);
    for (const lock of [mutex, rwlock]) {
        /** @type {string[]} */
        const order = [];
        const first = lock.acquireAsync().then((guard) => {
            order.push('acquireAsync');
            guard.release();
        });
        const second = lock.execAsync(() => void order.push('execAsync'));
        await Promise.all([first, second]);
        assert.deepEqual(order, ['acquireAsync', 'execAsync']);
        assert.ok(lock.tryLock());
        lock.unlock();
    }
});

test('awaited loops: a guard is granted behind a section that lost the lock, even if other work is due', async (t) => {
    const memory = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true });
    const lock = Mutex.at(memory, 64);
    await lock.acquireAsync();
    Mutex.at(structuredClone(memory), 64).unlock(); // another object for the glue
    await makeTurnDue(t);
    const guard = await within(lock.acquireAsync(), 'a guard', [lock]);
    guard.release();
});

test('awaited loops: a shared section may return a shared request, even if other work is due', async (t) => {
    await makeTurnDue(t);
    const mode = /** @type {const} */ ('shared');
    for (const lock of [rwlock, recoverable]) {
        const guard = await lock.execAsync(() => lock.acquireAsync({ mode }), { mode });
        assert.equal(lock.tryLock(), false);
        guard.release();
        assert.ok(lock.tryLock());
        lock.unlock();
    }
});

test('awaited loops: requests granted at once are settled in the order made, even if other work is due', async () => {
    await jobEnds();
    work(LONGER_THAN_A_BURST_MS);
    /** @type {number[]} */
    const order = [];
    const requests = Array.from({ length: 300 }, (_, index) =>
        mutex.execAsync(nothing).then(() => order.push(index)),
    );
    await Promise.all(requests);
    assert.deepEqual(
        order,
        [...order].sort((one, other) => one - other),
    );
});

test('awaited loops: recoverAsync() without a repair is settled in the order made, even if other work is due', async (t) => {
    const guard = await mutex.acquireAsync();
    await makeTurnDue(t);
    /** @type {string[]} */
    const order = [];
    const first = mutex.recoverAsync(nothing).then(() => order.push('recoverAsync'));
    const second = mutex.execAsync(nothing).then(() => order.push('execAsync'));
    await jobEnds();
    guard.release();
    await Promise.all([first, second]);
    assert.deepEqual(order, ['recoverAsync', 'execAsync']);
});

test('awaited loops: after a refused call a free lock is granted, even if other work is due', async (t) => {
    await makeTurnDue(t);
    const semaphore = new BinarySemaphore({ initial: 0 });
    await assert.rejects(semaphore.execAsync(nothing, { timeout: 0 }), { code: 'HF_TIMEOUT' });
    const refused = assert.rejects(semaphore.execAsync(nothing, { timeout: 0 }), { code: 'HF_TIMEOUT' });
    semaphore.leave();
    assert.equal(await semaphore.execAsync(() => 'met', { timeout: 0 }), 'met');
    await refused;
});

test('awaited loops: a signal aborts acquireAsync() while it yields to other work', async (t) => {
    await makeTurnDue(t);
    const controller = new AbortController();
    const request = mutex.acquireAsync({ signal: controller.signal });
    controller.abort('enough');
    await assert.rejects(request, (reason) => reason === 'enough');
    await jobEnds();
    assert.ok(mutex.tryLock());
    mutex.unlock();
});

test('awaited loops: while acquireAsync() with timeout 0 yields, it can be aborted, and its lock freed', async (t) => {
    const restore = await makeTurnDue(t);
    const controller = new AbortController();
    const aborted = mutex.acquireAsync({ timeout: 0, signal: controller.signal });
    controller.abort('enough');
    const space = new LockSpace();
    const short = new Mutex({ space });
    const request = short.acquireAsync({ timeout: 0 });
    space.free(short);
    restore();
    await assert.rejects(aborted, (reason) => reason === 'enough');
    await assert.rejects(request, { code: 'HF_FREED' });
    assert.ok(mutex.tryLock());
    mutex.unlock();
});

test('awaited loops: most calls that acquire a free lock neither read the clock nor post a task', async (t) => {
    const before = environment.now;
    let reads = 0;
    const now = () => {
        reads += 1;
        return before();
    };
    t.after(replaceInEnvironment({ now }));
    await repeat(
        () => mutex.execAsync(nothing),
        (
            (calls) => () =>
                (calls += 1) > 10_000
        )(0),
    );
    assert.ok(reads < 2000, `${reads} of 10,000`);
});
