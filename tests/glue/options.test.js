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
    RecursiveMutex,
    RwLock,
} from '../../js-glue/index.js';
import { debug } from '../../js-glue/debug.js';
import { RecoverableRwLock, RecoverableSemaphore } from '../../js-glue/recoverable.js';
import { trace } from '../../js-glue/trace.js';
import { errorWith } from '../support/errors.js';
import { OneKey } from '../support/one-key.js';
import { within } from '../support/watchdog.js';
import { assertAtRest, assertFree, restOf } from '../support/words.js';

/* Unknown options are refused by name, and a signal that is null counts as left out. primitives-construction.test.js
 * tests the options of constructors. */

const nothing = () => {};
const mutex = new Mutex();
const key = /** @type {any} */ (new OneKey());
const condition = new Condition();
const space = new LockSpace();

/** @param {object | undefined} options */
function waitOfCondition(options) {
    return mutex.execAsync(() =>
        condition.waitAsync(mutex, { predicate: () => true, .../** @type {any} */ (options) }),
    );
}

const set = new Event();
set.set();
const reset = () => {
    const event = new Event({ autoReset: true });
    event.set();
    return event;
};

/**
 * Waits that are granted at once.
 *
 * @type {[title: string, names: string, ask: (options: any) => Promise<unknown>][]}
 */
const WAITS = [
    ['Mutex.execAsync', 'timeout, deadline, signal', (options) => mutex.execAsync(nothing, options)],
    ['Mutex.executeLocked', 'timeout, deadline, signal', (options) => mutex.executeLocked(nothing, options)],
    [
        'Mutex.acquireAsync',
        'timeout, deadline, signal',
        async (options) => (await mutex.acquireAsync(options)).release(),
    ],
    ['Mutex.recoverAsync', 'timeout, deadline, signal', (options) => mutex.recoverAsync(nothing, options)],
    ['KeyedMutex.execAsync', 'timeout, deadline, signal', (options) => key.execAsync(nothing, options)],
    [
        'KeyedMutex.acquireAsync',
        'timeout, deadline, signal',
        async (options) => (await key.acquireAsync(options)).release(),
    ],
    ['KeyedMutex.recoverAsync', 'timeout, deadline, signal', (options) => key.recoverAsync(nothing, options)],
    [
        'RwLock.execAsync',
        'timeout, deadline, signal, mode',
        (options) => new RwLock().execAsync(nothing, options),
    ],
    [
        'RwLock.acquireAsync',
        'timeout, deadline, signal, mode',
        (options) => new RwLock().acquireAsync(options),
    ],
    [
        'RecoverableRwLock.execAsync',
        'timeout, deadline, signal, mode',
        (options) => new RecoverableRwLock({ space }).execAsync(nothing, options),
    ],
    [
        'BinarySemaphore.execAsync',
        'timeout, deadline, signal, permits',
        (options) => new BinarySemaphore().execAsync(nothing, options),
    ],
    [
        'BinarySemaphore.enterAsync',
        'timeout, deadline, signal, permits',
        (options) => new BinarySemaphore().enterAsync(options),
    ],
    [
        'RecoverableSemaphore.acquireAsync',
        'timeout, deadline, signal, permits',
        (options) => new RecoverableSemaphore({ space, max: 1 }).acquireAsync(options),
    ],
    ['Condition.waitAsync', 'timeout, deadline, signal, predicate', waitOfCondition],
    ['Event.waitAsync', 'timeout, deadline, signal, ref', (options) => set.waitAsync(options)],
    [
        'Event.waitAsync, with autoReset',
        'timeout, deadline, signal, ref',
        (options) => reset().waitAsync(options),
    ],
    [
        'Latch.waitAsync',
        'timeout, deadline, signal, ref',
        (options) => new Latch({ count: 0 }).waitAsync(options),
    ],
    [
        'Barrier.arriveAndWaitAsync',
        'timeout, deadline, signal',
        (options) => new Barrier({ parties: 1 }).arriveAndWaitAsync(options),
    ],
    ['Once.runAsync', 'timeout, deadline, signal', (options) => new Once().runAsync(nothing, options)],
];

