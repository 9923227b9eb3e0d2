/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTask } from 'node:timers/promises';
import {
    AbandonedError,
    BinarySemaphore,
    Condition,
    LockSpace,
    Mutex,
    RecursiveMutex,
    RwLock,
} from '../../js-glue/index.js';
import { Condition as ProposedCondition, Mutex as ProposedMutex } from '../../js-glue/tc39.js';
import { attach } from '../../js-glue/memory/attachment.js';
import { RESULT_OK, THREAD_MARK } from '../../js-glue/memory/layout.js';
import { makeBoard, reach, reached } from '../support/board.js';
import { errorWith } from '../support/errors.js';
import { jobEnds } from '../support/event-loop.js';
import { startThread } from '../support/thread.js';
import { within } from '../support/watchdog.js';
import { assertFree, wordsOf } from '../support/words.js';

/* Sections whose lock other code releases or overwrites: they report it, and the lock keeps working. */

const NOT_OWNER = errorWith('HF_NOT_OWNER', /./);

/**
 * @param {Mutex} mutex
 * @param {() => unknown} call by a thread that is not the owner
 */
function assertRefused(mutex, call) {
    const words = wordsOf(mutex);
    assert.throws(call, NOT_OWNER);
    assert.deepEqual(wordsOf(mutex), words, 'nothing is changed');
}

/** @param {Mutex} mutex */
async function assertServes(mutex) {
    const request = mutex.execAsync(() => 7);
    assert.equal(await within(request, 'a later request', [mutex]), 7);
    assertFree(mutex);
}

/**
 * Releases a section's lock through an object that the glue cannot connect with the section, since its memory
 * was posted back.
 *
 * @param {Mutex} mutex
 */
function releaseUnnoticed({ memory, byteOffset }) {
    Mutex.at(structuredClone(memory), byteOffset).unlock();
}

/** A mutex whose async section lost the lock. */
async function makeLost() {
    const memory = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true });
    const mutex = Mutex.at(memory, 64);
    const guard = await mutex.acquireAsync();
    releaseUnnoticed(mutex);
    assertFree(mutex);
    return { mutex, guard };
}

test('mutex: if a section lost the lock and never ends, later requests are granted', async () => {
    const { mutex } = await makeLost();
    await assertServes(mutex);
});

test('mutex: the guard of a section that lost the lock does not release the lock of a later section', async () => {
    const { mutex, guard } = await makeLost();
    const later = await within(mutex.acquireAsync(), 'a later section', [mutex]);
    assertRefused(mutex, () => guard.release());
    later.release();
    await assertServes(mutex);
});

test('mutex: after a section lost the lock, this thread can lock() and unlock() the mutex', async () => {
    const { mutex } = await makeLost();
    mutex.lock();
    mutex.unlock();
    assertFree(mutex);
});

test('mutex: the guard of a section that lost the lock does not end a later lock()', async () => {
    const { mutex, guard } = await makeLost();
    mutex.lock();
    assert.throws(() => guard.release(), NOT_OWNER);
    mutex.unlock();
    assertFree(mutex);
});

test('mutex: a request with timeout 0 is granted even if an earlier section lost the lock', async () => {
    const { mutex } = await makeLost();
    assert.equal(await mutex.execAsync(() => 1, { timeout: 0 }), 1);
    (await mutex.acquireAsync({ timeout: 0 })).release();
    assertFree(mutex);
});

test('mutex: a pending request is granted when the section before it loses the lock', async () => {
    const memory = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true });
    const mutex = Mutex.at(memory, 64);
    const guard = await mutex.acquireAsync();
    const behind = mutex.execAsync(() => 7);
    releaseUnnoticed(mutex);
    mutex.lock();
    mutex.unlock();
    assert.throws(() => guard.release(), NOT_OWNER);
    assert.equal(await within(behind, 'the request', [mutex]), 7);
    assertFree(mutex);
});

for (const take of /** @type {const} */ (['exec', 'execAsync'])) {
    test(`mutex: a callback of ${take} that lost the lock and throws does not release the lock of the next section`, async () => {
        const memory = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true });
        const mutex = Mutex.at(memory, 64);
        /** @type {Promise<import('../../js-glue/waiting/section.js').Guard> | undefined} */
        let later;
        const loses = () => {
            releaseUnnoticed(mutex);
            later = mutex.acquireAsync();
            throw new Error('mine');
        };
        await assert.rejects(async () => mutex[take](loses), /mine/);
        const guard = await later;
        assert.equal(mutex.tryLock(), false);
        guard?.release();
        await assertServes(mutex);
    });
}

