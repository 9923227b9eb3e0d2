/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import assert from 'node:assert/strict';
import { AsyncLocalStorage } from 'node:async_hooks';
import { test } from 'node:test';
import { environment } from '../../js-glue/thread/environment.js';
import { BinarySemaphore, Condition, Event, Mutex, Once, RwLock } from '../../js-glue/index.js';
import { replaceInEnvironment } from '../support/environment.js';
import { jobEnds } from '../support/event-loop.js';
import { until, within } from '../support/watchdog.js';
import { assertFree } from '../support/words.js';

/* Callbacks run in the async context of their caller, whichever thread released the lock. */

const store = new AsyncLocalStorage();
const CALLERS = ['anna', 'bert', 'carl'];

/**
 * @typedef {object} Way
 * @property {string} name
 * @property {() => { objects: import('../../js-glue/memory/placed.js').Placed[], take: () => unknown, release: () => unknown,
 *     run: (callback: () => unknown) => Promise<unknown> }} make
 */

/** @type {Way[]} */
const WAYS = [
    {
        name: 'Mutex.execAsync',
        make() {
            const mutex = new Mutex();
            const release = () => mutex.unlock();
            const run = (/** @type {() => unknown} */ callback) => mutex.execAsync(callback);
            return { objects: [mutex], take: () => mutex.lock(), release, run };
        },
    },
    {
        name: 'Mutex.acquireAsync',
        make() {
            const mutex = new Mutex();
            return {
                objects: [mutex],
                take: () => mutex.lock(),
                release: () => mutex.unlock(),
                async run(callback) {
                    const guard = await mutex.acquireAsync();
                    await callback();
                    guard.release();
                },
            };
        },
    },
    .../** @type {const} */ (['exclusive', 'shared']).map((mode) => ({
        name: `RwLock.execAsync, ${mode}`,
        make() {
            const lock = new RwLock();
            const run = (/** @type {() => unknown} */ callback) => lock.execAsync(callback, { mode });
            return { objects: [lock], take: () => lock.lock(), release: () => lock.unlock(), run };
        },
    })),
    {
        name: 'BinarySemaphore.execAsync',
        make() {
            const semaphore = new BinarySemaphore();
            const run = (/** @type {() => unknown} */ callback) => semaphore.execAsync(callback);
            return {
                ...{ objects: [semaphore], take: () => semaphore.enter(), release: () => semaphore.leave() },
                run,
            };
        },
    },
    {
        name: 'Event.waitAsync',
        make() {
            const event = new Event({ autoReset: false });
            const run = async (/** @type {() => unknown} */ callback) => {
                await event.waitAsync();
                return callback();
            };
            return { objects: [event], take: () => event.reset(), release: () => event.set(), run };
        },
    },
    {
        name: 'Condition.waitAsync with a predicate',
        make() {
            const mutex = new Mutex();
            const condition = new Condition();
            let isTrue = false;
            const release = () => {
                isTrue = true;
                condition.notify();
            };
            const run = (/** @type {() => unknown} */ callback) =>
                mutex.execAsync(async () => {
                    /** @type {unknown} */
                    let called;
                    const predicate = () => isTrue && ((called = callback()), true);
                    await condition.waitAsync(mutex, { predicate });
                    await called;
                });
            return { objects: [mutex, condition], take: () => {}, release, run };
        },
    },
    {
        name: 'Once.runAsync',
        make() {
            const once = new Once();
            let end = () => {};
            const take = () => {
                const done = once.runAsync(
                    () => new Promise((_, reject) => (end = () => reject(new Error()))),
                );
                done.catch(() => {});
            };
            // Each callback throws, so that the next one runs too.
            const run = (/** @type {() => unknown} */ callback) =>
                once
                    .runAsync(async () => {
                        await callback();
                        throw new Error('not done');
                    })
                    .catch(() => {});
            return { objects: [once], take, release: () => end(), run };
        },
    },
];