for (const [title, names, ask] of WAITS) {
    test(`options: ${title} refuses an unknown option, and lists the known ones`, async () => {
        for (const [options, name] of /** @type {[object, string][]} */ ([
            [{ timeoutMs: 5 }, 'timeoutMs'],
            [{ timeout: 5, Signal: undefined }, 'Signal'],
            [Object.assign(Object.create({ timeout: 5 }), { time: 5 }), 'time'],
        ])) {
            const isTold = errorWith(
                'HF_BAD_OPTION',
                new RegExp(`No option '${name}'\\. Pass { ${names} }\\.$`),
            );
            await assert.rejects(ask(options), isTold);
        }
        assertFree(mutex);
    });

    test(`options: ${title} treats a signal of null, and options of undefined, as left out`, async () => {
        for (const options of [
            { signal: null },
            { signal: undefined, timeout: undefined },
            { timeout: 5, signal: null },
            Object.create({ timeout: 5, signal: null }),
            undefined,
            {},
        ]) {
            await within(ask(options), 'what is to be had', [mutex, condition]);
        }
        assertFree(mutex);
    });
}

test('options: a signal in place of the options is refused, not taken for empty options', async () => {
    const { signal } = new AbortController();
    const isTold = errorWith('HF_BAD_OPTION', /No option '\w+'\. Pass { timeout, deadline, signal\b/);
    for (const [, , ask] of WAITS.filter(([title]) => title !== 'Condition.waitAsync')) {
        await assert.rejects(ask(signal), isTold);
    }
    const wait = mutex.execAsync(() => condition.waitAsync(mutex, /** @type {any} */ (signal)));
    await assert.rejects(wait, isTold);
    assertFree(mutex);
});

test('options: a name that all objects inherit, such as toString, is refused as an option', async () => {
    for (const given of [{ toString: () => '' }, { valueOf: undefined }, { constructor: Object }]) {
        const wait = mutex.execAsync(nothing, /** @type {any} */ (given));
        await assert.rejects(wait, errorWith('HF_BAD_OPTION', /No option/));
    }
    assertFree(mutex);
});

test('options: additions to Object.prototype are ignored', async (t) => {
    const prototype = /** @type {any} */ (Object.prototype);
    prototype.addedByOldCode = () => {};
    t.after(() => delete prototype.addedByOldCode);
    assert.equal(await mutex.execAsync(() => 7, { timeout: 5 }), 7);
    assert.equal(new Event({ autoReset: true }).autoReset, true);
});

const LIMITS = /** @type {const} */ ([5, 0, Infinity, null, { timeout: 5 }, {}]);

for (const [
    title,
    lock,
    use,
    instead,
] of /** @type {[string, any, (lock: any, limit: unknown) => unknown, string][]} */ ([
    ['Mutex.lock', mutex, (lock, limit) => lock.lock(limit), 'tryLock(timeout)'],
    ['Mutex.acquire', mutex, (lock, limit) => lock.acquire(limit), 'tryAcquire(timeout)'],
    ['Mutex.exec', mutex, (lock, limit) => lock.exec(assert.fail, limit), 'tryAcquire(timeout)'],
    ['Mutex.recover', mutex, (lock, limit) => lock.recover(assert.fail, limit), 'recoverAsync()'],
    ['KeyedMutex.lock', key, (lock, limit) => lock.lock(limit), 'tryLock(key, timeout)'],
    ['KeyedMutex.acquire', key, (lock, limit) => lock.acquire(limit), 'tryAcquire(key, timeout)'],
    ['KeyedMutex.exec', key, (lock, limit) => lock.exec(assert.fail, limit), 'tryAcquire(key, timeout)'],
    ['KeyedMutex.recover', key, (lock, limit) => lock.recover(assert.fail, limit), 'recoverAsync()'],
    ['RecursiveMutex.lock', new RecursiveMutex(), (lock, limit) => lock.lock(limit), 'tryLock(timeout)'],
    [
        'RecursiveMutex.acquire',
        new RecursiveMutex(),
        (lock, limit) => lock.acquire(limit),
        'tryAcquire(timeout)',
    ],
    [
        'RecursiveMutex.exec',
        new RecursiveMutex(),
        (lock, limit) => lock.exec(assert.fail, limit),
        'tryAcquire(timeout)',
    ],
    [
        'RecursiveMutex.recover',
        new RecursiveMutex(),
        (lock, limit) => lock.recover(assert.fail, limit),
        'tryLock(timeout), then recover()',
    ],
    ['RwLock.lock', new RwLock(), (lock, limit) => lock.lock(limit), 'tryLock(timeout)'],
    ['RwLock.lockShared', new RwLock(), (lock, limit) => lock.lockShared(limit), 'tryLockShared(timeout)'],
    ['RwLock.recover', new RwLock(), (lock, limit) => lock.recover(assert.fail, limit), 'recoverAsync()'],
    [
        'RwLock.lockUpgradable',
        new RwLock(),
        (lock, limit) => lock.lockUpgradable(limit),
        'tryLockUpgradable(timeout)',
    ],
    [
        'RwLock.acquire',
        new RwLock(),
        (lock, timeout) => lock.acquire({ mode: 'shared', timeout }),
        'tryAcquire({ timeout, mode })',
    ],
    [
        'RwLock.exec',
        new RwLock(),
        (lock, deadline) => lock.exec(assert.fail, { deadline }),
        'tryAcquire({ timeout, mode })',
    ],
    [
        'RecoverableRwLock.lock',
        new RecoverableRwLock({ space }),
        (lock, limit) => lock.lock(limit),
        'tryLock(timeout)',
    ],
    [
        'BinarySemaphore.enter',
        new BinarySemaphore(),
        (lock, timeout) => lock.enter({ timeout }),
        'tryEnter({ timeout, permits })',
    ],
    [
        'CountingSemaphore.acquire',
        new CountingSemaphore({ max: 3 }),
        (lock, deadline) => lock.acquire({ permits: 2, deadline }),
        'tryAcquire({ timeout, permits })',
    ],
    [
        'CountingSemaphore.exec',
        new CountingSemaphore({ max: 3 }),
        (lock, timeout) => lock.exec(assert.fail, { timeout }),
        'tryAcquire({ timeout, permits })',
    ],
    [
        'Condition.wait',
        condition,
        (lock, limit) => mutex.exec(() => lock.wait(mutex, limit)),
        'waitFor(mutex, { timeout, predicate })',
    ],
    [
        'Condition.wait for a predicate',
        condition,
        (lock) => mutex.exec(() => lock.wait(mutex, () => true)),
        'waitFor(mutex, { timeout, predicate })',
    ],
    ['Once.run', new Once(), (lock, limit) => lock.run(assert.fail, limit), 'runAsync()'],
    ['RwLock.upgrade', new RwLock(), (lock, limit) => lock.upgrade(limit), 'tryUpgrade(timeout)'],
    [
        'RwLockGuard.upgrade',
        new RwLock(),
        (lock, limit) => {
            const guard = lock.acquire({ mode: 'upgradable' });
            try {
                guard.upgrade(limit);
            } finally {
                guard.release();
            }
        },
        'tryUpgrade(timeout)',
    ],
])) {
    test(`options: ${title} refuses a time limit, and names the method that takes one`, () => {
        const isTold = (/** @type {unknown} */ error) =>
            errorWith('HF_BAD_OPTION', /^This call takes no timeout\. Use /)(error) &&
            /** @type {Error} */ (error).message.endsWith(`Use ${instead}.`);
        const before = new Uint8Array(lock.memory.buffer, lock.byteOffset, lock.constructor.BYTES).slice();
        for (const limit of LIMITS) {
            assert.throws(() => use(lock, limit), isTold);
        }
        assert.deepEqual(new Uint8Array(lock.memory.buffer, lock.byteOffset, before.length).slice(), before);
        assertFree(mutex);
    });
}

test('options: a time limit of undefined means none', () => {
    for (const lock of /** @type {any[]} */ ([new Mutex(), new RecursiveMutex(), new RwLock()])) {
        lock.lock(undefined);
        lock.unlock();
        lock.acquire(undefined).release();
        assert.equal(
            lock.exec(() => 7, undefined),
            7,
        );
    }
    const seats = new CountingSemaphore({ max: 3 });
    seats.enter({ permits: undefined });
    assert.equal(seats.value, 2);
});

for (const [
    title,
    use,
    names,
] of /** @type {[string, (lock: any, options: object) => unknown, string][]} */ ([
    ['exec', (lock, options) => lock.exec(assert.fail, options), 'mode'],
    ['acquire', (lock, options) => lock.acquire(options), 'mode'],
])) {
    test(`options: the blocking RwLock.${title} takes no option except the mode`, () => {
        const lock = new RwLock();
        for (const options of [{ timeoutMs: 5 }, { mode: 'shared', signal: undefined }]) {
            const isTold = errorWith('HF_BAD_OPTION', new RegExp(`Pass { ${names} }\\.$`));
            assert.throws(() => use(lock, options), isTold);
        }
        assertFree(lock);
    });
}

/**
 * Methods that try, or wait with a limit, each on an object of its own. They must not change the object's
 * words.
 *
 * @type {[title: string, names: string, make: () => any, use: (object: any, limit?: any) => unknown][]}
 */
const LIMITED = [
    ['Mutex.tryLock', 'timeout, deadline', () => new Mutex(), (lock, limit) => lock.tryLock(limit)],
    ['Mutex.tryAcquire', 'timeout, deadline', () => new Mutex(), (lock, limit) => lock.tryAcquire(limit)],
    ['KeyedMutex.tryLock', 'timeout, deadline', () => new OneKey(), (lock, limit) => lock.tryLock(limit)],
    [
        'KeyedMutex.tryAcquire',
        'timeout, deadline',
        () => new OneKey(),
        (lock, limit) => lock.tryAcquire(limit),
    ],
    [
        'RecursiveMutex.tryLock',
        'timeout, deadline',
        () => new RecursiveMutex(),
        (lock, limit) => lock.tryLock(limit),
    ],
    [
        'RecursiveMutex.tryAcquire',
        'timeout, deadline',
        () => new RecursiveMutex(),
        (lock, limit) => lock.tryAcquire(limit),
    ],
    ['RwLock.tryLock', 'timeout, deadline', () => new RwLock(), (lock, limit) => lock.tryLock(limit)],
    [
        'RwLock.tryLockShared',
        'timeout, deadline',
        () => new RwLock(),
        (lock, limit) => lock.tryLockShared(limit),
    ],
    [
        'RwLock.tryAcquire',
        'timeout, deadline, mode',
        () => new RwLock(),
        (lock, limit) => lock.tryAcquire(limit),
    ],
    [
        'BinarySemaphore.tryEnter',
        'timeout, deadline, permits',
        () => new BinarySemaphore(),
        (lock, limit) => lock.tryEnter(limit),
    ],
    [
        'RecoverableSemaphore.tryAcquire',
        'timeout, deadline, permits',
        () => new RecoverableSemaphore({ space, max: 3 }),
        (lock, limit) => lock.tryAcquire(limit),
    ],
    ['Event.wait', 'timeout, deadline', () => new Event(), (event, limit) => event.wait(limit)],
    [
        'Event.wait, with autoReset',
        'timeout, deadline',
        () => new Event({ autoReset: true }),
        (event, limit) => event.wait(limit),
    ],
    ['Latch.wait', 'timeout, deadline', () => new Latch({ count: 1 }), (latch, limit) => latch.wait(limit)],
    [
        'Barrier.arriveAndWait',
        'timeout, deadline',
        () => new Barrier({ parties: 2 }),
        (barrier, limit) => barrier.arriveAndWait(limit),
    ],
    [
        'Condition.waitFor',
        'timeout, deadline, predicate',
        () => new Condition(),
        (waiters, limit) => mutex.exec(() => waiters.waitFor(mutex, limit)),
    ],
];

for (const [title, names, make, use] of LIMITED) {
    const takesNumbers = names === 'timeout, deadline';

    test(`options: ${title} refuses an unknown option, and lists the known ones`, () => {
        const object = make();
        const rest = restOf(object);
        for (const name of ['timeoutMs', 'signal', 'Deadline']) {
            const isTold = errorWith(
                'HF_BAD_OPTION',
                new RegExp(`No option '${name}'\\. Pass { ${names} }\\.$`),
            );
            assert.throws(() => use(object, { timeout: 0, [name]: 5 }), isTold);
        }
        assertAtRest(object, rest);
    });

    test(`options: ${title} ${takesNumbers ? 'takes a number as its timeout' : 'refuses a number, and shows the options'}`, () => {
        const object = make();
        const rest = restOf(object);
        const refused = takesNumbers ? [null] : [2, 0, -1, Infinity, NaN, null];
        for (const given of refused) {
            const isTold = errorWith('HF_BAD_OPTION', new RegExp(`^Pass { ${names} }, not ${given}\\.$`));
            assert.throws(() => use(object, given), isTold);
        }
        assertAtRest(object, rest);
        if (takesNumbers) {
            const outcome = (/** @type {any} */ limit) => {
                try {
                    return [String(use(make(), limit))];
                } catch (error) {
                    return [/** @type {any} */ (error).code];
                }
            };
            for (const timeout of [0, -1, 1.5, '5', NaN]) {
                assert.deepEqual(outcome({ timeout }), outcome(timeout));
            }
        }
    });
}

for (const [title, use] of /** @type {[string, (seats: any) => unknown][]} */ ([
    ['enter', (seats) => seats.enter(2)],
    ['acquire', (seats) => seats.acquire(2)],
    ['exec', (seats) => seats.exec(assert.fail, 2)],
])) {
    test(`options: CountingSemaphore.${title} refuses a number, and shows the options`, () => {
        const seats = new CountingSemaphore({ max: 3 });
        assert.throws(() => use(seats), errorWith('HF_BAD_OPTION', /^Pass { permits }, not 2\.$/));
        assert.equal(seats.value, 3);
    });
}

test('options: waitFor without a timeout waits until its predicate is true', () => {
    let calls = 0;
    mutex.lock();
    assert.equal(condition.waitFor(mutex, { predicate: () => ++calls > 0 }), true);
    mutex.unlock();
    assert.equal(calls, 1);
    assertFree(mutex);
});

for (const [title, make, names] of /** @type {[string, (options: any) => unknown, string][]} */ ([
    ['new LockSpace()', (options) => new LockSpace(options), 'pages, threads'],
    ['LockSpace.attach()', (options) => LockSpace.attach(space.memory, options), 'threads'],
    ['trace()', (options) => trace(mutex, options), 'name, thread, minimum, keep'],
    ['debug()', (options) => debug(options), 'onReport, throw, heldFor, waitFor'],
])) {
    test(`options: ${title} refuses unknown options, and lists the known ones`, () => {
        const isTold = errorWith('HF_BAD_OPTION', new RegExp(`No option 'page'\\. Pass { ${names} }\\.$`));
        assert.throws(() => make({ page: 5 }), isTold);
    });
}

test('options: errors show strings in quotes, even the empty string', () => {
    for (const text of ['', '5']) {
        const [seats, lock] = /** @type {any[]} */ ([new CountingSemaphore({ max: 3 }), new RwLock()]);
        const isText = errorWith(
            'HF_BAD_COUNT',
            new RegExp(`^permits must be a whole number from 1 to 3, not '${text}'\\.$`),
        );
        assert.throws(() => seats.enter({ permits: text }), isText);
        assert.throws(
            () => lock.acquire({ mode: text }),
            errorWith('HF_BAD_OPTION', new RegExp(`, not '${text}'\\.$`)),
        );
    }
});
