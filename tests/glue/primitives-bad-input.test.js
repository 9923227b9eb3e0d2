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
    RwLock,
} from '../../js-glue/index.js';
import { CONDITION_MOST_WAITERS } from '../../js-glue/memory/layout.js';
import { CONDITION_WAITERS_SHIFT } from '../../models/c/numbers.js';
import { makeBoard, reach, reached } from '../support/board.js';
import { runChild } from '../support/child.js';
import { errorWith } from '../support/errors.js';
import { startThread } from '../support/thread.js';
import { within } from '../support/watchdog.js';
import { assertFree, wordsOf } from '../support/words.js';

/* Mistakes of users with the classes other than the mutex (bad-input.test.js), and the errors they get.
 * Values that the types do not allow are typed `any`. Bad timeouts and signals are in
 * primitives-waits.test.js, bad addresses in primitives-construction.test.js. */

/**
 * @param {import('../../js-glue/memory/placed.js').Placed} object
 * @param {() => unknown} misuse
 */
async function changesNothing(object, misuse) {
    const words = wordsOf(object);
    await misuse();
    assert.deepEqual(wordsOf(object), words);
}

/* Numbers */

const NO_COUNTS = /** @type {any[]} */ ([
    -1,
    0.5,
    1.5,
    NaN,
    Infinity,
    2 ** 53,
    2 ** 32 + 1,
    '1',
    1n,
    true,
    null,
    {},
]);
const describeCount = (/** @type {any} */ count) => `${String(count)} (${typeof count})`;

for (const count of [...NO_COUNTS, 0, 4, Symbol('s')]) {
    test(`semaphore: ${describeCount(count)} permits of 3 are refused`, async () => {
        const semaphore = new CountingSemaphore({ max: 3 });
        const isBad = errorWith('HF_BAD_COUNT', /permits must be a whole number from 1 to 3, not /);
        await changesNothing(semaphore, async () => {
            assert.throws(() => semaphore.enter({ permits: count }), isBad);
            assert.throws(() => semaphore.tryEnter({ permits: count }), isBad);
            assert.throws(() => semaphore.tryEnter({ timeout: 5, permits: count }), isBad);
            assert.throws(() => semaphore.leave(count), isBad);
            assert.throws(() => semaphore.exec(assert.fail, { permits: count }), isBad);
            await assert.rejects(semaphore.enterAsync({ permits: count }), isBad);
            await assert.rejects(semaphore.execAsync(assert.fail, { permits: count }), isBad);
        });
    });
}

for (const count of [...NO_COUNTS.filter((count) => count !== null), 2, Symbol('s')]) {
    test(`binary semaphore: initially ${describeCount(count)} permits are refused`, () => {
        const isBad = errorWith('HF_BAD_COUNT', /initial must be a whole number from 0 to 1, not /);
        assert.throws(() => new BinarySemaphore({ initial: count }), isBad);
    });
}

for (const count of [...NO_COUNTS, 0, 2 ** 29, Symbol('s')]) {
    test(`counting semaphore: a max of ${describeCount(count)} is refused`, () => {
        const isBad = errorWith('HF_BAD_COUNT', /max must be a whole number from 1 to 536870911, not /);
        assert.throws(() => new CountingSemaphore({ max: count }), isBad);
        assert.throws(() => new CountingSemaphore({ initial: 0, max: count }), isBad);
    });
}

test('counting semaphore: options without initial and max, or with initial above max, are refused', () => {
    const isBad = errorWith('HF_BAD_COUNT', /whole number/);
    const Semaphore = /** @type {any} */ (CountingSemaphore);
    assert.throws(() => new Semaphore(), isBad);
    assert.throws(() => new Semaphore(), isBad);
    assert.throws(() => new Semaphore({}), isBad);
    assert.throws(() => new CountingSemaphore({ initial: 0 }), isBad);
    const tooMany = errorWith('HF_BAD_COUNT', /initial must be a whole number from 0 to 3, not 4/);
    assert.throws(() => new CountingSemaphore({ initial: 4, max: 3 }), tooMany);
    assert.throws(() => new CountingSemaphore({ initial: -1, max: 3 }), isBad);
});

for (const count of [...NO_COUNTS, 2 ** 31, Symbol('s')]) {
    test(`latch: a count of ${describeCount(count)} is refused`, () => {
        const isBad = errorWith('HF_BAD_COUNT', /count must be a whole number from 0 to 2147483647/);
        assert.throws(() => new Latch({ count }), isBad);
    });
}

for (const count of [...NO_COUNTS, 0, Symbol('s')]) {
    test(`latch: a countdown by ${describeCount(count)} is refused`, async () => {
        const latch = new Latch({ count: 3 });
        const isBad = errorWith('HF_BAD_COUNT', /by must be a whole number from 1 to 2147483647/);
        await changesNothing(latch, () => assert.throws(() => latch.countDown(count), isBad));
    });
}

