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
    RwLock,
} from '../../js-glue/index.js';
import { waitWithLimit, waitWithoutLimit } from '../support/endless.js';
import { errorWith } from '../support/errors.js';
import { countTimers, jobEnds } from '../support/event-loop.js';
import { within } from '../support/watchdog.js';
import { assertFree, wordsOf } from '../support/words.js';

/* What a thread did with a lock that it frees leaves nothing to the next user of the place. */

const SOON_MS = 2000;
const nothing = () => {};
const isFreed = errorWith('HF_FREED', /freed/);

/** @typedef {import('../../js-glue/memory/placed.js').Placed} Placed */

/**
 * Each makes an object in that space, and requests of it that wait.
 *
 * @type {Record<string, (space: LockSpace) => { object: Placed, ask: () => Promise<unknown> }>}
 */
const KINDS = {
    mutex(space) {
        const object = new Mutex(space);
        object.lock();
        return { object, ask: () => object.executeLocked(assert.fail) };
    },
    'mutex, guard': (space) => {
        const object = new Mutex(space);
        object.lock();
        return { object, ask: () => object.lockAsync() };
    },
    rwlock(space) {
        const object = new RwLock(space);
        object.lockShared();
        return { object, ask: () => object.executeLocked(assert.fail) };
    },
    semaphore(space) {
        const object = new CountingSemaphore(space, { initial: 0, max: 2 });
        return { object, ask: () => object.enterAsync({ permits: 2 }) };
    },
    event(space) {
        const object = new Event(space);
        return { object, ask: () => object.waitAsync() };
    },
    'event that resets by itself': (space) => {
        const object = new Event(space, { autoReset: true });
        return { object, ask: () => object.waitAsync() };
    },
    latch(space) {
        const object = new Latch(space);
        return { object, ask: () => object.waitAsync() };
    },
    barrier(space) {
        const object = new Barrier(space, { parties: 9 });
        return { object, ask: () => object.arriveAndWaitAsync() };
    },
    condition(space) {
        const mutex = new Mutex(space);
        const object = new Condition(space);
        return { object, ask: () => mutex.executeLocked(() => object.waitAsync(mutex)) };
    },
    'mutex of a condition': (space) => {
        const object = new Mutex(space);
        const condition = new Condition(space);
        const wait = () => object.executeLocked(() => condition.waitAsync(object));
        const ask = async () => {
            const waiting = wait();
            await jobEnds();
            setTimeout(() => condition.notify());
            return waiting;
        };
        return { object, ask };
    },
    once(space) {
        const object = new Once(space);
        void object.runAsync(() => new Promise(nothing));
        return { object, ask: () => object.runAsync(nothing) };
    },
};

for (const [name, make] of Object.entries(KINDS)) {
    for (const [moment, settle] of /** @type {const} */ ([
        ['in the same job', () => Promise.resolve()],
        ['later', jobEnds],
    ])) {
        test(`freed: ${name}: requests that wait when it is freed ${moment} are rejected, and write no more`, async () => {
            const timers = countTimers();
            const space = new LockSpace();
            const { object, ask } = make(space);
            const requests = [ask(), ask(), ask()].map((request) => assert.rejects(request, isFreed));
            await settle();
            const { byteOffset } = object;
            space.free(byteOffset);
            const bytes = /** @type {typeof Mutex} */ (object.constructor).BYTES;
            assert.equal(space.alloc(bytes), byteOffset);
            const words = new Uint32Array(space.buffer, byteOffset, bytes / 4);
            assert.ok(words.every((word) => word === 0));
            words.fill(0xdead_beef);
            await within(Promise.all(requests), 'the requests', [], SOON_MS);
            for (let turn = 0; turn < 10; turn += 1) {
                await jobEnds();
            }
            await new Promise((resolve) => setTimeout(resolve, 60)); // entries have come back
            assert.ok(
                words.every((word) => word === 0xdead_beef),
                'something wrote into the block of another',
            );
            assert.equal(countTimers(), timers, 'timers are left');
        });
    }
}

