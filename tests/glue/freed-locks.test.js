/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
    BinarySemaphore,
    Condition,
    CountingSemaphore,
    LockSpace,
    Mutex,
    Once,
    RwLock,
} from '../../js-glue/index.js';
import { makeBoard, reach, reached } from '../support/board.js';
import { waitWithLimit, waitWithoutLimit } from '../support/endless.js';
import { errorWith } from '../support/errors.js';
import { countTimers, jobEnds, reasonOf } from '../support/event-loop.js';
import { KINDS_OF_WAIT } from '../support/kinds-of-wait.js';
import { startThread } from '../support/thread.js';
import { within } from '../support/watchdog.js';
import { assertFree, wordsOf } from '../support/words.js';

/* A thread frees a lock that it used. Nothing of that use may remain for the next object at the address. */

const REQUESTS = 3;
const nothing = () => {};
const isFreed = errorWith('HF_FREED', /freed/);

/**
 * @typedef {import('../../js-glue/memory/placed.js').Placed} Placed
 *
 * @typedef {(space: LockSpace) => { object: Placed, ask: () => Promise<unknown> }} Make an object in that space, and
 *     requests of it that wait
 */

/** @type {Record<string, Make>} */
const KINDS = {
    mutex(space) {
        const object = new Mutex({ space });
        object.lock();
        return { object, ask: () => object.execAsync(assert.fail) };
    },
    'mutex, guard': (space) => {
        const object = new Mutex({ space });
        object.lock();
        return { object, ask: () => object.acquireAsync() };
    },
    'mutex of a condition': (space) => {
        const object = new Mutex({ space });
        const condition = new Condition({ space });
        const wait = () => object.execAsync(() => condition.waitAsync(object));
        const ask = async () => {
            const waiting = wait();
            await jobEnds();
            setTimeout(() => condition.notify());
            return waiting;
        };
        return { object, ask };
    },
    'counting semaphore, several permits': (space) => {
        const object = new CountingSemaphore({ space, initial: 0, max: 2 });
        return { object, ask: () => object.enterAsync({ permits: 2 }) };
    },
};

for (const { name, make } of KINDS_OF_WAIT) {
    KINDS[name] = (space) => {
        const { objects, ask } = make(REQUESTS, (Class, options) => new Class({ space, ...options }));
        return { object: /** @type {Placed} */ (objects.at(-1)), ask };
    };
}

for (const [name, make] of Object.entries(KINDS)) {
    for (const [moment, settle] of /** @type {const} */ ([
        ['in the same job', () => Promise.resolve()],
        ['later', jobEnds],
    ])) {
        test(`freed: ${name}: pending requests of an object that is freed ${moment} are rejected, and change none of its bytes`, async () => {
            const timers = countTimers();
            const space = new LockSpace();
            const { object, ask } = make(space);
            const requests = Array.from({ length: REQUESTS }, () => assert.rejects(ask(), isFreed));
            await settle();
            const { byteOffset } = object;
            space.free(byteOffset);
            const bytes = /** @type {typeof Mutex} */ (object.constructor).BYTES;
            assert.equal(space.alloc(bytes), byteOffset);
            const words = new Uint32Array(space.buffer, byteOffset, bytes / 4);
            assert.ok(words.every((word) => word === 0));
            words.fill(0xdead_beef);
            await within(Promise.all(requests), 'the requests', []);
            for (let turn = 0; turn < 10; turn += 1) {
                await jobEnds();
            }
            await new Promise((resolve) => setTimeout(resolve, 60)); // until the sweep has removed its entries
            assert.ok(
                words.every((word) => word === 0xdead_beef),
                'something wrote into the block of another',
            );
            assert.equal(countTimers(), timers, 'timers are left');
        });
    }
}

/**
 * Frees the lock, and makes another one at its address.
 *
 * @template {Placed} T
 * @param {LockSpace} space
 * @param {T} former
 * @param {() => T} make
 */
function replace(space, former, make) {
    space.free(former);
    const next = make();
    assert.equal(next.byteOffset, former.byteOffset);
    return next;
}

