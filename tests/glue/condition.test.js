/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Condition, LockSpace, Mutex, TimeoutError } from '../../js-glue/index.js';
import { waitWithoutLimit } from '../support/endless.js';
import { errorWith } from '../support/errors.js';
import { countTimers, jobEnds, reasonOf } from '../support/event-loop.js';
import { until, within } from '../support/watchdog.js';
import { assertAtRest, assertFree, restOf } from '../support/words.js';

/* The condition on one thread. primitives-waits.test.js has what all waits share. */

waitWithoutLimit();

function makePair() {
    const mutex = new Mutex();
    const condition = new Condition();
    const rest = restOf(condition);
    return {
        mutex,
        condition,
        /** @type {<T>(promise: PromiseLike<T>) => Promise<T>} */
        met: (promise) => within(promise, 'a wait', [mutex, condition]),
        /** Resolves when a thread waits. A late event loop may begin a wait only in its next turn. */
        isWaited: () =>
            until(() => restOf(condition).join() !== rest.join(), 'the wait begins', [mutex, condition]),
        atRest() {
            assertFree(mutex);
            assertAtRest(condition, rest);
        },
    };
}

const isHeld = (/** @type {Mutex} */ mutex) => !mutex.tryLock();

/** @param {Mutex} mutex @returns {Record<string, (callback: () => unknown) => Promise<unknown>>} */
const waysToHold = (mutex) => ({
    'a section of execAsync': (callback) => mutex.execAsync(callback),
    async 'a guard of acquireAsync'(callback) {
        const guard = await mutex.acquireAsync();
        await callback();
        guard.release();
    },
    async 'a guard of acquire'(callback) {
        const guard = mutex.acquire();
        await callback();
        guard.release();
    },
    async 'lock()'(callback) {
        mutex.lock();
        await callback();
        mutex.unlock();
    },
});

test('condition: a new condition has no waiters, and notify does nothing', () => {
    const { condition, atRest } = makePair();
    condition.notify();
    condition.notify(3);
    condition.notify(0);
    assertFree(condition);
    atRest();
});

for (const way of Object.keys(waysToHold(new Mutex()))) {
    const hold = (/** @type {Mutex} */ mutex) =>
        /** @type {(callback: () => unknown) => Promise<unknown>} */ (waysToHold(mutex)[way]);

    test(`condition: with ${way}, a wait releases the mutex and reacquires it when notified`, async () => {
        const { mutex, condition, met, isWaited, atRest } = makePair();
        const section = hold(mutex)(async () => {
            await condition.waitAsync(mutex);
            assert.ok(isHeld(mutex));
            await jobEnds();
            assert.ok(isHeld(mutex));
        });
        await isWaited();
        assert.equal(mutex.tryLock(), true, 'the mutex is free meanwhile');
        condition.notify();
        await jobEnds();
        mutex.unlock();
        await met(section);
        atRest();
    });

    for (const [
        end,
        limitOf,
    ] of /** @type {[string, () => import('../../js-glue/index.js').WaitOptions][]} */ ([
        ['its time is up', () => ({ timeout: 2 })],
        ['its time is up at once', () => ({ timeout: 0 })],
        ['its signal aborts', () => ({ signal: AbortSignal.timeout(2) })],
    ])) {
        for (const predicate of [undefined, () => false]) {
            const what = predicate === undefined ? 'a wait' : 'a wait with a predicate';
            test(`condition: with ${way}, ${what} reacquires the mutex if ${end}`, async () => {
                const { mutex, condition, met, atRest } = makePair();
                const section = hold(mutex)(async () => {
                    const { name } = /** @type {Error} */ (
                        await reasonOf(condition.waitAsync(mutex, { ...limitOf(), predicate }))
                    );
                    assert.equal(name, 'TimeoutError');
                    assert.ok(isHeld(mutex));
                });
                await met(section);
                atRest();
            });
        }
    }

    test(`condition: with ${way}, a wait resumes only after another section has released the mutex`, async () => {
        const { mutex, condition, met, atRest } = makePair();
        const controller = new AbortController();
        let isOver = false;
        const section = hold(mutex)(async () => {
            await reasonOf(condition.waitAsync(mutex, { signal: controller.signal }));
            isOver = true;
            assert.ok(isHeld(mutex));
        });
        await jobEnds();
        const guard = await met(mutex.acquireAsync());
        controller.abort();
        await jobEnds();
        assert.equal(isOver, false);
        guard.release();
        await met(section);
        assert.ok(isOver);
        atRest();
    });

    test(`condition: with ${way}, an error of the predicate rejects the wait with the mutex held`, async () => {
        const { mutex, condition, met, isWaited, atRest } = makePair();
        const own = new Error('of the predicate');
        let calls = 0;
        const predicate = () => {
            calls += 1;
            assert.ok(isHeld(mutex));
            if (calls === 2) {
                throw own;
            }
            return false;
        };
        const section = hold(mutex)(async () => {
            assert.equal(await reasonOf(condition.waitAsync(mutex, { predicate })), own);
            assert.ok(isHeld(mutex));
        });
        await isWaited();
        condition.notify();
        await met(section);
        atRest();
    });
}