test('mutex: a callback that lost the lock does not end a later section', async () => {
    const mutex = Mutex.at(new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true }), 64);
    for (const begin of [
        () => mutex.execAsync(() => new Promise((end) => setTimeout(end))),
        () => mutex.acquireAsync().then((guard) => setTimeout(() => guard.release())),
    ]) {
        await mutex.execAsync(() => {});
        await nextTask(); // if a turn were due, the later section would begin after it
        /** @type {Promise<unknown> | undefined} */
        let later;
        const lost = mutex.execAsync(() => {
            releaseUnnoticed(mutex);
            void mutex.execAsync(() => {});
            later = begin();
        });
        assert.equal(mutex.tryLock(), false, 'the later section holds the lock');
        await assert.rejects(within(lost, 'the section that lost the lock', [mutex]), NOT_OWNER);
        await within(later ?? lost, 'the later section', [mutex]);
        await assertServes(mutex);
    }
});

test("mutex: a lock that a getter of the callback's result acquires stays held", async () => {
    const mutex = new Mutex();
    /** @type {import('../../js-glue/waiting/section.js').Guard | undefined} */
    let guard;
    const returns = Object.assign(Promise.resolve(), { then: undefined });
    const result = Object.defineProperty(returns, 'constructor', {
        get() {
            guard = mutex.acquire();
            throw new Error('mine');
        },
    });
    await assert.rejects(async () => mutex.execAsync(() => result), /mine/);
    assert.equal(mutex.tryLock(), false, 'it is held');
    guard?.release();
    await assertServes(mutex);
});

/** @param {Mutex} mutex */
function overwrite(mutex) {
    const { memory, byteOffset } = mutex.handle;
    new Uint8Array(memory.buffer, byteOffset, Mutex.BYTES).fill(0);
}

test('mutex: a section whose lock word was overwritten is rejected', async () => {
    const mutex = new Mutex();
    const lost = errorWith('HF_NOT_OWNER', /This thread does not hold Mutex /);
    assert.throws(() => mutex.exec(() => overwrite(mutex)), lost);
    await assert.rejects(async () => mutex.execAsync(() => overwrite(mutex)), lost);
    await assert.rejects(async () => mutex.execAsync(async () => overwrite(mutex)), lost);
    assertFree(mutex);
    assert.equal(await mutex.execAsync(() => 'as before'), 'as before');
});

/** Values that a callback may throw: an error like the engine's own, and proxies that must not be inspected. */
const odd = {
    'a RangeError of its own': () => new RangeError('mine'),
    'a proxy that is revoked'() {
        const { proxy, revoke } = Proxy.revocable({}, {});
        revoke();
        return proxy;
    },
    'a proxy whose trap throws': () =>
        new Proxy(
            {},
            {
                getPrototypeOf() {
                    throw new Error('a trap');
                },
            },
        ),
};

/**
 * Calls with a callback, whose error each of them rethrows.
 * @type {Record<string, (space: LockSpace, callback: () => never) => unknown>}
 */
const SECTIONS = {
    'Mutex.exec': (space, callback) => new Mutex({ space }).exec(callback),
    'Mutex.execAsync': (space, callback) => new Mutex({ space }).execAsync(callback),
    'Mutex.execAsync, async': (space, callback) => new Mutex({ space }).execAsync(async () => callback()),
    'RwLock.exec': (space, callback) => new RwLock({ space }).exec(callback),
    'RwLock.execAsync': (space, callback) => new RwLock({ space }).execAsync(callback),
    'BinarySemaphore.exec': (space, callback) => new BinarySemaphore({ space }).exec(callback),
    'BinarySemaphore.execAsync': (space, callback) => new BinarySemaphore({ space }).execAsync(callback),
    'Condition.waitAsync': (space, callback) => {
        const mutex = new Mutex({ space });
        return mutex.execAsync(() => new Condition({ space }).waitAsync(mutex, { predicate: callback }));
    },
};

