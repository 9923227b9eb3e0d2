/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
    BinarySemaphore,
    Condition,
    CountingSemaphore,
    Guard,
    LockSpace,
    Mutex,
    Once,
    RecursiveMutex,
    RwLock,
    TimeoutError,
} from '../../js-glue/index.js';
import { RecoverableRwLock, RecoverableSemaphore } from '../../js-glue/recoverable.js';
import { waitWithoutLimit } from '../support/endless.js';
import { errorWith } from '../support/errors.js';
import { jobEnds, reasonOf } from '../support/event-loop.js';
import { OneKey } from '../support/one-key.js';
import { within } from '../support/watchdog.js';
import { assertAtRest, assertFree, restOf } from '../support/words.js';

/* The method names that all holdable classes share: exec and execAsync run a callback; acquire, acquireAsync
 * and tryAcquire give a guard. The tests of a hold of one class are in its own file. */

waitWithoutLimit();

/**
 * @typedef {object} Way to hold a lock
 * @property {string} name
 * @property {() => any} make
 * @property {object | undefined} [options]
 * @property {object} [shut] options of another request, which is refused while the lock is held in this way
 */

const space = new LockSpace({ pages: 8 });
const SHARED = { mode: 'shared' };

/** @type {Way[]} */
const WAYS = [
    { name: 'Mutex', make: () => new Mutex() },
    { name: 'KeyedMutex, one key', make: () => new OneKey({ space }) },
    { name: 'RwLock', make: () => new RwLock() },
    {
        name: 'RwLock, shared',
        make: () => new RwLock(),
        options: SHARED,
        shut: { mode: 'exclusive' },
    },
    { name: 'BinarySemaphore', make: () => new BinarySemaphore() },
    { name: 'CountingSemaphore', make: () => new CountingSemaphore({ max: 1 }) },
    {
        name: 'CountingSemaphore, two of three permits',
        make: () => new CountingSemaphore({ max: 3 }),
        options: { permits: 2 },
    },
    { name: 'RecoverableRwLock', make: () => new RecoverableRwLock({ space }) },
    {
        name: 'RecoverableSemaphore, two of three permits',
        make: () => new RecoverableSemaphore({ space, max: 3 }),
        options: { permits: 2 },
    },
];

/**
 * @param {Way} way
 * @param {any} lock
 * @returns {boolean} whether another request of that way would be granted
 */
function isFree({ options, shut = options }, lock) {
    const guard = lock.tryAcquire(shut);
    guard?.release();
    return guard !== null;
}