test('condition: requests of the same thread run while a section waits, and the section resumes after them', async () => {
    const { mutex, condition, met, atRest } = makePair();
    /** @type {string[]} */
    const order = [];
    let ready = false;
    const first = mutex.execAsync(async () => {
        order.push('first begins');
        await condition.waitAsync(mutex, { predicate: () => ready });
        order.push('first goes on');
        await jobEnds();
        order.push('first ends');
    });
    const second = mutex.execAsync(async () => {
        order.push('second begins');
        await jobEnds();
        ready = true;
        condition.notify();
        await jobEnds();
        order.push('second ends');
    });
    const third = mutex.execAsync(() => order.push('third'));
    await met(Promise.all([first, second, third]));
    assert.deepEqual(order.slice(0, 3), ['first begins', 'second begins', 'second ends']);
    assert.ok(order.indexOf('first ends') === order.indexOf('first goes on') + 1, `${order}`);
    assert.equal(order.length, 6);
    atRest();
});

test('condition: requests made before a section waits run during the wait', async () => {
    const { mutex, condition, met, atRest } = makePair();
    let ready = false;
    mutex.lock();
    const first = mutex.execAsync(() => condition.waitAsync(mutex, { predicate: () => ready }));
    const second = mutex.execAsync(() => {
        ready = true;
        condition.notify();
    });
    await jobEnds();
    mutex.unlock();
    await met(Promise.all([first, second]));
    atRest();
});

test('condition: sections of the same thread can wait side by side, and a notify wakes each in turn', async () => {
    const { mutex, condition, met, atRest } = makePair();
    let inside = 0;
    /** @type {number[]} */
    const order = [];
    const sections = Array.from({ length: 20 }, (_, index) =>
        mutex.execAsync(async () => {
            await condition.waitAsync(mutex);
            inside += 1;
            assert.equal(inside, 1);
            await jobEnds();
            order.push(index);
            inside -= 1;
        }),
    );
    await jobEnds();
    await met(mutex.execAsync(() => condition.notify()));
    await met(Promise.all(sections));
    assert.deepEqual(
        order,
        Array.from({ length: 20 }, (_, index) => index),
    );
    atRest();
});

test('condition: notify(n) wakes n waiters, in the order in which they began to wait', async () => {
    const { mutex, condition, met, atRest } = makePair();
    /** @type {number[]} */
    const order = [];
    const sections = Array.from({ length: 6 }, (_, index) =>
        mutex.execAsync(async () => {
            await condition.waitAsync(mutex);
            order.push(index);
        }),
    );
    await jobEnds();
    for (const [count, released] of /** @type {const} */ ([
        [0, 0],
        [1, 1],
        [2, 3],
        [Infinity, 6],
    ])) {
        assert.equal(condition.notify(count), released - order.length);
        await met(Promise.all(sections.slice(0, released)));
        await jobEnds();
        await jobEnds();
        assert.equal(order.length, released);
    }
    assert.deepEqual(order, [0, 1, 2, 3, 4, 5]);
    atRest();
});

