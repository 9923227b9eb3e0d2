/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Guard, LockSpace, Mutex } from '../../js-glue/index.js';
import { waitWithoutLimit } from '../support/endless.js';
import { jobEnds, reasonOf } from '../support/event-loop.js';
import { within } from '../support/watchdog.js';
import { assertFree, describeWords } from '../support/words.js';

/* One thread. Its requests wait for its own lock(), so the test chooses every order of events. */

waitWithoutLimit();

/** @param {string} code */
const withCode = (code) => (/** @type {{ code?: string }} */ error) => error.code === code;

test('mutex: a new mutex is free, 16 bytes, and 8-aligned', () => {
    const mutex = new Mutex();
    assertFree(mutex);
    assert.equal(Mutex.BYTES, 16);
    assert.equal(Mutex.ALIGN, 8);
    assert.equal(mutex.byteOffset % Mutex.ALIGN, 0);
});

test('mutex: lock and unlock leave the words zero', () => {
    const mutex = new Mutex();
    mutex.lock();
    assert.equal(mutex.tryLock(), false);
    mutex.unlock();
    assertFree(mutex);
});

test('mutex: tryLock acquires a free lock with any timeout', () => {
    const mutex = new Mutex();
    for (const timeout of [undefined, 0, -1, -Infinity, 0.001, 5, 1e12, Infinity]) {
        assert.equal(mutex.tryLock(timeout), true, `timeout ${timeout}`);
        mutex.unlock();
    }
    assertFree(mutex);
});

test('mutex: tryLock with a timeout throws HF_DEADLOCK if this thread holds the lock', () => {
    const mutex = new Mutex();
    mutex.lock();
    assert.throws(() => mutex.tryLock(5), withCode('HF_DEADLOCK'));
    mutex.unlock();
    assertFree(mutex);
});

test('mutex: exec returns the result and releases', () => {
    const mutex = new Mutex();
    assert.equal(
        mutex.exec(() => {
            assert.equal(mutex.tryLock(), false);
            return 7;
        }),
        7,
    );
    assertFree(mutex);
});

test('mutex: exec rethrows the error of its callback, and releases', () => {
    const mutex = new Mutex();
    const error = new Error('of the callback');
    assert.throws(
        () =>
            mutex.exec(() => {
                throw error;
            }),
        (thrown) => thrown === error,
    );
    assertFree(mutex);
});

test('mutex: acquire returns a guard that releases once', () => {
    const mutex = new Mutex();
    const guard = mutex.acquire();
    assert.ok(guard instanceof Guard);
    assert.equal(guard.released, false);
    assert.equal(mutex.tryLock(), false);
    guard.release();
    assert.equal(guard.released, true);
    assertFree(mutex);
    assert.throws(() => guard.release(), withCode('HF_NOT_OWNER'));
    assertFree(mutex);
});

test("mutex: a second release of a guard does not unlock the next holder's lock", () => {
    const mutex = new Mutex();
    const guard = mutex.acquire();
    guard.release();
    mutex.lock();
    assert.throws(() => guard.release(), withCode('HF_NOT_OWNER'));
    assert.equal(mutex.tryLock(), false);
    mutex.unlock();
});

test('mutex: a guard can be disposed more than once, if the runtime has Symbol.dispose', async () => {
    const mutex = new Mutex();
    for (const acquire of [() => mutex.acquire(), () => mutex.acquireAsync()]) {
        const guard = await acquire();
        guard[Symbol.dispose]();
        guard[Symbol.dispose]();
        assert.equal(guard.released, true);
    }
    assertFree(mutex);
});

test('mutex: execAsync on a free lock runs the callback before it returns', async () => {
    const mutex = new Mutex();
    let ran = false;
    const promise = mutex.execAsync(() => {
        ran = true;
        assert.equal(mutex.tryLock(), false);
        return 7;
    });
    assert.ok(ran);
    assertFree(mutex);
    assert.equal(await promise, 7);
});

test('mutex: execAsync on a held lock runs the callback once the lock is acquired', async () => {
    const mutex = new Mutex();
    mutex.lock();
    let ran = false;
    const promise = mutex.execAsync(() => {
        ran = true;
        return mutex.tryLock();
    });
    await jobEnds();
    assert.equal(ran, false);
    mutex.unlock();
    assert.equal(await within(promise, 'the request', [mutex]), false);
    assertFree(mutex);
});