for (const parties of [...NO_COUNTS, 0, undefined, Symbol('s')]) {
    test(`barrier: ${describeCount(parties)} parties are refused`, () => {
        const isBad = errorWith('HF_BAD_COUNT', /parties must be a whole number from 1 to 65535/);
        assert.throws(() => new Barrier({ parties }), isBad);
        assert.throws(() => Barrier.at(new LockSpace().memory, 1024, { parties }), isBad);
    });
}

test('barrier, latch: a call without options is refused', () => {
    const isBad = errorWith('HF_BAD_COUNT', /^(parties|count) must be .*, not undefined/);
    for (const Class of /** @type {any[]} */ ([Barrier, Latch])) {
        assert.throws(() => new Class(), isBad);
        assert.throws(() => new Class({ space: new LockSpace() }), isBad);
        assert.throws(() => new Class({}), isBad);
    }
});

for (const count of NO_COUNTS.filter((count) => count !== Infinity)) {
    test(`condition: a notify of ${describeCount(count)} is refused`, async () => {
        const condition = new Condition();
        const isBad = errorWith('HF_BAD_COUNT', /count must be a whole number from 0 to/);
        await changesNothing(condition, () => assert.throws(() => condition.notify(count), isBad));
    });
}

test('primitives: a constructor that refuses a number allocates nothing', () => {
    const space = new LockSpace();
    const next = space.alloc(16);
    space.free(next);
    for (const make of /** @type {(() => unknown)[]} */ ([
        () => new BinarySemaphore({ space, initial: 2 }),
        () => new CountingSemaphore({ space, max: 0 }),
        () => new Latch({ space, count: -1 }),
        () => new Barrier({ space, parties: 0 }),
        () => new Event({ space, autoReset: /** @type {any} */ (1) }),
    ])) {
        assert.throws(make, ({ code }) => code === 'HF_BAD_COUNT' || code === 'HF_BAD_OPTION');
    }
    assert.equal(space.alloc(16), next);
});

/* Other arguments */

for (const autoReset of /** @type {any[]} */ ([null, 0, 1, 'true', {}, Symbol('s')])) {
    test(`event: an autoReset that is ${String(autoReset)} (${typeof autoReset}) is refused`, () => {
        const isBad = errorWith(
            'HF_BAD_OPTION',
            /autoReset must be true or false, not (?:null|0|1|'true'|an object|Symbol\(s\))\.$/,
        );
        assert.throws(() => new Event({ autoReset }), isBad);
    });
}

for (const mode of /** @type {any[]} */ ([null, 0, 'read', 'SHARED', {}, Symbol('s')])) {
    test(`rwlock: a mode that is ${String(mode)} (${typeof mode}) is refused`, async () => {
        const lock = new RwLock();
        const isBad = errorWith('HF_BAD_OPTION', /mode must be 'shared', 'upgradable' or 'exclusive', not /);
        assert.throws(() => lock.exec(assert.fail, { mode }), isBad);
        assert.throws(() => lock.acquire({ mode }), isBad);
        await assert.rejects(lock.execAsync(assert.fail, { mode }), isBad);
        await assert.rejects(lock.acquireAsync({ mode }), isBad);
        assertFree(lock);
    });
}

const NO_CALLBACKS = /** @type {any[]} */ ([undefined, null, 7, 'word', {}, Symbol('s')]);

for (const callback of NO_CALLBACKS) {
    test(`primitives: a callback that is ${String(callback)} (${typeof callback}) is refused by all`, async () => {
        const isBad = errorWith('HF_BAD_CALLBACK', /A callback must be a function, not/);
        const [semaphore, lock, once] = [new BinarySemaphore(), new RwLock(), new Once()];
        await changesNothing(semaphore, async () => {
            assert.throws(() => semaphore.exec(callback), isBad);
            await assert.rejects(semaphore.execAsync(callback), isBad);
        });
        assert.throws(() => lock.exec(callback), isBad);
        await assert.rejects(lock.execAsync(callback), isBad);
        assertFree(lock);
        assert.throws(() => once.run(callback), isBad);
        await assert.rejects(once.runAsync(callback), isBad);
        once.run(() => {});
        assert.throws(() => once.run(callback), isBad);
        await assert.rejects(once.runAsync(callback), isBad);
    });

    if (callback !== undefined) {
        test(`condition: a predicate that is ${String(callback)} (${typeof callback}) is refused`, async () => {
            const [mutex, condition] = [new Mutex(), new Condition()];
            const isBad = errorWith('HF_BAD_CALLBACK', /callback must be a function/);
            mutex.lock();
            assert.throws(() => condition.waitFor(mutex, { predicate: callback }), isBad);
            await assert.rejects(condition.waitAsync(mutex, { predicate: callback }), isBad);
            assertFree(condition);
            mutex.unlock();
        });
    }
}