test('condition: a notify wakes current waiters, never a later one', async () => {
    const { mutex, condition, met, atRest } = makePair();
    /** @type {string[]} */
    const order = [];
    condition.notify();
    const wait = (/** @type {string} */ name) =>
        mutex.execAsync(async () => {
            await condition.waitAsync(mutex);
            order.push(name);
        });
    const early = wait('early');
    await jobEnds();
    condition.notify(1);
    const late = wait('late');
    await met(early);
    await jobEnds();
    await jobEnds();
    assert.deepEqual(order, ['early']);
    condition.notify(1);
    await met(late);
    atRest();
});

test('condition: a notify of more waiters than there are is not stored for later ones', async () => {
    const { mutex, condition, met, atRest } = makePair();
    const first = mutex.execAsync(() => condition.waitAsync(mutex));
    await jobEnds();
    assert.equal(condition.notify(5), 1);
    assert.equal(condition.notify(5), 0); // already released, though it has not run yet
    await met(first);
    const timeout = await met(reasonOf(mutex.execAsync(() => condition.waitAsync(mutex, { timeout: 3 }))));
    assert.ok(timeout instanceof TimeoutError);
    atRest();
});

test('condition: a wait that timed out or was aborted leaves the notify to the remaining waiters', async () => {
    const { mutex, condition, met, atRest } = makePair();
    const controller = new AbortController();
    const first = reasonOf(mutex.execAsync(() => condition.waitAsync(mutex, { signal: controller.signal })));
    const second = mutex.execAsync(() => condition.waitAsync(mutex));
    await met(mutex.execAsync(() => {})); // both wait: requests run in the order made
    controller.abort();
    await met(first); // a late event loop may end it only in a later turn
    assert.equal(condition.notify(1), 1);
    await met(second);
    atRest();
});

test('condition: a predicate that is true at first causes no wait, even with timeout 0', async () => {
    const { mutex, condition, atRest } = makePair();
    const timers = countTimers();
    await mutex.execAsync(() => condition.waitAsync(mutex, { predicate: () => true, timeout: 0 }));
    mutex.lock();
    assert.equal(condition.waitFor(mutex, { timeout: 0, predicate: () => true }), true);
    mutex.unlock();
    assert.equal(countTimers(), timers);
    atRest();
});

test('condition: a predicate that becomes true without a notify is checked at the timeout', async () => {
    const { mutex, condition, met, atRest } = makePair();
    let ready = false;
    const section = mutex.execAsync(() => condition.waitAsync(mutex, { predicate: () => ready, timeout: 5 }));
    await jobEnds();
    await mutex.execAsync(() => (ready = true));
    await met(section);
    atRest();
});

test('condition: with a predicate, one timeout covers all waits, and the error names it as given', async () => {
    const { mutex, condition, met, atRest } = makePair();
    const start = performance.now();
    const section = mutex.execAsync(() =>
        condition.waitAsync(mutex, { predicate: () => false, timeout: 20 }),
    );
    const reason = reasonOf(section);
    const notifies = setInterval(() => condition.notify(), 2);
    const error = /** @type {Error} */ (await met(reason));
    clearInterval(notifies);
    assert.ok(error instanceof TimeoutError);
    assert.ok(performance.now() - start >= 20);
    assert.match(error.message, /after 20 ms/);
    await jobEnds();
    atRest();
});

test('condition: a wait with a predicate passes on an abort reason unchanged, even a timeout error', async () => {
    const { mutex, condition, met, atRest } = makePair();
    const controller = new AbortController();
    const { signal } = controller;
    const section = reasonOf(
        mutex.execAsync(() => condition.waitAsync(mutex, { predicate: () => false, signal })),
    );
    await jobEnds();
    const reason = new TimeoutError('Another wait did not end');
    controller.abort(reason);
    assert.equal(await met(section), reason);
    atRest();
});

