/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HoldfastError, Mutex, RwLock } from '../../js-glue/index.js';
import { trace } from '../../js-glue/trace.js';
import { CLASSES } from '../support/classes.js';
import { errorWith } from '../support/errors.js';
import { jobEnds } from '../support/event-loop.js';
import { within } from '../support/watchdog.js';
import { assertFree, wordsOf } from '../support/words.js';

/* Traced objects behave as untraced ones do. */

const own = new Error('of a section');

function fail() {
    throw own;
}

/**
 * Calls whose outcome must be the same with and without trace(). The words show what a call leaves behind.
 *
 * @type {[title: string, options: object, use: (lock: any) => unknown][]}
 */
const USES = [
    ['Mutex.lock and unlock', {}, (m) => (m.lock(), m.unlock())],
    ['Mutex.tryLock', {}, (m) => [m.tryLock(), m.tryLock(), m.unlock()]],
    ['Mutex.exec', {}, (m) => m.exec(() => 7)],
    ['Mutex.acquire', {}, (m) => m.acquire().release()],
    ['Mutex.tryAcquire', {}, (m) => [m.tryAcquire().release(), m.lock(), m.tryAcquire(), m.unlock()]],
    ['Mutex.execAsync', {}, (m) => m.execAsync(() => 7)],
    ['Mutex.executeLocked', {}, (m) => m.executeLocked(() => 7)],
    ['Mutex.execAsync, async', {}, (m) => m.execAsync(async () => 7)],
    ['Mutex.execAsync that fails', {}, (m) => m.execAsync(fail)],
    ['Mutex.acquireAsync', {}, async (m) => (await m.acquireAsync()).release()],
    ['Mutex.acquireAsync in vain', {}, lockInVain],
    ['RwLock.lockShared', {}, (l) => (l.lockShared(), l.unlockShared())],
    ['RwLock.execAsync', {}, (l) => l.execAsync(() => 7, { mode: 'shared' })],
    ['RwLock.acquire', {}, (l) => l.acquire({ mode: 'shared' }).release()],
    ['BinarySemaphore.enter', {}, (s) => s.enter()],
    ['BinarySemaphore.tryEnter', {}, (s) => [s.tryEnter(), s.tryEnter({ timeout: 1 })]],
    ['BinarySemaphore.execAsync', {}, (s) => s.execAsync(() => 7)],
    ['CountingSemaphore.acquire', { max: 3 }, (s) => s.acquire({ permits: 2 }).release()],
    ['CountingSemaphore.acquireAsync', { max: 3 }, (s) => s.acquireAsync({ permits: 2 })],
    ['CountingSemaphore.enterAsync', { max: 3 }, (s) => s.enterAsync({ permits: 2 })],
    ['Condition.waitAsync', {}, (c) => new Mutex().execAsync(() => c.waitAsync(new Mutex()))],
    ['Event.wait', { autoReset: true }, (e) => (e.set(), [e.wait(1), e.wait(0)])],
    ['Event.waitAsync', { autoReset: true }, (e) => (e.set(), e.waitAsync())],
    ['Latch.waitAsync', { count: 1 }, (l) => (l.countDown(), l.waitAsync())],
    ['Barrier.arriveAndWait', { parties: 1 }, (b) => b.arriveAndWait()],
    ['Barrier.arriveAndWaitAsync', { parties: 1 }, (b) => b.arriveAndWaitAsync()],
    ['Once.run', {}, (o) => o.run(() => {})],
    ['Once.runAsync', {}, (o) => o.runAsync(async () => {})],
];

/** @param {Mutex} mutex */
async function lockInVain(mutex) {
    mutex.lock();
    await mutex.acquireAsync({ timeout: 1 }).finally(() => mutex.unlock());
}

/** The error without the address of its lock. @param {HoldfastError} error */
function likeness({ name, code, lock, message }) {
    return { name, code, kind: lock?.kind, message: message.replace(/ at \d+/, '') };
}

/**
 * @param {any} lock
 * @param {(lock: any) => unknown} use
 */
async function outcomeOf(lock, use) {
    let outcome;
    await jobEnds(); // late in a turn of the event loop, a request would first wait for the next turn
    try {
        const result = use(lock);
        outcome = { isPromise: result instanceof Promise };
        outcome = { ...outcome, value: await within(Promise.resolve(result), 'the use', [lock]) };
    } catch (error) {
        outcome = { ...outcome, error: error instanceof HoldfastError ? likeness(error) : error };
    }
    return { ...outcome, words: wordsOf(lock) };
}

for (const [title, options, use] of USES) {
    const make = () => new CLASSES[title.split('.')[0] ?? ''](options);
    test(`trace: ${title} behaves the same with and without trace()`, async () => {
        const untraced = await outcomeOf(make(), use);
        const lock = make();
        const stop = trace(lock, { minimum: 0 });
        const traced = await outcomeOf(lock, use);
        stop();
        assert.deepEqual(traced, untraced);
    });
}

/* A traced method returns a promise of its own, in place of the method's promise. */

test('trace: a section that returns a traced request for its own lock gets HF_DEADLOCK', async () => {
    const isDeadlock = errorWith('HF_DEADLOCK', /, which it holds/);
    for (const Class of /** @type {any[]} */ ([Mutex, RwLock])) {
        const lock = new Class();
        const traced = Class.from(lock.handle);
        const stop = trace(traced);
        for (const [outer, inner] of /** @type {[any, any][]} */ ([
            [lock, traced],
            [traced, lock],
            [traced, traced],
        ])) {
            const nested = outer.execAsync(() => inner.execAsync(() => {}));
            await assert.rejects(within(nested, 'the section', [lock]), isDeadlock);
            await within(
                lock.execAsync(() => {}),
                'a later request',
                [lock],
            );
            assertFree(lock);
        }
        stop();
    }
});

test('trace: a frozen object is refused, but a traced object may be frozen', async () => {
    const isBad = errorWith('HF_BAD_OPTION', /frozen/);
    assert.throws(() => trace(/** @type {Mutex} */ (Object.freeze(new Mutex()))), isBad);
    assert.throws(() => trace(Object.preventExtensions(new Mutex())), isBad);
    const mutex = new Mutex();
    const stop = trace(mutex);
    Object.freeze(mutex);
    assert.throws(() => trace(mutex), isBad);
    assert.equal(
        mutex.exec(() => 7),
        7,
    );
    stop();
    assert.equal(await mutex.execAsync(() => 7), 7);
    assertFree(mutex);
});