for (const { name, make } of WAYS) {
    test(`context: ${name} runs each callback, and all it awaits, in the async context of the caller`, async () => {
        const { objects, take, release, run } = make();
        await store.run('taker', take);
        /** @type {unknown[]} */
        const seen = [];
        const requests = CALLERS.map((caller) =>
            store.run(caller, () =>
                run(async () => {
                    seen.push([caller, store.getStore()]);
                    await null;
                    seen.push([caller, store.getStore()]);
                    await jobEnds();
                    seen.push([caller, store.getStore()]);
                }).then(() => seen.push([caller, store.getStore()])),
            ),
        );
        await jobEnds();
        await store.run('releaser', release);
        await within(Promise.all(requests), 'the requests', objects);
        assert.equal(seen.length, 4 * CALLERS.length);
        for (const [caller, found] of /** @type {[string, string][]} */ (seen)) {
            assert.equal(found, caller);
        }
    });
}

for (const { name, make } of WAYS.filter(({ name }) => /exec/.test(name))) {
    test(`context: ${name} calls then() of a returned thenable in the async context of the caller`, async () => {
        const { objects, take, release, run } = make();
        take();
        /** @type {unknown[]} */
        const seen = [];
        const requests = CALLERS.map((caller) =>
            store.run(caller, () =>
                run(() => ({
                    /** @param {() => void} resolve */
                    then(resolve) {
                        seen.push(store.getStore());
                        resolve();
                    },
                })),
            ),
        );
        await jobEnds();
        store.run('releaser', release);
        await within(Promise.all(requests), 'the requests', objects);
        assert.deepEqual(seen, CALLERS);
    });
}

test('context: a polyfilled AsyncContext.Snapshot captures the context of the caller', async (t) => {
    let current = 'nobody';
    const Snapshot = {
        wrap: (/** @type {(...args: unknown[]) => unknown} */ callback) => {
            const mine = current;
            return (/** @type {unknown[]} */ ...args) => {
                const before = current;
                current = mine;
                try {
                    return callback(...args);
                } finally {
                    current = before;
                }
            };
        },
    };
    Object.assign(globalThis, { AsyncContext: { Snapshot } });
    t.after(() => Reflect.deleteProperty(globalThis, 'AsyncContext'));
    const mutex = new Mutex();
    mutex.lock();
    const requests = CALLERS.map((caller) => {
        current = caller;
        return mutex.execAsync(() => current);
    });
    current = 'nobody';
    mutex.unlock();
    assert.deepEqual(await within(Promise.all(requests), 'the requests', [mutex]), CALLERS);
    assertFree(mutex);
});

test('context: a callback runs in the same job in which the lock was acquired', async (t) => {
    const semaphore = new BinarySemaphore({ initial: 0 });
    let hears = () => {};
    let isArmed = false;
    const heard = new Promise((resolve) => (hears = () => resolve(semaphore.tryEnter())));
    const { waitAsync } = environment;
    t.after(
        replaceInEnvironment({
            waitAsync(/** @type {Parameters<typeof Atomics.waitAsync>} */ ...args) {
                const entry = waitAsync(...args);
                const [{ buffer }] = args;
                if (!entry.async || buffer !== semaphore.memory.buffer) {
                    return entry; // the sweep has an entry of its own
                }
                isArmed = true;
                // The queue's own reaction takes one microtask. From the second one on, any code of this thread may
                // run.
                const value = entry.value.then(() => {
                    queueMicrotask(() => queueMicrotask(hears));
                });
                return { async: true, value };
            },
        }),
    );
    const request = store.run('asker', () => semaphore.execAsync(() => store.getStore()));
    await until(() => isArmed, 'the entry', [semaphore]); // a request made when a turn is due steps later
    await jobEnds();
    semaphore.leave();
    assert.equal(await within(request, 'the request', [semaphore]), 'asker');
    const found = await within(heard, 'the wake', [semaphore]); // a re-check may have granted the request before
    assert.equal(found, true, 'the permit is free again: the section is over');
});
