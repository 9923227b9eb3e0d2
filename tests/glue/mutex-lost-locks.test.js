/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BinarySemaphore, Condition, LockSpace, Mutex, RwLock } from '../../js-glue/index.js';
import { errorWith } from '../support/errors.js';
import { within } from '../support/watchdog.js';
import { assertFree, wordsOf } from '../support/words.js';

/* Sections whose lock something else releases or overwrites: they say so, and the lock goes on serving. */

/** What "it goes on" means, on a slow machine. */
const SOON_MS = 1000;

const NOT_OWNER = errorWith('HF_NOT_OWNER', /./);

/**
 * @param {Mutex} mutex
 * @param {() => unknown} call by one that is not the owner
 */
function assertRefused(mutex, call) {
    const words = wordsOf(mutex);
    assert.throws(call, NOT_OWNER);
    assert.deepEqual(wordsOf(mutex), words, 'nothing is changed');
}

/** @param {Mutex} mutex */
async function assertServes(mutex) {
    const request = mutex.executeLocked(() => 7);
    assert.equal(await within(request, 'a later request', [mutex], SOON_MS), 7);
    assertFree(mutex);
}

/**
 * Releases the lock of a section, by an object that the glue cannot connect with it: its memory arrived a second time.
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
    mutex.exec(() => {}); // its section is used again for the guard
    const guard = await mutex.acquireAsync();
    releaseUnnoticed(mutex);
    assertFree(mutex);
    return { mutex, guard };
}

test('mutex: requests go on after a section that never ends has lost the lock', async () => {
    const { mutex } = await makeLost();
    await assertServes(mutex);
});

test('mutex: the guard of a section that lost the lock does not release a later section', async () => {
    const { mutex, guard } = await makeLost();
    const later = await within(mutex.acquireAsync(), 'a later section', [mutex], SOON_MS);
    assertRefused(mutex, () => guard.release());
    later.release();
    await assertServes(mutex);
});

test('mutex: lock() after a section that lost the lock is ended by unlock()', async () => {
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

test('mutex: a request without a wait gets the lock after a section that lost it', async () => {
    const { mutex } = await makeLost();
    assert.equal(await mutex.executeLocked(() => 1, { timeout: 0 }), 1);
    (await mutex.acquireAsync({ timeout: 0 })).release();
    assertFree(mutex);
});

test('mutex: a request behind a section that lost the lock is served', async () => {
    const memory = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true });
    const mutex = Mutex.at(memory, 64);
    const guard = await mutex.acquireAsync();
    const behind = mutex.executeLocked(() => 7);
    releaseUnnoticed(mutex);
    mutex.lock();
    mutex.unlock();
    assert.throws(() => guard.release(), NOT_OWNER);
    assert.equal(await within(behind, 'the request', [mutex], SOON_MS), 7);
    assertFree(mutex);
});

for (const take of /** @type {const} */ (['exec', 'executeLocked'])) {
    test(`mutex: a callback of ${take} that lost the lock, and throws, does not release the section after it`, async () => {
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

/** @type {{ take: 'exec' | 'executeLocked', of: string, returns: object }[]} */
const ODD_RESULTS = [
    { take: 'exec', of: 'then', returns: {} },
    {
        take: 'executeLocked',
        of: 'constructor',
        returns: Object.assign(Promise.resolve(), { then: undefined }),
    },
];

for (const { take, of, returns } of ODD_RESULTS) {
    test(`mutex: code of what a callback of ${take} returns takes the lock, and keeps it: ${of}`, async () => {
        const mutex = new Mutex();
        /** @type {import('../../js-glue/waiting/section.js').Guard | undefined} */
        let guard;
        const result = Object.defineProperty(returns, of, {
            get() {
                guard = mutex.acquire();
                throw new Error('mine');
            },
        });
        await assert.rejects(async () => mutex[take](() => result), /mine/);
        assert.equal(mutex.tryLock(), false, 'it is held');
        guard?.release();
        await assertServes(mutex);
    });
}

/** @param {Mutex} mutex */
function overwrite(mutex) {
    const { memory, byteOffset } = mutex.handle;
    new Uint8Array(memory.buffer, byteOffset, Mutex.BYTES).fill(0);
}

test('mutex: a section whose lock was overwritten meanwhile ends with an error', async () => {
    const mutex = new Mutex();
    const lost = errorWith('HF_NOT_OWNER', /does not hold the mutex/);
    assert.throws(() => mutex.exec(() => overwrite(mutex)), lost);
    await assert.rejects(async () => mutex.executeLocked(() => overwrite(mutex)), lost);
    await assert.rejects(async () => mutex.executeLocked(async () => overwrite(mutex)), lost);
    assertFree(mutex);
    assert.equal(await mutex.executeLocked(() => 'as before'), 'as before');
});

/** What a callback may throw: errors as the engine's own, and objects that must not be looked at. */
const odd = {
    'a RangeError of its own': () => new RangeError('mine'),
    'a proxy that is revoked'() {
        const { proxy, revoke } = Proxy.revocable({}, {});
        revoke();
        return proxy;
    },
    'a proxy that does not tell its class': () =>
        new Proxy(
            {},
            {
                getPrototypeOf() {
                    throw new Error('a trap');
                },
            },
        ),
};

/** What the callback of each of these throws comes out of it. @type {Record<string, (space: LockSpace, callback: () => never) => unknown>} */
const SECTIONS = {
    'Mutex.exec': (space, callback) => new Mutex(space).exec(callback),
    'Mutex.executeLocked': (space, callback) => new Mutex(space).executeLocked(callback),
    'Mutex.executeLocked, async': (space, callback) => new Mutex(space).executeLocked(async () => callback()),
    'RwLock.exec': (space, callback) => new RwLock(space).exec(callback),
    'RwLock.executeLocked': (space, callback) => new RwLock(space).executeLocked(callback),
    'BinarySemaphore.exec': (space, callback) => new BinarySemaphore(space).exec(callback),
    'BinarySemaphore.execAsync': (space, callback) => new BinarySemaphore(space).execAsync(callback),
    'Condition.waitAsync': (space, callback) => {
        const mutex = new Mutex(space);
        return mutex.executeLocked(() => new Condition(space).waitAsync(mutex, { predicate: callback }));
    },
};

for (const [what, make] of Object.entries(odd)) {
    for (const [title, run] of Object.entries(SECTIONS)) {
        test(`${title}: ${what} comes out of it as it was thrown`, async () => {
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
        executeLocked: (/** @type {Mutex} */ mutex, /** @type {() => never} */ callback) =>
            mutex.executeLocked(callback),
    })) {
        test(`mutex: ${title} whose callback frees it and throws ${what} leaves alone what is there next`, async () => {
            const space = new LockSpace();
            const old = new Mutex(space);
            const thrown = make();
            /** @type {Mutex | undefined} */
            let next;
            try {
                await run(old, () => {
                    space.free(old);
                    next = new Mutex(space);
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

        test(`mutex: ${title} whose callback loses it and throws ${what} leaves the next lock() alone`, async () => {
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