for (const [what, make] of Object.entries(odd)) {
    for (const [title, run] of Object.entries(SECTIONS)) {
        test(`${title}: the error of a callback is passed on unchanged: ${what}`, async () => {
            const thrown = make();
            const isAsync = !title.endsWith('exec');
            let result;
            try {
                result = run(new LockSpace(), () => {
                    throw thrown;
                });
                await result;
                assert.fail('nothing was thrown');
            } catch (error) {
                assert.ok(Object.is(error, thrown), 'it is another one');
            }
            assert.equal(result instanceof Promise, isAsync);
        });
    }

    for (const [title, run] of Object.entries({
        exec: (/** @type {Mutex} */ mutex, /** @type {() => never} */ callback) => mutex.exec(callback),
        execAsync: (/** @type {Mutex} */ mutex, /** @type {() => never} */ callback) =>
            mutex.execAsync(callback),
    })) {
        test(`mutex: ${title}: a callback that frees the mutex and throws ${what} does not change the next lock`, async () => {
            const space = new LockSpace();
            const old = new Mutex({ space });
            const thrown = make();
            /** @type {Mutex | undefined} */
            let next;
            try {
                await run(old, () => {
                    space.free(old);
                    next = new Mutex({ space });
                    next.lock();
                    throw thrown;
                });
            } catch (error) {
                assert.ok(Object.is(error, thrown), 'it is another one');
            }
            assert.equal(next?.byteOffset, old.byteOffset);
            assert.equal(next?.tryLock(), false, 'it is held');
            next?.unlock();
        });

        test(`mutex: ${title}: a callback that loses the mutex and throws ${what} does not end the next lock()`, async () => {
            const memory = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true });
            const mutex = Mutex.at(memory, 64);
            const thrown = make();
            try {
                await run(mutex, () => {
                    releaseUnnoticed(mutex);
                    mutex.lock();
                    throw thrown;
                });
            } catch (error) {
                assert.ok(Object.is(error, thrown), 'it is another one');
            }
            mutex.unlock();
            assertFree(mutex);
        });
    }
}

/* Waits for a condition that end without the mutex, since a thread has died with it meanwhile. The code that
 * held the mutex fails with that error and no other, although its release at the end finds the mutex lost. */

/**
 * @typedef {object} Pair
 * @property {any} mutex
 * @property {any} condition
 *
 * @typedef {(pair: Pair, wait: (held?: unknown) => any) => unknown} Shape of code that holds the mutex while it waits
 */

/** @param {any} guard @param {() => unknown} callback */
function released(guard, callback) {
    try {
        callback();
    } finally {
        assert.equal(guard.released, true, 'it has lost the mutex');
        guard.release();
        assert.throws(() => guard.release(), errorWith('HF_NOT_OWNER', /is already released/));
    }
}

/** As `using` does. @param {any} guard @param {() => unknown} callback */
function disposed(guard, callback) {
    try {
        callback();
    } finally {
        guard[Symbol.dispose]();
        assert.equal(guard.released, true);
    }
}

/** @param {any} mutex @param {() => unknown} callback */
function unlocked(mutex, callback) {
    try {
        callback();
    } finally {
        mutex.unlock();
        assert.throws(() => mutex.unlock(), NOT_OWNER, 'once more is a mistake');
    }
}

/**
 * As `released`, `disposed` and `unlocked` for a callback that is async.
 *
 * @param {(held: any, callback: () => void) => void} way
 * @param {any} held
 * @param {() => Promise<unknown>} callback
 */
async function later(way, held, callback) {
    /** @type {unknown} */
    let error;
    await callback().catch((reason) => (error = reason));
    way(held, () => {
        throw error;
    });
}

/** @param {any} token of holdfast/tc39 @param {() => unknown} callback */
function emptied(token, callback) {
    try {
        callback();
    } finally {
        token[Symbol.dispose]();
        assert.equal(token.locked, false);
        assert.equal(token.unlock(), false);
    }
}

/** @type {Record<string, Shape>} */
const BLOCKING_SHAPES = {
    'acquire() and release()': ({ mutex }, wait) => released(mutex.acquire(), wait),
    'acquire() and using': ({ mutex }, wait) => disposed(mutex.acquire(), wait),
    'tryAcquire() and release()': ({ mutex }, wait) => released(mutex.tryAcquire(), wait),
    'lock() and unlock()': ({ mutex }, wait) => unlocked((mutex.lock(), mutex), wait),
    'tryLock() and unlock()': ({ mutex }, wait) => unlocked((mutex.tryLock(5), mutex), wait),
    'exec()': ({ mutex }, wait) => mutex.exec(() => wait()),
    'exec() that hands the error on': ({ mutex }, wait) => {
        throw mutex.exec(() => {
            try {
                return wait();
            } catch (error) {
                return error;
            }
        });
    },
    'lock() and unlock(), after a repair': ({ mutex }, wait) =>
        unlocked((mutex.lock(), mutex), () => {
            try {
                wait();
            } finally {
                assert.ok(mutex.recover(() => {}));
            }
        }),
    'acquire() and release(), after a repair': ({ mutex }, wait) =>
        released(mutex.acquire(), () => {
            try {
                wait();
            } finally {
                assert.ok(mutex.recover(() => {}));
            }
        }),
    'acquire() and release(), after a repair and a section': ({ mutex }, wait) =>
        released(mutex.acquire(), () => {
            try {
                wait();
            } finally {
                assert.ok(mutex.recover(() => {}));
                mutex.exec(() => {});
            }
        }),
    'acquire() and release(), while a later guard holds it': ({ mutex }, wait) => {
        /** @type {any} */
        let next;
        try {
            released(mutex.acquire(), () => {
                try {
                    wait();
                } finally {
                    assert.ok(mutex.recover(() => {}));
                    next = mutex.acquire();
                }
            });
        } finally {
            assert.equal(next.released, false);
            next.release();
        }
    },
};