test('condition: an abort between two checks of a predicate ends the call, even behind other requests', async () => {
    const { mutex, condition, met, atRest } = makePair();
    const controller = new AbortController();
    const reason = new Error('a reason');
    let calls = 0;
    const predicate = () => {
        calls += 1;
        return false;
    };
    const section = reasonOf(
        mutex.execAsync(() => condition.waitAsync(mutex, { predicate, signal: controller.signal })),
    );
    await jobEnds();
    condition.notify();
    const guard = await met(mutex.acquireAsync());
    // The section was notified, and waits for the mutex. Its next wait would come behind the wait below.
    const other = condition.waitAsync(mutex);
    controller.abort(reason);
    assert.equal(await met(section), reason);
    assert.ok(calls >= 2);
    condition.notify();
    await met(other);
    guard.release();
    atRest();
});

test('condition: a blocking wait that is not notified reacquires the mutex at its timeout', () => {
    const { mutex, condition, atRest } = makePair();
    mutex.lock();
    assert.equal(condition.waitFor(mutex, { timeout: 2 }), false);
    assert.equal(condition.waitFor(mutex, { timeout: 0 }), false);
    assert.equal(condition.waitFor(mutex, { timeout: -1 }), false);
    assert.ok(isHeld(mutex));
    let calls = 0;
    const predicate = () => {
        calls += 1;
        assert.ok(isHeld(mutex));
        return false;
    };
    // If the thread is suspended before the wait for longer than the limit, it calls the predicate only once.
    for (let timeout = 3; calls < 2; timeout *= 4) {
        calls = 0;
        const start = performance.now();
        assert.equal(condition.waitFor(mutex, { timeout, predicate }), false);
        assert.ok(performance.now() - start >= timeout);
        assert.ok(calls >= 2 || timeout < 1000, `${calls} calls in ${timeout} ms`);
    }
    assert.ok(isHeld(mutex));
    mutex.unlock();
    atRest();
});

test('condition: after a blocking wait the section or guard still holds the mutex', async () => {
    const { mutex, condition, atRest } = makePair();
    mutex.exec(() => condition.waitFor(mutex, { timeout: 1 }));
    assertFree(mutex);
    const guard = mutex.acquire();
    condition.waitFor(mutex, { timeout: 1 });
    guard.release();
    await mutex.execAsync(() => {
        condition.waitFor(mutex, { timeout: 1 });
        assert.ok(isHeld(mutex));
    });
    atRest();
});

test('condition: an error of the predicate of a blocking wait is thrown with the mutex held', () => {
    const { mutex, condition, atRest } = makePair();
    const own = new Error('of the predicate');
    mutex.lock();
    assert.throws(
        () =>
            condition.waitFor(mutex, {
                timeout: 5,
                predicate() {
                    throw own;
                },
            }),
        own,
    );
    mutex.unlock();
    atRest();
});

test('condition: one condition works with one mutex, then with another of the same memory', async () => {
    const space = new LockSpace();
    const condition = new Condition({ space });
    for (const mutex of [new Mutex({ space }), new Mutex({ space })]) {
        const section = mutex.execAsync(() => condition.waitAsync(mutex));
        await jobEnds();
        condition.notify();
        await within(section, 'the wait', [mutex, condition]);
        assertFree(mutex);
    }
});

for (const way of ['a section of execAsync', 'a guard of acquireAsync', 'a guard of acquire']) {
    test(`condition: ${way} that does not await its waitAsync() gets HF_NOT_OWNER`, async () => {
        const { mutex, condition, met, atRest } = makePair();
        const hold = /** @type {(callback: () => unknown) => Promise<unknown>} */ (waysToHold(mutex)[way]);
        /** @type {Promise<void> | undefined} */
        let wait;
        const section = hold(() => {
            wait = condition.waitAsync(mutex);
        });
        await assert.rejects(section, errorWith('HF_NOT_OWNER', / was released by /));
        condition.notify();
        await met(wait ?? Promise.reject());
        assert.equal(await met(mutex.execAsync(() => 7)), 7);
        atRest();
    });
}