for (const options of /** @type {any[]} */ ([null, 7, 'options', Symbol('s')])) {
    test(`primitives: options that are ${String(options)} (${typeof options}) are refused by all`, async () => {
        const [semaphore, lock, mutex] = [new BinarySemaphore(), new RwLock(), new Mutex()];
        mutex.lock();
        /** @type {[names: string, request: () => Promise<unknown>][]} */
        const requests = [
            ['timeout, deadline, signal, permits', () => semaphore.enterAsync(options)],
            ['timeout, deadline, signal, permits', () => semaphore.execAsync(assert.fail, options)],
            ['timeout, deadline, signal, mode', () => lock.execAsync(assert.fail, options)],
            ['timeout, deadline, signal, mode', () => lock.acquireAsync(options)],
            ['mode', async () => lock.acquire(options)],
            ['timeout, deadline, mode', async () => lock.tryAcquire(options)],
            ['permits', async () => semaphore.enter(options)],
            ['permits', async () => semaphore.acquire(options)],
            ['permits', async () => semaphore.exec(assert.fail, options)],
            ['timeout, deadline, permits', async () => semaphore.tryEnter(options)],
            ['timeout, deadline, permits', async () => semaphore.tryAcquire(options)],
            ['timeout, deadline, predicate', async () => new Condition().waitFor(mutex, options)],
            ['timeout, deadline, signal, predicate', () => new Condition().waitAsync(mutex, options)],
            ['timeout, deadline, signal, ref', () => new Event().waitAsync(options)],
            ['timeout, deadline, signal, ref', () => new Event({ autoReset: true }).waitAsync(options)],
            ['timeout, deadline, signal, ref', () => new Latch({ count: 1 }).waitAsync(options)],
            ['timeout, deadline, signal', () => new Barrier({ parties: 2 }).arriveAndWaitAsync(options)],
            ['timeout, deadline, signal', () => new Once().runAsync(assert.fail, options)],
            ['timeout, deadline, signal', () => new Mutex().execAsync(assert.fail, options)],
            ['pages, threads', async () => new LockSpace(options)],
        ];
        for (const [names, request] of requests) {
            const says = new RegExp(`Pass { ${names} }, not `);
            await assert.rejects(request(), errorWith('HF_BAD_OPTION', says));
        }
        mutex.unlock();
        assert.equal(semaphore.value, 1);
        assertFree(lock);
    });
}

/* Sections and owners */

test('semaphore: exec with an async callback throws once the callback has returned, and returns the permit', () => {
    const semaphore = new BinarySemaphore();
    assert.throws(
        () => semaphore.exec(/** @type {any} */ (async () => {})),
        errorWith('HF_BAD_CALLBACK', /Use execAsync\(\)/),
    );
    assert.equal(semaphore.value, 1);
});

test('semaphore: leave without enter is refused, and changes nothing', async () => {
    const semaphore = new BinarySemaphore();
    await changesNothing(semaphore, () =>
        assert.throws(() => semaphore.leave(), errorWith('HF_OVERFLOW', /Return only acquired permits/)),
    );
});

test('rwlock: unlock by another thread is refused, and changes nothing', async (t) => {
    const lock = new RwLock();
    const board = makeBoard(3);
    const [held, release, released] = [0, 1, 2];
    startThread(t, 'rwlock-holder', { handle: lock.handle, board, held, release, released });
    await within(reached(board, held), 'the holder', [lock]);
    await changesNothing(lock, () => {
        assert.throws(
            () => lock.unlock(),
            errorWith('HF_NOT_OWNER', /does not hold RwLock at \d+ exclusively/),
        );
        assert.throws(
            () => lock.unlockShared(),
            errorWith('HF_NOT_OWNER', /Nobody holds RwLock at \d+ shared/),
        );
    });
    reach(board, release);
    await within(reached(board, released), 'the release', [lock]);
    assertFree(lock);
});

/* Callbacks whose work is not done when they return */