/**
 * Frees it, and makes another one there.
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

test('freed: a guard of a reader-writer lock does not release the next one at its place', async () => {
    for (const mode of /** @type {const} */ (['exclusive', 'shared'])) {
        for (const take of /** @type {const} */ (['acquire', 'lockAsync'])) {
            const space = new LockSpace();
            const former = new RwLock(space);
            const guard = await former[take]({ mode });
            const next = replace(space, former, () => new RwLock(space));
            const held = await next.lockAsync({ mode });
            const words = wordsOf(next);
            assert.throws(() => guard.release(), errorWith('HF_NOT_OWNER', /./));
            assert.deepEqual(wordsOf(next), words);
            held.release();
            assertFree(next);
        }
    }
});

test('freed: a section of a semaphore gives the next one at its place no permit', async () => {
    const space = new LockSpace();
    const make = () => new CountingSemaphore(space, { initial: 2, max: 5 });
    const former = make();
    let end = nothing;
    const section = former.execAsync(() => new Promise((resolve) => (end = () => resolve(undefined))), {
        permits: 2,
    });
    const next = replace(space, former, make);
    end();
    await assert.rejects(section, errorWith('HF_NOT_OWNER', /./));
    assert.equal(next.value, 2);
    const blocking = new BinarySemaphore(space);
    assert.throws(
        () =>
            blocking.exec(
                () => void replace(space, blocking, () => new BinarySemaphore(space, { initial: 0 })),
            ),
        errorWith('HF_NOT_OWNER', /./),
    );
    assert.equal(BinarySemaphore.at(space.memory, blocking.byteOffset).value, 0);
});

test('freed: a guard of acquire does not release the next mutex at its place, whatever took that', async () => {
    const space = new LockSpace();
    for (const take of /** @type {const} */ (['acquire', 'lockAsync'])) {
        const former = new Mutex(space);
        const guard = former.acquire();
        const next = replace(space, former, () => new Mutex(space));
        const held = await next[take]();
        assert.throws(() => guard.release(), errorWith('HF_NOT_OWNER', /./));
        assert.throws(() => next.unlock(), errorWith('HF_NOT_OWNER', /guard/));
        held.release();
        assertFree(next);
        space.free(next);
    }
});

test('freed: a section that goes on when its mutex is freed does not hold up the next one', async (t) => {
    waitWithoutLimit();
    t.after(waitWithLimit);
    const space = new LockSpace();
    const former = new Mutex(space);
    let end = nothing;
    const section = former.executeLocked(() => new Promise((resolve) => (end = () => resolve(undefined))));
    const behind = former.executeLocked(assert.fail);
    const next = replace(space, former, () => new Mutex(space));
    await assert.rejects(behind, isFreed);
    assert.equal(await next.executeLocked(() => 7), 7);
    assert.equal(await former.executeLocked(() => 8), 8, 'an object of the former one is one of the next');
    end();
    await assert.rejects(section, errorWith('HF_NOT_OWNER', /./));
    assertFree(next);
});

test('freed: locks that were placed inside a block are freed with it, and others are not', async () => {
    const space = new LockSpace();
    const block = space.alloc(48);
    const behind = new Mutex(space);
    const inside = [16, 32].map((offset) => Mutex.at(space.memory, block + offset));
    const ask = (/** @type {Mutex} */ mutex) => {
        mutex.lock();
        return mutex.executeLocked(() => 'met');
    };
    const freed = inside.map((mutex) => assert.rejects(ask(mutex), isFreed));
    const met = ask(behind);
    await jobEnds();
    space.free(block);
    await within(Promise.all(freed), 'the requests inside', [], SOON_MS);
    behind.unlock();
    assert.equal(await within(met, 'the request behind', [behind], SOON_MS), 'met');
    assertFree(behind);
});
