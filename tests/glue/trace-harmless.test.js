/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
    BinarySemaphore,
    CountingSemaphore,
    Guard,
    HoldfastError,
    Mutex,
    RwLock,
} from '../../js-glue/index.js';
import { trace } from '../../js-glue/trace.js';
import { CLASSES } from '../support/classes.js';
import { errorWith } from '../support/errors.js';
import { jobEnds } from '../support/event-loop.js';
import { within } from '../support/watchdog.js';
import { assertFree, wordsOf } from '../support/words.js';

/* Traced objects behave as untraced ones do, whatever the performance timeline does and whatever options trace()
 * gets. */

const own = new Error('of the timeline');

function fail() {
    throw own;
}

/**
 * Calls whose outcome is compared with that of the same ones untraced. What is left behind shows in the words.
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
    ['Mutex.executeLocked, async', {}, (m) => m.executeLocked(async () => 7)],
    ['Mutex.executeLocked that fails', {}, (m) => m.executeLocked(fail)],
    ['Mutex.acquireAsync', {}, async (m) => (await m.acquireAsync()).release()],
    ['Mutex.acquireAsync in vain', {}, lockInVain],
    ['RwLock.lockShared', {}, (l) => (l.lockShared(), l.unlockShared())],
    ['RwLock.executeLocked', {}, (l) => l.executeLocked(() => 7, { mode: 'shared' })],
    ['RwLock.acquire', {}, (l) => l.acquire({ mode: 'shared' }).release()],
    ['BinarySemaphore.enter', {}, (s) => s.enter()],
    ['BinarySemaphore.tryEnter', {}, (s) => [s.tryEnter(), s.tryEnter(1)]],
    ['BinarySemaphore.execAsync', {}, (s) => s.execAsync(() => 7)],
    ['CountingSemaphore.acquire', { max: 3 }, (s) => s.acquire(2).release()],
    ['CountingSemaphore.acquireAsync', { max: 3 }, (s) => s.acquireAsync({ permits: 2 })],
    ['CountingSemaphore.enterAsync', { max: 3 }, (s) => s.enterAsync({ permits: 2 })],
    ['Condition.waitAsync', {}, (c) => new Mutex().executeLocked(() => c.waitAsync(new Mutex()))],
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

/** But for where its lock is. @param {HoldfastError} error */
function likeness({ name, code, lock, message }) {
    return { name, code, kind: lock?.kind, message: message.replace(/ at \d+/, '') };
}

/**
 * @param {any} lock
 * @param {(lock: any) => unknown} use
 */
async function outcomeOf(lock, use) {
    let outcome;
    await jobEnds(); // then no turn of the event loop is due, which a request would wait for
    try {
        const result = use(lock);
        outcome = { isPromise: result instanceof Promise };
        outcome = { ...outcome, value: await within(Promise.resolve(result), 'the use', [lock]) };
    } catch (error) {
        outcome = { ...outcome, error: error instanceof HoldfastError ? likeness(error) : error };
    }
    return { ...outcome, words: wordsOf(lock) };
}

for (const name of /** @type {const} */ (['measure', 'clearMeasures'])) {
    for (const [title, options, use] of USES) {
        const make = () => new CLASSES[title.split('.')[0] ?? ''](options);
        test(`trace: ${title} behaves as without trace() if performance.${name} throws`, async (t) => {
            const untraced = await outcomeOf(make(), use);
            const lock = make();
            const stop = trace(lock, { minimum: 0 });
            t.mock.method(performance, name, fail);
            const traced = await outcomeOf(lock, use);
            stop();
            assert.deepEqual(traced, untraced);
        });
    }
}

test('trace: methods behave as without trace() if performance was removed', async (t) => {
    const semaphore = new BinarySemaphore();
    trace(semaphore, { minimum: 0 });
    const { performance } = globalThis;
    t.after(() => Object.assign(globalThis, { performance }));
    Object.assign(globalThis, { performance: undefined });
    semaphore.enter();
    semaphore.leave();
    assert.equal(await semaphore.execAsync(() => 7), 7);
    assert.equal(semaphore.value, 1);
});

/* Promises that stand for others */

test('trace: a section that returns a request through a traced object of its lock gets HF_DEADLOCK', async () => {
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
            const nested = outer.executeLocked(() => inner.executeLocked(() => {}));
            await assert.rejects(within(nested, 'the section', [lock]), isDeadlock);
            await within(
                lock.executeLocked(() => {}),
                'a later request',
                [lock],
            );
            assertFree(lock);
        }
        stop();
    }
});

/* Options and objects that are not plain */

for (const key of ['mode', 'signal', 'timeout', 'permits']) {
    test(`trace: options whose getter of ${key} throws are refused as without trace(), and read as often`, async () => {
        for (const [make, method, args] of /** @type {[() => any, string, unknown[]][]} */ ([
            [() => new RwLock(), 'executeLocked', [() => 7]],
            [() => new RwLock(), 'exec', [() => 7]],
            [() => new CountingSemaphore({ max: 2 }), 'enterAsync', []],
        ])) {
            const outcomes = [];
            for (const isTraced of [false, true]) {
                const lock = make();
                const stop = isTraced ? trace(lock, { minimum: 0 }) : () => {};
                let asked = 0;
                const options = {
                    get [key]() {
                        asked += 1;
                        return fail();
                    },
                };
                outcomes.push([await outcomeOf(lock, () => lock[method](...args, options)), asked]);
                stop();
            }
            assert.deepEqual(outcomes[1], outcomes[0]);
        }
    });
}

test('trace: unreadable options, and a signal that throws when read, behave as without trace()', async () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    const odd = () => {
        let asked = 0;
        const signal = {
            get aborted() {
                asked += 1;
                return asked > 1 ? fail() : false;
            },
            addEventListener() {},
            removeEventListener() {},
        };
        return { signal, timeout: 1 };
    };
    for (const optionsOf of [() => proxy, odd]) {
        const outcomes = [];
        for (const isTraced of [false, true]) {
            const mutex = new Mutex();
            mutex.lock();
            const stop = isTraced ? trace(mutex, { minimum: 0 }) : () => {};
            outcomes.push(await outcomeOf(mutex, () => mutex.executeLocked(() => 7, optionsOf())));
            stop();
            mutex.unlock();
        }
        assert.deepEqual(outcomes[1], outcomes[0]);
    }
});

test('trace: an error that throws when inspected is passed on', async () => {
    const mutex = new Mutex();
    const stop = trace(mutex, { minimum: 0 });
    const reason = {
        get code() {
            return fail();
        },
    };
    assert.equal(await mutex.executeLocked(() => Promise.reject(reason)).catch((error) => error), reason);
    const controller = new AbortController();
    controller.abort(reason);
    assert.equal(await mutex.acquireAsync({ signal: controller.signal }).catch((error) => error), reason);
    stop();
    assertFree(mutex);
});

test('trace: a non-extensible object is refused, and one frozen later still works', async () => {
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
    assert.equal(await mutex.executeLocked(() => 7), 7);
    assertFree(mutex);
});

test('trace: guards are released even if their class is frozen', async () => {
    const mutex = new Mutex();
    const stop = trace(mutex);
    const { release } = Guard.prototype;
    Object.defineProperty(Guard.prototype, 'release', { writable: false });
    try {
        mutex.acquire().release();
        const guard = await mutex.acquireAsync();
        const ofClass = guard.release.bind(guard);
        guard.release = () => ofClass(); // as a program's own tools may do
        guard.release();
    } finally {
        stop();
        Object.defineProperty(Guard.prototype, 'release', { value: release, writable: true });
    }
    assertFree(mutex);
});