test('freed: a guard of a reader-writer lock does not release the next lock at its address', async () => {
    for (const mode of /** @type {const} */ (['exclusive', 'shared'])) {
        for (const take of /** @type {const} */ (['acquire', 'acquireAsync'])) {
            const space = new LockSpace();
            const former = new RwLock({ space });
            const guard = await former[take]({ mode });
            const next = replace(space, former, () => new RwLock({ space }));
            const held = await next.acquireAsync({ mode });
            const words = wordsOf(next);
            assert.throws(() => guard.release(), errorWith('HF_NOT_OWNER', /./));
            assert.deepEqual(wordsOf(next), words);
            held.release();
            assertFree(next);
        }
    }
});

test('freed: a section of a semaphore returns no permit to the next semaphore at its address', async () => {
    const space = new LockSpace();
    const make = () => new CountingSemaphore({ space, initial: 2, max: 5 });
    const former = make();
    let end = nothing;
    const section = former.execAsync(() => new Promise((resolve) => (end = () => resolve(undefined))), {
        permits: 2,
    });
    const next = replace(space, former, make);
    end();
    await assert.rejects(section, errorWith('HF_NOT_OWNER', /./));
    assert.equal(next.value, 2);
    const blocking = new BinarySemaphore({ space });
    assert.throws(
        () =>
            blocking.exec(
                () => void replace(space, blocking, () => new BinarySemaphore({ space, initial: 0 })),
            ),
        errorWith('HF_NOT_OWNER', /./),
    );
    assert.equal(BinarySemaphore.at(space.memory, blocking.byteOffset).value, 0);
});

test('freed: a guard of a freed mutex does not release the next mutex at its address', async () => {
    const space = new LockSpace();
    for (const take of /** @type {const} */ (['acquire', 'acquireAsync'])) {
        const former = new Mutex({ space });
        const guard = former.acquire();
        const next = replace(space, former, () => new Mutex({ space }));
        const held = await next[take]();
        assert.throws(() => guard.release(), errorWith('HF_NOT_OWNER', /./));
        assert.throws(() => next.unlock(), errorWith('HF_NOT_OWNER', /guard/));
        held.release();
        assertFree(next);
        space.free(next);
    }
});

test('freed: a section still running when its mutex is freed does not delay the next mutex', async (t) => {
    waitWithoutLimit();
    t.after(waitWithLimit);
    const space = new LockSpace();
    const former = new Mutex({ space });
    let end = nothing;
    const section = former.execAsync(() => new Promise((resolve) => (end = () => resolve(undefined))));
    const behind = former.execAsync(assert.fail);
    const next = replace(space, former, () => new Mutex({ space }));
    await assert.rejects(behind, isFreed);
    assert.equal(await next.execAsync(() => 7), 7);
    assert.equal(await former.execAsync(() => 8), 8, 'an object of the former one is one of the next');
    end();
    await assert.rejects(section, errorWith('HF_NOT_OWNER', /./));
    assertFree(next);
});

/** @param {Mutex} mutex */
async function assertServes(mutex) {
    const request = mutex.execAsync(() => 7);
    assert.equal(await within(request, 'a request', [mutex]), 7);
    assertFree(mutex);
}

test('freed: after a mutex was freed during a section, a new mutex at its address grants requests', async () => {
    const space = new LockSpace();
    const former = new Mutex({ space });
    await former.acquireAsync();
    const mutex = replace(space, former, () => new Mutex({ space }));
    await assertServes(mutex);
});

test('freed: after a mutex was freed during a section, a new mutex at its address can be locked', async () => {
    const space = new LockSpace();
    const former = new Mutex({ space });
    await former.acquireAsync();
    const mutex = replace(space, former, () => new Mutex({ space }));
    mutex.lock();
    const request = mutex.execAsync(() => 'run');
    mutex.unlock();
    assert.equal(await within(request, 'a request that waited', [mutex]), 'run');
    assertFree(mutex);
});

test('freed: a guard of acquireAsync does not release a section of the next mutex at its address', async () => {
    const space = new LockSpace();
    const former = new Mutex({ space });
    const guard = await former.acquireAsync();
    const mutex = replace(space, former, () => new Mutex({ space }));
    const later = await within(mutex.acquireAsync(), 'a section of the next life', [mutex]);
    const words = wordsOf(mutex);
    assert.throws(() => guard.release(), errorWith('HF_NOT_OWNER', /./));
    assert.deepEqual(wordsOf(mutex), words);
    later.release();
    await assertServes(mutex);
});

