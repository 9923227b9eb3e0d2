/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Locks in the default space of a thread, after the program has dropped their objects. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Answerer, Channel } from '../../js-glue/channel.js';
import { RecoverableRwLock, RecoverableSemaphore } from '../../js-glue/recoverable.js';
import { Condition, CountingSemaphore, Mutex, RecursiveMutex, RwLock } from '../../js-glue/index.js';
import { AT_ONCE, DROPPED, dropMany } from '../support/dropped-locks.js';
import { jobEnds } from '../support/event-loop.js';
import { garbageCollector } from '../support/garbage.js';
import { within } from '../support/watchdog.js';

/** More than the first default space has room for. */
const MORE_THAN_A_PAGE = 4000;

/** The bytes of a dropped object are free again after some garbage collections. */
const FEW_PLACES = 3 * AT_ONCE;

const COUNT = Number(process.env.HOLDFAST_DROPPED ?? 5 * AT_ONCE);

const collectGarbage = garbageCollector();

async function collect() {
    await jobEnds();
    collectGarbage();
    await new Promise((resolve) => setTimeout(resolve, 1)); // registries run their callbacks in a task
}

/** @param {() => any} make */
async function makeMany(make) {
    for (let times = 0; times < 4; times += 1) {
        await collect();
    }
    return Array.from({ length: MORE_THAN_A_PAGE }, make);
}

for (const [name, make, use] of DROPPED) {
    test(`collected: ${COUNT} of ${name}, dropped one after the other, reuse few addresses`, async (t) => {
        const places = await dropMany(make, use, COUNT, collect);
        t.diagnostic(`${places} places`);
        assert.ok(places <= FEW_PLACES, `${places} places`);
    });
}

test('collected: when the default space is full, later locks are in another one, and each handle works', async () => {
    const mutexes = await makeMany(() => new Mutex());
    const places = mutexes.map(({ handle }) => handle);
    assert.ok(new Set(places.map(({ memory }) => memory)).size > 1);
    for (const at of [0, MORE_THAN_A_PAGE - 1]) {
        const other = Mutex.from(structuredClone(places[at]));
        const guard = other.acquire();
        assert.equal(mutexes[at].tryLock(), false);
        guard.release();
        assert.equal(mutexes[at].tryLock(), true);
        mutexes[at].unlock();
    }
});

test('collected: a lock at the address of a collected named lock has no name', async () => {
    for (let left = 100; left > 0; left -= 1) {
        new Mutex({ name: 'orders' });
    }
    const names = new Set((await makeMany(() => new Mutex())).map(({ name }) => name));
    assert.deepEqual([...names], ['']);
});

for (const Class of [Channel, Answerer]) {
    test(`collected: larger objects of ${Class.name} do not take the places of dropped ones`, async () => {
        for (let left = 20; left > 0; left -= 1) {
            new Class({ bytes: 64 });
        }
        for (let times = 0; times < 4; times += 1) {
            await collect();
        }
        const bytes = 1024;
        const objects = Array.from({ length: 10 }, () => new Class({ bytes }));
        for (const { memory, byteOffset } of objects) {
            const near = (/** @type {Channel | Answerer} */ other) =>
                other.memory === memory && Math.abs(other.byteOffset - byteOffset) < Class.BYTES + bytes;
            assert.equal(objects.filter(near).length, 1, 'it is near itself alone');
        }
    });
}

test('collected: a condition waits with a mutex of another default space', async () => {
    const [first, ...others] = await makeMany(() => new Mutex());
    const last = others.at(-1);
    const condition = new Condition();
    for (const mutex of [first, last]) {
        const section = mutex.execAsync(() => condition.waitAsync(mutex));
        await jobEnds();
        assert.equal(condition.notify(), 1);
        await within(section, 'the wait', [mutex, condition]);
        const guard = mutex.acquire();
        assert.equal(condition.waitFor(mutex, { timeout: 1 }), false);
        guard.release();
    }
});