for (const way of WAYS) {
    const { name, make, options, shut = options } = way;
    const timed = { ...options, timeout: 3 };

    test(`held: ${name}: acquire, acquireAsync and tryAcquire return a guard that releases once`, async () => {
        const lock = make();
        const rest = restOf(lock);
        for (const take of [
            () => lock.acquire(options),
            () => lock.tryAcquire(options),
            () => lock.tryAcquire(timed),
            () => lock.acquireAsync(options),
            () => lock.acquireAsync(timed),
        ]) {
            const guard = await within(Promise.resolve(take()), 'a guard', [lock]);
            assert.ok(guard instanceof Guard);
            assert.equal(isFree(way, lock), false);
            guard.release();
            assert.ok(isFree(way, lock));
            assert.throws(() => guard.release(), errorWith('HF_NOT_OWNER', /is already released/));
        }
        assertAtRest(lock, rest);
    });

    test(`held: ${name}: on a held lock tryAcquire returns null, acquireAsync rejects with a TimeoutError`, async () => {
        const lock = make();
        const rest = restOf(lock);
        const guard = lock.acquire(options);
        assert.equal(lock.tryAcquire(shut), null);
        assert.equal(lock.tryAcquire({ ...shut, timeout: -1 }), null);
        const waitsForItself = 'max' in lock ? lock instanceof RecoverableSemaphore : shut === options;
        if (waitsForItself) {
            assert.throws(() => lock.tryAcquire({ ...shut, timeout: 3 }), { code: 'HF_DEADLOCK' });
        } else {
            assert.equal(lock.tryAcquire({ ...shut, timeout: 3 }), null);
        }
        const late = { ...options, ...shut, timeout: 3 };
        for (const limit of [late, { ...late, timeout: 0 }]) {
            const error = await within(reasonOf(lock.acquireAsync(limit)), 'the time', [lock]);
            assert.ok(error instanceof TimeoutError, String(error));
        }
        guard.release();
        assert.ok(isFree(way, lock));
        assertAtRest(lock, rest);
    });

    test(`held: ${name}: requests of acquireAsync and execAsync are granted in the order made, and can be aborted`, async () => {
        const lock = make();
        const rest = restOf(lock);
        const guard = await lock.acquireAsync(shut === options ? options : undefined);
        /** @type {string[]} */
        const order = [];
        const controller = new AbortController();
        const limit = { ...options, signal: controller.signal };
        const aborted = [reasonOf(lock.acquireAsync(limit)), reasonOf(lock.execAsync(assert.fail, limit))];
        const first = lock.execAsync(() => (order.push('execAsync'), 7), options);
        const second = lock.acquireAsync(options).then((/** @type {Guard} */ next) => {
            order.push('acquireAsync');
            next.release();
        });
        await jobEnds();
        assert.deepEqual(order, []);
        controller.abort();
        const reason = controller.signal.reason;
        assert.deepEqual(await within(Promise.all(aborted), 'the end', [lock]), [reason, reason]);
        guard.release();
        assert.equal(await within(first, 'a section', [lock]), 7);
        await within(second, 'a guard', [lock]);
        assert.deepEqual(order, ['execAsync', 'acquireAsync']);
        assertAtRest(lock, rest);
    });

    test(`held: ${name}: execAsync holds the lock until the promise of its callback settles`, async () => {
        const lock = make();
        const rest = restOf(lock);
        const failure = new Error('of the callback');
        const section = lock.execAsync(async () => {
            await jobEnds();
            assert.equal(isFree(way, lock), false);
            throw failure;
        }, options);
        assert.equal(isFree(way, lock), false, 'it is held before the call returns');
        assert.equal(await within(reasonOf(section), 'the section', [lock]), failure);
        assert.equal(
            lock.exec(() => isFree(way, lock), options),
            false,
        );
        await assert.rejects(lock.execAsync(7), errorWith('HF_BAD_CALLBACK', /function/));
        assertAtRest(lock, rest);
    });

    test(`held: ${name}: invalid arguments are refused, and nothing is acquired`, async () => {
        const lock = make();
        const rest = restOf(lock);
        for (const timeout of [NaN, '5', null]) {
            assert.throws(
                () => lock.tryAcquire({ ...options, timeout }),
                errorWith('HF_BAD_TIMEOUT', /number in ms/),
            );
            await assert.rejects(lock.acquireAsync({ ...options, timeout }), { code: 'HF_BAD_TIMEOUT' });
        }
        await assert.rejects(lock.acquireAsync({ ...options, signal: {} }), { code: 'HF_BAD_SIGNAL' });
        await assert.rejects(lock.acquireAsync(7), { code: 'HF_BAD_OPTION' });
        assertAtRest(lock, rest);
    });
}

/* A callback returns a request for its own lock, which cannot be granted before the callback ends. If the
 * glue can tell, it rejects both. */

/** @type {{ name: string, make: () => any, options?: object, asks: string[], inner?: object }[]} */
const OWN_REQUESTS = [
    ...[Mutex, RwLock, RecoverableRwLock].map((Lock) => ({
        name: Lock.KIND,
        make: () => new Lock({ space }),
        asks: ['acquireAsync', 'execAsync', 'recoverAsync'],
    })),
    {
        name: 'KeyedMutex, one key',
        make: () => new OneKey({ space }),
        asks: ['acquireAsync', 'execAsync', 'recoverAsync'],
    },
    ...[RwLock, RecoverableRwLock].flatMap((Lock) => [
        {
            name: `${Lock.KIND}, shared within exclusive`,
            make: () => new Lock({ space }),
            inner: SHARED,
            asks: ['acquireAsync', 'execAsync'],
        },
        {
            name: `${Lock.KIND}, exclusive within shared`,
            make: () => new Lock({ space }),
            options: SHARED,
            asks: ['acquireAsync', 'execAsync', 'recoverAsync'],
        },
    ]),
    {
        name: 'RecoverableSemaphore, of one',
        make: () => new RecoverableSemaphore({ space, max: 1 }),
        asks: ['acquireAsync', 'execAsync', 'enterAsync'],
    },
];