test('freed: a new mutex at the address of a freed one has no waiters', async (t) => {
    waitWithoutLimit();
    t.after(waitWithLimit);
    const space = new LockSpace();
    for (let round = 0; round < 5; round += 1) {
        const former = new Mutex({ space });
        const words = new Int32Array(space.buffer, former.byteOffset, Mutex.BYTES / 4);
        const woken = Array.from(words, (value, index) => Atomics.waitAsync(words, index, value).value);
        const controller = new AbortController();
        former.lock();
        const given = former.execAsync(assert.fail, { signal: controller.signal }).catch(() => {});
        await jobEnds();
        controller.abort();
        await given;
        former.unlock();
        const mutex = replace(space, former, () => new Mutex({ space }));
        assert.deepEqual(await within(Promise.all(woken), 'the abandoned', [former]), Array(4).fill('ok'));

        const board = makeBoard(7);
        const [held, release, released] = [0, 1, 2];
        startThread(t, 'holder', { handle: mutex.handle, board, held, release, released });
        await within(reached(board, held), 'the holder', [mutex]);
        for (const [waiting, way] of /** @type {const} */ ([
            [3, 'execAsync'],
            [5, 'lock'],
        ])) {
            startThread(t, 'waiter', { handle: mutex.handle, board, waiting, got: waiting + 1, way });
            await within(reached(board, waiting), 'a waiter', [mutex]);
        }
        const own = mutex.execAsync(() => {});
        reach(board, release);
        const all = Promise.all([own, reached(board, 4), reached(board, 6)]);
        await within(all, 'the waiters', [mutex]);
        assertFree(mutex);
        space.free(mutex);
    }
});

for (const former of KINDS_OF_WAIT) {
    test(`freed: an object at the address of a freed ${former.name} has no waiters`, async (t) => {
        waitWithoutLimit();
        t.after(waitWithLimit);
        const space = new LockSpace();
        /** @type {import('../support/kinds-of-wait.js').Create} */
        const create = (Class, options) => new Class({ space, ...options });
        for (const next of KINDS_OF_WAIT) {
            const old = former.make(1, create);
            await reasonOf(old.ask({ timeout: 0.5 }));
            old.objects.forEach((object) => space.free(object));
            const { objects, ask, meet } = next.make(1, create);
            assert.equal(objects[0]?.byteOffset, old.objects[0]?.byteOffset);
            const request = ask();
            await jobEnds();
            meet();
            await within(request, `the wait for a ${next.name}`, objects);
            objects.forEach((object) => space.free(object));
        }
    });
}

/**
 * Frees the object, and returns the words at its address, which then belong to other code.
 *
 * @param {LockSpace} space
 * @param {Placed} object
 */
function takeWordsOf(space, object) {
    const { byteOffset } = object;
    const { BYTES } = /** @type {typeof Mutex} */ (object.constructor);
    space.free(object);
    assert.equal(space.alloc(BYTES), byteOffset);
    return new Uint32Array(space.buffer, byteOffset, BYTES / 4);
}

/** @param {Uint32Array} words */
function assertUntouched(words) {
    assert.deepEqual([...words], Array(words.length).fill(0), 'something wrote into the block of another');
}

test('freed: a waiter that reacquires the mutex does not write to its condition if that was freed meanwhile', async () => {
    const space = new LockSpace();
    const mutex = new Mutex({ space });
    const condition = new Condition({ space });
    const waiting = mutex.execAsync(() => condition.waitAsync(mutex, { predicate: () => false }));
    await jobEnds();
    const words = await mutex.execAsync(async () => {
        condition.notify();
        await jobEnds(); // the waiter was notified, and waits for the mutex
        return takeWordsOf(space, condition);
    });
    await within(assert.rejects(waiting, isFreed), 'the wait', [mutex]);
    assertUntouched(words);
    assertFree(mutex);
});