/** @type {Record<string, Shape>} */
const ASYNC_SHAPES = {
    'acquireAsync() and release()': async ({ mutex }, wait) =>
        later(released, await mutex.acquireAsync(), wait),
    'acquireAsync() and using': async ({ mutex }, wait) => later(disposed, await mutex.acquireAsync(), wait),
    'acquire() and release()': ({ mutex }, wait) => later(released, mutex.acquire(), wait),
    'tryAcquire() and release()': ({ mutex }, wait) => later(released, mutex.tryAcquire(), wait),
    'lock() and unlock()': ({ mutex }, wait) => later(unlocked, (mutex.lock(), mutex), wait),
    'tryLock() and unlock()': ({ mutex }, wait) => later(unlocked, (mutex.tryLock(), mutex), wait),
    'execAsync()': ({ mutex }, wait) => mutex.execAsync(wait),
    'execAsync() that hands the error on': async ({ mutex }, wait) => {
        throw await mutex.execAsync(() => wait().catch((/** @type {unknown} */ error) => error));
    },
    'Mutex.lock() of tc39': ({ mutex }, wait) =>
        later(emptied, ProposedMutex.lock(ProposedMutex.from(mutex.handle)), wait),
    'Mutex.lockAsync() of tc39': ({ mutex }, wait) =>
        ProposedMutex.lockAsync(ProposedMutex.from(mutex.handle), wait),
    'acquireAsync() and release(), after a repair': async ({ mutex }, wait) =>
        later(released, await mutex.acquireAsync(), () => wait().finally(() => mutex.recoverAsync(() => {}))),
    'lock() and unlock(), after a repair': ({ mutex }, wait) =>
        later(unlocked, (mutex.lock(), mutex), () => wait().finally(() => mutex.recoverAsync(() => {}))),
};

/** @type {Record<string, (pair: Pair, signal: AbortSignal) => Promise<void>>} */
const ASYNC_WAITS = {
    'waitAsync()': ({ mutex, condition }) => condition.waitAsync(mutex),
    'waitAsync() with a predicate': ({ mutex, condition }) =>
        condition.waitAsync(mutex, { predicate: () => false }),
    'waitAsync() whose time is up': ({ mutex, condition }) => condition.waitAsync(mutex, { timeout: 0 }),
    'waitAsync() whose signal aborts': ({ mutex, condition }, signal) =>
        condition.waitAsync(mutex, { signal }),
    'Condition.waitAsync() of tc39': ({ mutex, condition }) =>
        ProposedCondition.waitAsync(
            ProposedCondition.from(condition.handle),
            ProposedMutex.from(mutex.handle),
        ),
};

/** @type {Record<string, (pair: Pair) => unknown>} */
const BLOCKING_WAITS = {
    'wait()': ({ mutex, condition }) => condition.wait(mutex),
    'waitFor() with a predicate': ({ mutex, condition }) =>
        condition.waitFor(mutex, { predicate: () => false }),
};

/** @param {AbandonedError} error */
const isAbandoned = (error) => error instanceof AbandonedError && error.code === 'HF_ABANDONED';

/** Checks that the wait has left no state in the mutex. @param {any} mutex */
function assertRecovers(mutex) {
    mutex.recover(() => {});
    mutex.exec(() => {});
    mutex.lock();
    mutex.unlock();
    assert.throws(() => mutex.unlock(), NOT_OWNER);
    assertFree(mutex);
}