for (const [what, predicate] of /** @type {[string, any][]} */ ([
    ['an async function', async () => false],
    ['a function that returns a thenable', () => ({ then() {} })],
])) {
    test(`condition: a predicate that is ${what} is refused, with the mutex held`, async () => {
        const [mutex, condition] = [new Mutex(), new Condition()];
        const isBad = errorWith('HF_BAD_CALLBACK', /predicate returns true or false, not a promise/);
        mutex.lock();
        assert.throws(() => condition.waitFor(mutex, { predicate, timeout: 5 }), isBad);
        await assert.rejects(condition.waitAsync(mutex, { predicate, timeout: 5 }), isBad);
        let calls = 0;
        const later = () => (calls++ === 0 ? false : predicate());
        assert.throws(() => condition.waitFor(mutex, { predicate: later, timeout: 5 }), isBad);
        calls = 0;
        await assert.rejects(condition.waitAsync(mutex, { predicate: later, timeout: 5 }), isBad);
        calls = 0;
        const notified = condition.waitAsync(mutex, { predicate: later });
        condition.notify();
        await assert.rejects(within(notified, 'the wait', [condition, mutex]), isBad);
        mutex.unlock();
        assertFree(mutex);
    });
}

/* The mutex of a condition */

/** @param {Condition} condition @param {any} mutex @param {string} code @param {RegExp} words @param {() => boolean} predicate */
async function waitsAreRefused(condition, mutex, code, words, predicate = assert.fail) {
    const isBad = errorWith(code, words);
    await changesNothing(condition, async () => {
        assert.throws(() => condition.wait(mutex), isBad);
        assert.throws(() => condition.waitFor(mutex, { timeout: 5 }), isBad);
        assert.throws(() => condition.waitFor(mutex, { predicate }), isBad);
        await assert.rejects(condition.waitAsync(mutex), isBad);
        await assert.rejects(condition.waitAsync(mutex, { predicate }), isBad);
    });
}

for (const [what, mutex] of /** @type {[string, any][]} */ ([
    ['undefined', undefined],
    ['null', null],
    ['a number', 7],
    ['an empty object', {}],
    ['an RwLock', new RwLock()],
    ['a semaphore', new BinarySemaphore()],
    ['a handle', new Mutex().handle],
])) {
    test(`condition: ${what} in place of a mutex is refused`, async () => {
        await waitsAreRefused(new Condition(), mutex, 'HF_BAD_MUTEX', /waits with a Mutex, not/);
    });
}

test('condition: a wait with a mutex that nobody holds is refused', async () => {
    const mutex = new Mutex();
    await waitsAreRefused(
        new Condition(),
        mutex,
        'HF_NOT_OWNER',
        /does not hold Mutex at \d+\. Lock it before the wait/,
    );
    assertFree(mutex);
});

test('condition: a wait with a mutex that another thread holds is refused', async (t) => {
    const space = new LockSpace();
    const mutex = new Mutex({ space });
    const board = makeBoard(3);
    const [held, release, released] = [0, 1, 2];
    startThread(t, 'holder', { handle: mutex.handle, board, held, release, released });
    await within(reached(board, held), 'the holder', [mutex]);
    await changesNothing(mutex, () =>
        waitsAreRefused(
            new Condition({ space }),
            mutex,
            'HF_NOT_OWNER',
            /does not hold .*Lock it before the wait/,
        ),
    );
    reach(board, release);
    await within(reached(board, released), 'the release', [mutex]);
});

test('condition: beyond the maximum of waiters a wait is refused, and the mutex stays held', async () => {
    const [mutex, condition] = [new Mutex(), new Condition()];
    const words = new BigUint64Array(condition.memory.buffer, condition.byteOffset, 1);
    words[0] = BigInt(CONDITION_MOST_WAITERS) << BigInt(CONDITION_WAITERS_SHIFT);
    mutex.lock();
    const held = wordsOf(mutex);
    await waitsAreRefused(condition, mutex, 'HF_OVERFLOW', /room for 262143 waits/, () => false);
    assert.deepEqual(wordsOf(mutex), held);
    mutex.unlock();
});

/* Threads that may not block. Each is a process that pretends to be such a thread. */

for (const prelude of ['page', 'audio-worklet', 'no-wait']) {
    test(`primitives: blocking calls throw before they change a word, in a thread that may not block (${prelude})`, async () => {
        const { code, stdout, stderr } = await runChild('family-may-block-report', [prelude]);
        assert.equal(code, 0, stderr);
        /** @type {{ refused: { name: string, call: string, instead: string, code?: string, message?: string, untouched: boolean }[], worked: Record<string, string> }} */
        const { refused, worked } = JSON.parse(stdout);
        assert.ok(refused.length > 20);
        for (const { name, call, instead, code: got, message, untouched } of refused) {
            const where = `${name}: ${call}: ${message}`;
            assert.equal(got, 'HF_MAY_NOT_BLOCK', where);
            assert.ok(message?.includes(`${instead}()`), where);
            assert.ok(untouched, where);
        }
        for (const [what, outcome] of Object.entries(worked)) {
            assert.equal(outcome, 'works', what);
        }
    });
}