for (const [name, read] of /** @type {[string, (mutex: Mutex) => number][]} */ ([
    ['handle', (mutex) => mutex.handle.byteOffset],
    ['byteOffset', (mutex) => mutex.byteOffset],
])) {
    test(`collected: a mutex whose ${name} was read keeps its memory, since other threads may use it`, async () => {
        const make = () => {
            const mutex = new Mutex();
            return { memory: mutex.memory, byteOffset: read(mutex) };
        };
        const { memory, byteOffset } = make();
        Mutex.at(memory, byteOffset).lock();
        const later = await makeMany(() => new Mutex());
        assert.ok(!later.some((mutex) => mutex.memory === memory && mutex.byteOffset === byteOffset));
        Mutex.at(memory, byteOffset).unlock();
    });
}

/** @type {[string, () => any, (lock: any) => { release(): void }][]} class, and what takes it */
const HELD = [
    ['Mutex', () => new Mutex(), (lock) => lock.tryAcquire()],
    ['RecursiveMutex', () => new RecursiveMutex(), (lock) => lock.tryAcquire()],
    ['RwLock, shared,', () => new RwLock(), (lock) => lock.tryAcquire({ mode: 'shared' })],
    ['RwLock', () => new RwLock(), (lock) => lock.tryAcquire()],
    ['CountingSemaphore', () => new CountingSemaphore({ max: 1 }), (lock) => lock.tryAcquire()],
    ['RecoverableRwLock', () => new RecoverableRwLock(), (lock) => lock.tryAcquire()],
    ['RecoverableSemaphore', () => new RecoverableSemaphore({ max: 1 }), (lock) => lock.tryAcquire()],
];

for (const [name, make, take] of HELD) {
    test(`collected: a guard of a dropped ${name} still holds it, and releases that lock only`, async () => {
        const guard = take(make());
        const later = await makeMany(make);
        const guards = later.map(take);
        guard.release(); // throws if the guard no longer held the lock
        guards.forEach((each) => each.release());
    });
}

test('collected: a section and a request continue after the mutex object was dropped', async () => {
    let end = () => {};
    const ask = () => {
        const mutex = new Mutex();
        const section = mutex.execAsync(() => new Promise((resolve) => (end = () => resolve('ran'))));
        return [section, mutex.execAsync(() => 'ran too'), mutex.execAsync(() => {}, { timeout: 1 })];
    };
    const [section, request, late] = ask();
    const reason = late?.catch((error) => error.code);
    const later = await makeMany(() => new Mutex());
    const guards = later.map((mutex) => mutex.tryAcquire());
    end();
    assert.deepEqual(await within(Promise.all([section, request, reason]), 'both', later.slice(0, 1)), [
        'ran',
        'ran too',
        'HF_TIMEOUT',
    ]);
    guards.forEach((guard) => guard.release());
});

test('collected: condition waits and lock() continue after their objects were dropped', async () => {
    const condition = new Condition();
    const ask = async () => {
        const mutex = new Mutex();
        mutex.lock();
        await condition.waitAsync(mutex);
    };
    const wait = ask();
    const later = await makeMany(() => new Mutex());
    assert.equal(condition.notify(), 1);
    await within(wait, 'the wait', [condition]);
    assert.ok(later.every((mutex) => mutex.tryLock()));
});

test('collected: a pending request of a dropped semaphore takes no permit of later semaphores', async () => {
    const end = new AbortController();
    const { signal } = end;
    const make = () => new CountingSemaphore({ initial: 0, max: 1 });
    const ask = () => make().enterAsync({ signal });
    const request = ask();
    const later = await makeMany(make);
    const entered = later.map((semaphore) => semaphore.enterAsync());
    later.forEach((semaphore) => semaphore.leave());
    await within(Promise.all(entered), 'the others', later.slice(0, 1));
    end.abort(new Error('enough'));
    await assert.rejects(request, /enough/);
});

test('collected: a mutex that was dropped while locked frees its memory', async () => {
    for (let count = 0; count < MORE_THAN_A_PAGE; count += 1) {
        new Mutex().lock();
    }
    const later = await makeMany(() => new Mutex());
    assert.ok(later.every((mutex) => mutex.tryLock()));
});