test('freed: a wait does not write to a condition that its predicate frees', async () => {
    const space = new LockSpace();
    for (const wait of /** @type {const} */ (['waitFor', 'waitAsync'])) {
        const mutex = new Mutex({ space });
        const condition = new Condition({ space });
        /** @type {Uint32Array | undefined} */
        let words;
        const predicate = () => {
            words ??= takeWordsOf(space, condition).fill(0xdead_beef);
            return false;
        };
        const waiting = mutex.execAsync(async () =>
            wait === 'waitFor'
                ? condition.waitFor(mutex, { timeout: 1000, predicate })
                : condition.waitAsync(mutex, { predicate, timeout: 1000 }),
        );
        await within(assert.rejects(waiting, isFreed), wait, [mutex]);
        assert.ok(words?.every((word) => word === 0xdead_beef));
        assertFree(mutex);
    }
});

test('freed: a wait whose mutex is freed is rejected even if its predicate is true', async () => {
    const space = new LockSpace();
    const mutex = new Mutex({ space });
    const condition = new Condition({ space });
    let ready = false;
    /** @type {Promise<void> | undefined} */
    let waiting;
    const section = mutex.execAsync(() => {
        waiting = condition.waitAsync(mutex, { predicate: () => ready });
        return waiting;
    });
    await jobEnds();
    ready = true;
    condition.notify();
    space.free(mutex);
    await assert.rejects(Promise.resolve(waiting), isFreed);
    await assert.rejects(section, isFreed);
});

test('freed: if a once is freed while its callback runs, its end writes nothing to the next block', async () => {
    const space = new LockSpace();
    for (const run of /** @type {const} */ (['run', 'runAsync'])) {
        const once = new Once({ space });
        /** @type {Uint32Array | undefined} */
        let words;
        const callback = () => void (words = takeWordsOf(space, once));
        await assert.rejects(async () => once[run](callback), errorWith('HF_NOT_OWNER', /./));
        assertUntouched(/** @type {any} */ (words));
    }
    const once = new Once({ space });
    const running = once.runAsync(() => jobEnds());
    const words = takeWordsOf(space, once);
    await assert.rejects(running, errorWith('HF_NOT_OWNER', /./));
    assertUntouched(words);
});

test('freed: free() of a block ends the locks that were placed in the block, and no others', async () => {
    const space = new LockSpace();
    const block = space.alloc(48);
    const behind = new Mutex({ space });
    const inside = [16, 32].map((offset) => Mutex.at(space.memory, block + offset));
    const ask = (/** @type {Mutex} */ mutex) => {
        mutex.lock();
        return mutex.execAsync(() => 'met');
    };
    const freed = inside.map((mutex) => assert.rejects(ask(mutex), isFreed));
    const met = ask(behind);
    await jobEnds();
    space.free(block);
    await within(Promise.all(freed), 'the requests inside', []);
    behind.unlock();
    assert.equal(await within(met, 'the request behind', [behind]), 'met');
    assertFree(behind);
});

test('freed: a section that frees its semaphore or lock is rejected at its end', async () => {
    const space = new LockSpace();
    const seats = new CountingSemaphore({ space, max: 2 });
    assert.throws(() => seats.exec(() => space.free(seats)), errorWith('HF_NOT_OWNER', /free\(\)/));
    const lock = new RwLock({ space });
    await assert.rejects(
        lock.execAsync(() => space.free(lock)),
        errorWith('HF_NOT_OWNER', /free\(\)/),
    );
    const mutex = new Mutex({ space });
    assert.throws(() => mutex.exec(() => space.free(mutex)), errorWith('HF_NOT_OWNER', /free\(\)/));
});

for (const Lock of [Mutex, RwLock]) {
    test(`freed: an abort handler may make a new ${Lock.KIND} at the address of a lock that is being freed`, async () => {
        const space = new LockSpace();
        const lock = new Lock({ space });
        const guard = lock.acquire();
        const { signal } = new AbortController();
        /** @type {any[]} */
        const next = [];
        signal.removeEventListener = (/** @type {any[]} */ ...args) => {
            const other = new Lock({ space });
            next.push(
                other,
                other.execAsync(() => 'served'),
            );
            Reflect.apply(EventTarget.prototype.removeEventListener, signal, args);
        };
        const request = lock.execAsync(assert.fail, { signal });
        space.free(lock);
        await assert.rejects(within(request, 'the request', []), isFreed);
        const [other, served] = next;
        assert.equal(other.byteOffset, lock.byteOffset);
        assert.equal(await within(served, 'the next lock', [other]), 'served');
        assert.throws(() => guard.release(), errorWith('HF_NOT_OWNER', /free/));
        assertFree(other);
    });
}