for (const Class of /** @type {any[]} */ ([Mutex, RecursiveMutex])) {
    test(`${Class.KIND}: if a blocking wait ends without the mutex, its error leaves the section`, (t) => {
        const space = new LockSpace();
        const shapes = { ...BLOCKING_SHAPES };
        if (Class === Mutex) {
            shapes['Mutex.lock() of tc39'] = ({ mutex }, wait) =>
                emptied(ProposedMutex.lock(ProposedMutex.from(mutex.handle)), wait);
        }
        const cases = Object.entries(shapes).flatMap(([name, shape]) =>
            Object.entries(BLOCKING_WAITS).map(([how, wait]) => {
                const mutex = new Class({ space });
                return { name: `${name}, ${how}`, shape, wait, mutex, condition: new Condition({ space }) };
            }),
        );
        const board = makeBoard(2);
        startThread(t, 'abandoner', {
            ...{ board, waits: 0, left: 1 },
            pairs: cases.map(({ mutex, condition }) => [
                Mutex.at(space.memory, mutex.byteOffset).handle,
                condition.handle,
            ]),
        });
        for (const { name, shape, wait, ...pair } of cases) {
            const run = () =>
                shape(pair, () => {
                    reach(board, 0);
                    return wait(pair);
                });
            assert.throws(run, isAbandoned, name);
            assertRecovers(pair.mutex);
        }
    });
}

for (const [how, wait] of Object.entries(ASYNC_WAITS)) {
    test(`mutex: if ${how} ends without the mutex, its error rejects the section`, async () => {
        for (const [name, shape] of Object.entries(ASYNC_SHAPES)) {
            const space = new LockSpace();
            const pair = { mutex: new Mutex({ space }), condition: new Condition({ space }) };
            const { mutex, condition } = pair;
            const { exports, table } = attach(space.memory);
            const other = exports.agents_join(table, 0);
            const controller = new AbortController();
            const begun = makeBoard(1);
            const section = shape(pair, () => {
                const waited = wait(pair, controller.signal);
                assert.equal(exports.mutex_lock_for_a_time(mutex.byteOffset, other), RESULT_OK);
                exports.gate_abandon(mutex.byteOffset, other, other | THREAD_MARK);
                reach(begun, 0);
                return waited;
            });
            const told = assert.rejects(
                within(Promise.resolve(section), name, [mutex, condition]),
                isAbandoned,
                name,
            );
            await reached(begun, 0);
            condition.notify();
            controller.abort();
            await told;
            assertRecovers(mutex);
        }
    });
}

/** A mutex that lock() took, after a condition wait that ended without it. */
async function makeWaitedInVain() {
    const space = new LockSpace();
    const [mutex, condition] = [new Mutex({ space }), new Condition({ space })];
    const { exports, table } = attach(space.memory);
    const other = exports.agents_join(table, 0);
    mutex.lock();
    const waited = condition.waitAsync(mutex);
    assert.equal(exports.mutex_lock_for_a_time(mutex.byteOffset, other), RESULT_OK);
    exports.gate_abandon(mutex.byteOffset, other, other | THREAD_MARK);
    condition.notify();
    await assert.rejects(within(waited, 'the wait', [mutex, condition]), isAbandoned);
    return mutex;
}

test('mutex: after a condition wait that ended without the mutex, only one unlock() is accepted', async () => {
    for (const take of [
        (/** @type {Mutex} */ mutex) => mutex.lock(),
        (/** @type {Mutex} */ mutex) => mutex.tryLock(),
    ]) {
        const mutex = await makeWaitedInVain();
        assert.ok(mutex.recover(() => {}));
        take(mutex);
        mutex.unlock();
        assert.throws(() => mutex.unlock(), NOT_OWNER);
        assertFree(mutex);
    }
});

test('mutex: after a condition wait without the mutex, unlock() does not end a repair of other code', async () => {
    const mutex = await makeWaitedInVain();
    /** @type {(value?: unknown) => void} */
    let end = () => {};
    const repair = mutex.recoverAsync(() => new Promise((resolve) => (end = resolve)));
    mutex.unlock();
    assert.throws(() => mutex.unlock(), errorWith('HF_NOT_OWNER', /guard or a callback/));
    assert.equal(mutex.tryLock(), false, 'the repair goes on');
    end();
    assert.ok(await within(repair, 'the repair', [mutex]));
    assertRecovers(mutex);
});

test('mutex: if the mutex is freed during a condition wait, the wait is rejected with HF_FREED', async () => {
    for (const run of /** @type {((pair: Pair) => Promise<unknown>)[]} */ ([
        async ({ mutex, condition }) =>
            later(released, await mutex.acquireAsync(), () => condition.waitAsync(mutex)),
        ({ mutex, condition }) => mutex.execAsync(() => condition.waitAsync(mutex)),
    ])) {
        const space = new LockSpace();
        const [mutex, condition] = [new Mutex({ space }), new Condition({ space })];
        const section = run({ mutex, condition });
        await jobEnds();
        space.free(mutex);
        const next = new Mutex({ space });
        assert.equal(next.byteOffset, mutex.byteOffset);
        condition.notify();
        const isTold = errorWith('HF_FREED', /./);
        await assert.rejects(within(section, 'the section', [next, condition]), isTold);
        await assertServes(next);
    }
});