for (const { name, make, options, asks, inner } of OWN_REQUESTS) {
    for (const ask of asks) {
        const isAsked = (/** @type {any} */ lock) =>
            /^(exec|recover)/.test(ask) ? lock[ask](assert.fail, inner) : lock[ask](inner);
        for (const waits of [false, true]) {
            const how = waits ? 'waited' : 'did not wait';
            test(`held: ${name}: a callback may not return ${ask} for its own lock, if the section ${how}`, async () => {
                const lock = make();
                const rest = restOf(lock);
                const before = waits ? lock.acquire() : undefined;
                /** @type {Promise<unknown> | undefined} */
                let own;
                const section = lock.execAsync(() => (own = isAsked(lock)), options);
                const behind = lock.execAsync(() => 'met');
                before?.release();
                const isTold = errorWith('HF_DEADLOCK', /, which it holds/);
                await assert.rejects(within(section, 'the section', [lock]), isTold);
                assert.equal(await within(behind, 'the request behind it', [lock]), 'met');
                await assert.rejects(within(Promise.resolve(own), 'its own request', [lock]), isTold);
                assertAtRest(lock, rest);
            });
        }
    }
}

test('held: a callback may not return a request for its own lock, even if it made later requests', async () => {
    const [lock, other] = [new Mutex({ space }), new Mutex({ space })];
    const guard = other.acquire();
    /** @type {Promise<unknown>[]} */
    let later = [];
    const section = lock.execAsync(() => {
        const own = lock.execAsync(assert.fail);
        later = [lock.execAsync(() => 1), lock.execAsync(() => 2), other.execAsync(() => 3)];
        return own;
    });
    await assert.rejects(
        within(section, 'the section', [lock]),
        errorWith('HF_DEADLOCK', /, which it holds/),
    );
    guard.release();
    assert.deepEqual(await Promise.all(later), [1, 2, 3]);
});

test('held: a callback may abort requests behind it and return a promise of its own', async () => {
    const lock = new Mutex({ space });
    const guard = lock.acquire();
    const controller = new AbortController();
    const section = lock.execAsync(() => {
        controller.abort('enough');
        return Promise.resolve('a foreign one');
    });
    const behind = lock.execAsync(assert.fail, { signal: controller.signal });
    guard.release();
    await assert.rejects(behind, (reason) => reason === 'enough');
    assert.equal(await section, 'a foreign one');
});

/**
 * Methods that take no promise refuse every promise that a callback returns.
 * @type {Record<string, () => { lock: any, other?: any, method?: string }>}
 */
const TAKE_NO_PROMISE = {
    Mutex: () => ({ lock: new Mutex({ space }) }),
    RwLock: () => ({ lock: new RwLock({ space }) }),
    BinarySemaphore: () => ({ lock: new BinarySemaphore({ space }) }),
    RecoverableSemaphore: () => ({ lock: new RecoverableSemaphore({ space, max: 1 }) }),
    'RecursiveMutex, by a Mutex in its place': () => {
        const lock = new RecursiveMutex({ space });
        return { lock, other: Mutex.at(space.memory, lock.byteOffset) };
    },
    'Once, by a Mutex in its place': () => {
        const lock = new Once({ space });
        return { lock, other: Mutex.at(space.memory, lock.byteOffset), method: 'run' };
    },
    'Condition, by its predicate': () => {
        const [other, condition] = [new Mutex({ space }), new Condition({ space })];
        const exec = (/** @type {any} */ predicate) =>
            other.exec(() => condition.waitFor(other, { timeout: 5, predicate }));
        return { lock: { exec }, other };
    },
};

for (const [name, make] of Object.entries(TAKE_NO_PROMISE)) {
    test(`held: ${name}: throws HF_BAD_CALLBACK if its callback returns a request`, async () => {
        const { lock, other = lock, method = 'exec' } = make();
        const rest = restOf(other);
        const isTold = errorWith('HF_BAD_CALLBACK', /promise|async/);
        for (const ask of ['acquireAsync', 'execAsync']) {
            /** @type {Promise<unknown> | undefined} */
            let own;
            assert.throws(
                () => lock[method](() => (own = other[ask](...(ask === 'execAsync' ? [assert.fail] : [])))),
                isTold,
            );
            await assert.rejects(within(Promise.resolve(own), 'the request', [other]), isTold);
            assertAtRest(other, rest);
        }
    });
}