for (const contended of [false, true]) {
    const on = contended ? 'a held' : 'a free';

    /**
     * @param {Mutex} mutex
     * @param {() => unknown} callback
     */
    const execute = async (mutex, callback) => {
        if (contended) {
            mutex.lock();
        }
        const promise = mutex.execAsync(callback);
        promise.catch(() => {});
        if (contended) {
            await jobEnds();
            mutex.unlock();
        }
        return within(promise, 'the request', [mutex]);
    };

    test(`mutex: execAsync on ${on} lock rejects with the error of the callback, and releases`, async () => {
        const mutex = new Mutex();
        for (const error of [new Error('of the callback'), undefined, 0, null]) {
            const promise = execute(mutex, () => {
                throw error;
            });
            assert.equal(await reasonOf(promise), error);
            assertFree(mutex);
        }
    });

    test(`mutex: execAsync on ${on} lock holds it until the promise rejects, and rejects with that error`, async () => {
        const mutex = new Mutex();
        const error = new Error('of the callback');
        const promise = execute(mutex, async () => {
            await jobEnds();
            assert.equal(mutex.tryLock(), false);
            throw error;
        });
        assert.equal(await reasonOf(promise), error);
        assertFree(mutex);
    });

    test(`mutex: execAsync on ${on} lock holds it until the promise resolves`, async () => {
        const mutex = new Mutex();
        const promise = execute(mutex, async () => {
            await jobEnds();
            assert.equal(mutex.tryLock(), false);
            return 7;
        });
        assert.equal(await promise, 7);
        assertFree(mutex);
    });

    test(`mutex: execAsync on ${on} lock treats any thenable as a promise`, async () => {
        const mutex = new Mutex();
        const thenable = {
            /** @param {(value: number) => void} resolve */
            then(resolve) {
                assert.equal(mutex.tryLock(), false);
                resolve(7);
            },
        };
        assert.equal(await execute(mutex, () => thenable), 7);
        assertFree(mutex);
    });

    test(`mutex: execAsync on ${on} lock releases if a thenable throws`, async () => {
        const mutex = new Mutex();
        const error = new Error('of the getter');
        const thenable = {
            get then() {
                throw error;
            },
        };
        const promise = execute(mutex, () => thenable);
        assert.equal(await reasonOf(promise), error);
        assertFree(mutex);
    });

    test(`mutex: execAsync on ${on} lock: a callback that unlocks gets HF_NOT_OWNER`, async () => {
        const mutex = new Mutex();
        await assert.rejects(
            execute(mutex, () => mutex.unlock()),
            withCode('HF_NOT_OWNER'),
        );
        assertFree(mutex);
        assert.equal(await mutex.execAsync(() => 7), 7);
        await assert.rejects(
            execute(mutex, async () => mutex.unlock()),
            withCode('HF_NOT_OWNER'),
        );
        assertFree(mutex);
    });

    test(`mutex: execAsync on ${on} lock: a callback that returns its own nested request gets HF_DEADLOCK`, async () => {
        const mutex = new Mutex();
        const promise = execute(mutex, () => mutex.execAsync(assert.fail));
        await assert.rejects(promise, withCode('HF_DEADLOCK'));
        await within(
            mutex.execAsync(() => {}),
            'a request after the error',
            [mutex],
        );
        assertFree(mutex);
    });

    test(`mutex: acquireAsync on ${on} lock resolves with a guard`, async () => {
        const mutex = new Mutex();
        if (contended) {
            mutex.lock();
        }
        const promise = mutex.acquireAsync();
        if (contended) {
            await jobEnds();
            mutex.unlock();
        }
        const guard = await within(promise, 'the guard', [mutex]);
        assert.ok(guard instanceof Guard);
        assert.equal(mutex.tryLock(), false);
        guard.release();
        assertFree(mutex);
        assert.throws(() => guard.release(), withCode('HF_NOT_OWNER'));
    });
}

test('mutex: a callback may request the lock again if it does not await that request', async () => {
    const mutex = new Mutex();
    /** @type {Promise<string> | undefined} */
    let nested;
    /** @type {string[]} */
    const order = [];
    await mutex.execAsync(() => {
        nested = mutex.execAsync(() => {
            order.push('nested');
            return 'nested';
        });
        order.push('outer');
    });
    assert.equal(await within(nested ?? Promise.reject(), 'the nested request', [mutex]), 'nested');
    assert.deepEqual(order, ['outer', 'nested']);
    assertFree(mutex);
});

test('mutex: lock() is a deadlock while a section of this thread awaits a promise', async () => {
    const mutex = new Mutex();
    const section = mutex.execAsync(jobEnds);
    assert.throws(() => mutex.lock(), withCode('HF_DEADLOCK'));
    assert.throws(() => mutex.exec(() => {}), withCode('HF_DEADLOCK'));
    assert.throws(() => mutex.acquire(), withCode('HF_DEADLOCK'));
    assert.equal(mutex.tryLock(), false);
    await section;
    assertFree(mutex);
});

test('mutex: requests of one thread run in the order made', async () => {
    const mutex = new Mutex();
    /** @type {number[]} */
    const order = [];
    mutex.lock();
    const promises = Array.from({ length: 50 }, (_, index) =>
        index % 3 === 0
            ? mutex.acquireAsync().then((guard) => {
                  order.push(index);
                  guard.release();
              })
            : mutex.execAsync(async () => {
                  order.push(index);
                  if (index % 3 === 1) {
                      await jobEnds();
                  }
              }),
    );
    await jobEnds();
    mutex.unlock();
    await within(Promise.all(promises), 'the requests', [mutex]);
    assert.deepEqual(
        order,
        Array.from({ length: 50 }, (_, index) => index),
    );
    assertFree(mutex);
});