for (const way of /** @type {const} */ (['execAsync', 'exec'])) {
    test(`condition: if a callback of ${way} throws during its wait, the mutex is free afterwards`, async () => {
        const { mutex, condition, met, atRest } = makePair();
        const own = new Error('own');
        /** @type {Promise<void> | undefined} */
        let wait;
        const failing = () => {
            wait = condition.waitAsync(mutex);
            throw own;
        };
        assert.equal(await reasonOf((async () => mutex[way](failing))()), own);
        condition.notify();
        await met(wait ?? Promise.reject());
        assert.equal(await met(mutex.execAsync(() => 7)), 7);
        atRest();
    });
}

test('condition: a wait with a predicate reads only one clock', async (t) => {
    const TIMEOUT_MS = 60;
    const { mutex, condition, met } = makePair();
    const { setTimeout: real } = globalThis;
    t.after(() => Object.assign(globalThis, { setTimeout: real }));
    const begun = performance.now();
    const section = mutex.execAsync(() =>
        reasonOf(condition.waitAsync(mutex, { timeout: TIMEOUT_MS, predicate: () => false })),
    );
    await jobEnds();
    // As if a test began to fake the time.
    Object.assign(globalThis, { setTimeout: (/** @type {[any, any]} */ ...args) => real(...args) });
    condition.notify();
    const { name } = /** @type {Error} */ (await met(section));
    assert.equal(name, 'TimeoutError');
    // The program's timers are trusted, and Node's may fire a millisecond early.
    assert.ok(performance.now() - begun >= TIMEOUT_MS - 2, 'it ended early');
});

test('condition: if the predicate releases the mutex, a blocking wait and an async wait both fail with HF_NOT_OWNER', async () => {
    const { mutex, condition, met, atRest } = makePair();
    const predicate = () => {
        mutex.unlock();
        return false;
    };
    const notOwner = errorWith('HF_NOT_OWNER', /does not hold .*Lock it before the wait/);
    mutex.lock();
    assert.throws(() => condition.waitFor(mutex, { timeout: 10, predicate }), notOwner);
    mutex.lock();
    await assert.rejects(met(condition.waitAsync(mutex, { predicate, timeout: 10 })), notOwner);
    atRest();
});

test('condition: a waitAsync() that its section did not await does not change later sections', async () => {
    const { mutex, condition, met, atRest } = makePair();
    for (const enter of /** @type {const} */ (['execAsync', 'exec'])) {
        await met(mutex.execAsync(() => {})); // now sections work again
        /** @type {Promise<unknown> | undefined} */
        let left;
        const section = async () =>
            mutex[enter](() => {
                left = condition.waitAsync(mutex);
            });
        await assert.rejects(met(section()), { code: 'HF_NOT_OWNER' });
        const next = mutex.execAsync(() => condition.waitAsync(mutex));
        condition.notify(2);
        await met(Promise.all([left, next]));
    }
    atRest();
});

test('condition: a waitAsync() that its section did not await does not call its predicate at the timeout', async () => {
    const { mutex, condition, met, atRest } = makePair();
    let calls = 0;
    const predicate = () => {
        calls += 1;
        return calls > 1;
    };
    /** @type {Promise<void> | undefined} */
    let late;
    const section = mutex.execAsync(() => {
        const waits = condition.waitAsync(mutex, { predicate, timeout: 5 });
        late = assert.rejects(waits, { code: 'HF_TIMEOUT' });
    });
    await assert.rejects(met(section), { code: 'HF_NOT_OWNER' });
    await met(late ?? assert.fail());
    assert.equal(calls, 1, 'it was asked without the mutex');
    atRest();
});