for (const [make, lists] of /** @type {const} */ ([
    [() => new RwLock(), /'shared', 'upgradable' or 'exclusive', not 'read'/],
    [() => new RecoverableRwLock({ space }), /'shared' or 'exclusive', not 'read'/],
])) {
    test(`held: ${make().constructor.name}: an unknown mode is refused`, async () => {
        const lock = make();
        const mode = /** @type {any} */ ('read');
        const isBad = errorWith('HF_BAD_OPTION', lists);
        assert.throws(() => lock.tryAcquire({ mode }), isBad);
        await assert.rejects(lock.execAsync(assert.fail, { mode }), isBad);
        assert.throws(() => lock.tryAcquire(/** @type {any} */ ('shared')), { code: 'HF_BAD_OPTION' });
    });
}

test('held: a semaphore: more permits than max are refused', async () => {
    const seats = new CountingSemaphore({ max: 3 });
    for (const permits of /** @type {any[]} */ ([0, 4, 1.5, '2'])) {
        assert.throws(() => seats.acquire({ permits }), { code: 'HF_BAD_COUNT' });
        assert.throws(() => seats.tryAcquire({ permits }), { code: 'HF_BAD_COUNT' });
        await assert.rejects(seats.acquireAsync({ permits }), { code: 'HF_BAD_COUNT' });
    }
    assert.equal(seats.value, 3);
});

test('held: a guard throws HF_OVERFLOW at release if other code has returned its permits', () => {
    const seats = new CountingSemaphore({ max: 3 });
    const guard = seats.acquire({ permits: 2 });
    seats.leave(2);
    assert.throws(() => guard.release(), errorWith('HF_OVERFLOW', /above its max of 3 permits/));
    assert.equal(seats.value, 3);
    assert.ok(guard.released);
});

test('held: a guard of a freed semaphore returns no permit to the next one at its address', async () => {
    for (const take of /** @type {const} */ (['acquire', 'acquireAsync', 'tryAcquire'])) {
        const former = new CountingSemaphore({ space, max: 3 });
        const guard = await former[take]();
        space.free(former);
        const next = new CountingSemaphore({ space, initial: 1, max: 3 });
        assert.equal(next.byteOffset, former.byteOffset);
        assert.throws(() => guard?.release(), errorWith('HF_NOT_OWNER', / was released by /));
        assert.equal(next.value, 1);
        space.free(next);
    }
});

test('held: recursive mutex: each guard is one level, and guards may be released in any order', () => {
    const mutex = new RecursiveMutex({ space });
    const rest = restOf(mutex);
    const first = mutex.acquire();
    const second = mutex.tryAcquire();
    const third = mutex.tryAcquire(5);
    assert.ok(first instanceof Guard && second instanceof Guard && third instanceof Guard);
    assert.equal(mutex.depth, 3);
    first.release();
    assert.equal(mutex.depth, 2);
    third.release();
    second.release();
    assert.equal(mutex.depth, 0);
    for (const guard of [first, second, third]) {
        assert.throws(() => guard.release(), errorWith('HF_NOT_OWNER', /is already released/));
    }
    assertAtRest(mutex, rest);
    assert.throws(() => mutex.tryAcquire(NaN), { code: 'HF_BAD_TIMEOUT' });
});

test('held: recursive mutex: a guard throws at release if other code has unlocked its level', () => {
    const mutex = new RecursiveMutex({ space });
    const guard = mutex.acquire();
    mutex.unlock();
    assert.throws(() => guard.release(), errorWith('HF_NOT_OWNER', /This thread does not hold/));
    assert.ok(guard.released);

    const stale = mutex.acquire();
    space.free(mutex);
    const next = new RecursiveMutex({ space });
    assert.equal(next.byteOffset, mutex.byteOffset);
    next.lock();
    assert.throws(() => stale.release(), errorWith('HF_NOT_OWNER', /This thread does not hold/));
    assert.equal(next.depth, 1);
    next.unlock();
});

test('held: the error of acquire() on a lock that this thread holds names acquireAsync()', async () => {
    for (const lock of [new Mutex(), new RwLock()]) {
        await lock.execAsync(async () => {
            await assert.rejects(
                async () => await lock.acquire(),
                errorWith('HF_DEADLOCK', /can wait by acquireAsync\(\)/),
            );
        });
        assertFree(lock);
    }
});

test('held: all lock classes have the same method names', () => {
    const here = ['exec', 'acquire', 'tryAcquire'];
    const anywhere = [...here, 'execAsync', 'acquireAsync'];
    for (const { name, make } of WAYS) {
        const lock = make();
        assert.deepEqual([name, anywhere.filter((method) => !(method in lock))], [name, []]);
    }
    const recursive = new RecursiveMutex();
    assert.deepEqual(
        here.filter((method) => !(method in recursive)),
        [],
    );
});