test('mutex: a request behind a section of its own thread does not change the lock words', async () => {
    const mutex = new Mutex();
    const guard = await mutex.acquireAsync();
    const held = describeWords(mutex);
    const behind = mutex.execAsync(() => 7);
    await jobEnds();
    await jobEnds();
    assert.equal(describeWords(mutex), held);
    guard.release();
    assert.equal(await within(behind, 'the request', [mutex]), 7);
    assertFree(mutex);
});

test('mutex: a request made when the lock becomes free does not overtake earlier requests', async () => {
    const mutex = new Mutex();
    /** @type {string[]} */
    const order = [];
    mutex.lock();
    const first = mutex.execAsync(() => order.push('first'));
    mutex.unlock();
    const second = mutex.execAsync(() => order.push('second'));
    await within(Promise.all([first, second]), 'both', [mutex]);
    assert.deepEqual(order, ['first', 'second']);
});

test('mutex: two objects at one address share one queue in a thread', async () => {
    const mutex = new Mutex();
    const twins = [mutex, Mutex.from(mutex.handle), Mutex.at(mutex.handle.memory, mutex.byteOffset)];
    /** @type {number[]} */
    const order = [];
    mutex.lock();
    const promises = Array.from({ length: 12 }, (_, index) =>
        twins[index % twins.length]?.execAsync(() => order.push(index)),
    );
    await jobEnds();
    twins[1]?.unlock();
    await within(Promise.all(promises), 'the requests', [mutex]);
    assert.deepEqual(
        order,
        Array.from({ length: 12 }, (_, index) => index),
    );
    assertFree(mutex);
});

/** @param {Mutex} mutex */
async function arrivals(mutex) {
    const { port1, port2 } = new MessageChannel();
    const posted = new Promise((resolve) => {
        port2.onmessage = ({ data }) => resolve(data);
    });
    port1.postMessage(mutex.handle);
    const handles = [structuredClone(mutex.handle), await posted];
    port1.close();
    assert.equal(new Set([mutex.handle, ...handles].map(({ memory }) => memory)).size, 3);
    return handles.map((handle) => Mutex.from(handle));
}

test("mutex: a posted-back handle has this thread's identity and queue", async () => {
    const mutex = new Mutex({ space: new LockSpace() });
    const [cloned, posted] = await arrivals(mutex);
    assert.ok(cloned && posted);

    mutex.lock();
    assert.throws(() => cloned.lock(), withCode('HF_DEADLOCK'));
    assert.throws(() => posted.lock(), withCode('HF_DEADLOCK'));
    posted.unlock();
    assertFree(mutex);

    mutex.lock();
    /** @type {number[]} */
    const order = [];
    const promises = [cloned, mutex, posted].map((one, index) => one.execAsync(() => order.push(index)));
    await jobEnds();
    cloned.unlock();
    await within(Promise.all(promises), 'the requests', [mutex]);
    assert.deepEqual(order, [0, 1, 2]);
    assertFree(mutex);
});

test("mutex: a posted-back handle has this thread's identity, also in another program's memory", async () => {
    const memory = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true });
    const mutex = Mutex.at(memory, 1024);
    const [cloned, posted] = await arrivals(mutex);
    mutex.lock();
    assert.throws(() => cloned?.lock(), withCode('HF_DEADLOCK'));
    posted?.unlock();
    assertFree(mutex);
});

/* Limits */

test('mutex: a timeout ends the wait, never the callback', async () => {
    const mutex = new Mutex();
    const result = await mutex.execAsync(() => new Promise((resolve) => setTimeout(() => resolve(7), 20)), {
        timeout: 1,
    });
    assert.equal(result, 7);
    assertFree(mutex);
});

test('mutex: a signal ends the wait, never the callback', async () => {
    const mutex = new Mutex();
    const controller = new AbortController();
    const promise = mutex.execAsync(
        async () => {
            controller.abort();
            await jobEnds();
            return 7;
        },
        { signal: controller.signal },
    );
    assert.equal(await promise, 7);
    assertFree(mutex);
});

test('mutex: a promise whose own then() throws is still awaited, and the lock is released', async () => {
    const mutex = new Mutex();
    let settle = () => {};
    /** @type {Promise<number>} */
    const promise = new Promise((resolve) => {
        settle = () => resolve(7);
    });
    promise.then = () => {
        throw new Error('of its own then');
    };
    const request = mutex.execAsync(() => promise);
    await jobEnds();
    assert.equal(mutex.tryLock(), false, 'held until the promise settles');
    settle();
    assert.equal(await within(request, 'the section', [mutex]), 7);
    assertFree(mutex);
});
