/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect as shownInConsole } from 'node:util';
import { debug, inspect } from '../../js-glue/debug.js';
import { Condition, LockSpace, Mutex, RecursiveMutex } from '../../js-glue/index.js';
import { RECURSIVE_MUTEX_DEPTH_OFFSET, RECURSIVE_MUTEX_MOST } from '../../js-glue/memory/layout.js';
import { trace } from '../../js-glue/trace.js';
import { makeBoard, reached } from '../support/board.js';
import { errorWith } from '../support/errors.js';
import { isTold, LIMIT_MS, startMortal } from '../support/mortal.js';
import { messageOf, startThread } from '../support/thread.js';
import { EntryObserver } from '../support/trace-entries.js';
import { within } from '../support/watchdog.js';
import { assertFree, wordsOf } from '../support/words.js';

/* The recursive mutex adds depths to the mutex inside it. */

const notMine = errorWith('HF_NOT_OWNER', /This thread does not hold RecursiveMutex /);

/**
 * @param {import('node:test').TestContext} t
 * @param {RecursiveMutex} mutex
 * @param {object} data with the task
 */
function startUser(t, mutex, data) {
    return startThread(t, 'recursive-user', { handle: mutex.handle, ...data });
}

/**
 * Checks that another thread sees the mutex as held.
 *
 * @param {import('node:test').TestContext} t
 * @param {RecursiveMutex} mutex
 */
async function assertHeldForOthers(t, mutex) {
    const before = mutex.depth;
    const found = await messageOf(startUser(t, mutex, { task: 'looks' }), 'a look', [mutex]);
    assert.deepEqual(found, { depth: 0, tried: false, waited: false, unlocked: 'HF_NOT_OWNER' });
    assert.equal(mutex.depth, before);
}

/** @param {RecursiveMutex} mutex @param {number} depth */
function setDepth(mutex, depth) {
    new Int32Array(mutex.memory.buffer, mutex.byteOffset + RECURSIVE_MUTEX_DEPTH_OFFSET, 1)[0] = depth - 1;
}

test('recursive mutex: the mutex is free after as many unlocks as locks', async (t) => {
    const mutex = new RecursiveMutex();
    assert.equal(mutex.depth, 0);
    mutex.lock();
    assert.equal(mutex.tryLock(), true);
    assert.equal(mutex.tryLock(50), true);
    mutex.lock();
    for (let depth = 4; depth > 0; depth -= 1) {
        assert.equal(mutex.depth, depth);
        if (depth === 3 || depth === 1) {
            await assertHeldForOthers(t, mutex);
        }
        mutex.unlock();
    }
    assert.equal(mutex.depth, 0);
    assertFree(mutex);
    assert.throws(() => mutex.unlock(), notMine);
    assertFree(mutex);
});

test('recursive mutex: all objects of one lock in this thread have the same owner', () => {
    const mutex = new RecursiveMutex();
    const other = RecursiveMutex.from(mutex.handle);
    const third = RecursiveMutex.at(mutex.memory, mutex.byteOffset);
    mutex.lock();
    other.lock();
    third.exec(() => assert.deepEqual([mutex.depth, other.depth, third.depth], [3, 3, 3]));
    mutex.unlock();
    other.unlock();
    assertFree(mutex);
});

test('recursive mutex: a lock() beyond the greatest depth throws HF_OVERFLOW, and changes nothing', () => {
    const mutex = new RecursiveMutex();
    const isFull = errorWith('HF_OVERFLOW', /2147483647 times, the maximum\. Call unlock\(\)/);
    mutex.lock();
    setDepth(mutex, RECURSIVE_MUTEX_MOST - 1);
    mutex.lock();
    assert.equal(mutex.depth, RECURSIVE_MUTEX_MOST);
    const words = wordsOf(mutex);
    assert.throws(() => mutex.lock(), isFull);
    assert.throws(() => mutex.tryLock(), isFull);
    assert.throws(() => mutex.tryLock(5), isFull);
    assert.throws(() => mutex.exec(assert.fail), isFull);
    assert.deepEqual(wordsOf(mutex), words);
    mutex.unlock();
    mutex.lock();
    setDepth(mutex, 1);
    mutex.unlock();
    assertFree(mutex);
});

test('recursive mutex: exec releases once, whatever the callback does', () => {
    const mutex = new RecursiveMutex();
    const failure = new Error('of the callback');
    assert.equal(
        mutex.exec(() => mutex.exec(() => mutex.depth)),
        2,
    );
    assertFree(mutex);
    mutex.exec(() => {
        assert.throws(
            () =>
                mutex.exec(() => {
                    throw failure;
                }),
            failure,
        );
        assert.equal(mutex.depth, 1);
    });
    assertFree(mutex);
    mutex.exec(() => mutex.lock());
    assert.equal(mutex.depth, 1, 'what the callback locked itself is held');
    mutex.unlock();
    assertFree(mutex);
});

test('recursive mutex: a callback that unlocks more levels than it locked gets an error', () => {
    const mutex = new RecursiveMutex();
    assert.throws(() => mutex.exec(() => mutex.unlock()), notMine);
    assertFree(mutex);
    mutex.lock();
    assert.throws(() => mutex.exec(() => mutex.unlock()), notMine);
    assert.equal(mutex.depth, 1, 'and the level of its caller is left');
    mutex.unlock();
    assertFree(mutex);
});

for (const [what, callback, code] of /** @type {[string, any, string][]} */ ([
    ['a missing callback', undefined, 'HF_BAD_CALLBACK'],
    ['an object', {}, 'HF_BAD_CALLBACK'],
    ['an async function', async () => {}, 'HF_BAD_CALLBACK'],
])) {
    test(`recursive mutex: exec refuses ${what}`, () => {
        const mutex = new RecursiveMutex();
        assert.throws(() => mutex.exec(callback), { code });
        assertFree(mutex);
        mutex.lock();
        assert.throws(() => mutex.exec(callback), { code });
        assert.equal(mutex.depth, 1);
    });
}

for (const timeout of /** @type {any[]} */ ([NaN, '5', 5n, { timeout: '5' }])) {
    test(`recursive mutex: a timeout of ${String(timeout)} (${typeof timeout}) is refused, even for its owner`, () => {
        const mutex = new RecursiveMutex();
        assert.throws(() => mutex.tryLock(timeout), { code: 'HF_BAD_TIMEOUT' });
        assertFree(mutex);
        mutex.lock();
        assert.throws(() => mutex.tryLock(timeout), { code: 'HF_BAD_TIMEOUT' });
        assert.equal(mutex.depth, 1);
    });
}

test('recursive mutex: the class has no async methods', () => {
    const mutex = /** @type {any} */ (new RecursiveMutex());
    for (const method of ['execAsync', 'executeLocked', 'acquireAsync', 'recoverAsync']) {
        assert.throws(() => mutex[method](() => {}), TypeError);
    }
});

test('recursive mutex: handles of other classes are refused', () => {
    const handle = /** @type {any} */ (new Mutex().handle);
    assert.throws(() => RecursiveMutex.from(handle), { code: 'HF_BAD_HANDLE', message: /that of a Mutex/ });
});

test('recursive mutex: threads that nest to random depths exclude each other', async (t) => {
    const [threads, times] = [3, 4000];
    const mutex = new RecursiveMutex();
    const board = makeBoard(2);
    const users = Array.from({ length: threads }, () =>
        startUser(t, mutex, { task: 'counts', board, times }),
    );
    const depths = await Promise.all(users.map((user) => messageOf(user, 'the counts', [mutex])));
    assert.deepEqual(depths, [0, 0, 0]);
    assert.deepEqual([...board], [threads * times, threads * times]);
    assertFree(mutex);
});

test('recursive mutex: a blocked thread acquires the mutex at the last unlock, with depth 1', async (t) => {
    const mutex = new RecursiveMutex();
    const board = makeBoard(1);
    mutex.lock();
    mutex.lock();
    const user = startUser(t, mutex, { task: 'blocks', board });
    const told = messageOf(user, 'the lock', [mutex]);
    await within(reached(board, 0), 'a thread that blocks', [mutex]);
    mutex.unlock();
    await assertHeldForOthers(t, mutex);
    mutex.unlock();
    assert.equal(await told, 1);
    assertFree(mutex);
});

/* Death */

/** @param {import('node:test').TestContext} t */
async function makeAbandoned(t) {
    const mutex = new RecursiveMutex();
    await startMortal(t, mutex, { holds: 'deep' });
    assert.throws(() => mutex.lock(), isTold);
    assert.equal(mutex.depth, 0);
    return mutex;
}

test('recursive mutex: recovery from a thread that died at depth 3 gives depth 1', async (t) => {
    const mutex = await makeAbandoned(t);
    assert.throws(() => mutex.tryLock(LIMIT_MS), isTold);
    assert.throws(() => mutex.exec(assert.fail), isTold);
    const repaired = mutex.recover(() => {
        assert.equal(mutex.depth, 1);
        mutex.exec(() => assert.equal(mutex.depth, 2));
        assert.throws(() => mutex.unlock(), errorWith('HF_NOT_OWNER', /callback holds \w+ at \d+/));
        assert.equal(mutex.depth, 1);
    });
    assert.equal(repaired, true);
    assertFree(mutex);
    assert.equal(mutex.recover(assert.fail), false);
    mutex.exec(() => assert.equal(mutex.recover(assert.fail), false));
    assertFree(mutex);
});

test('recursive mutex: after a repair that throws, the next caller gets HF_ABANDONED again', async (t) => {
    const mutex = await makeAbandoned(t);
    const failure = new Error('of the repair');
    const repair = () => {
        mutex.lock();
        throw failure;
    };
    assert.throws(() => mutex.recover(repair), failure);
    assert.equal(mutex.depth, 0);
    assert.throws(() => mutex.lock(), isTold);
    assert.equal(
        mutex.recover(() => assert.equal(mutex.depth, 1)),
        true,
    );
    mutex.exec(() => assert.equal(mutex.depth, 1));
    assertFree(mutex);
});

test('recursive mutex: a lock() by a Mutex at its address has depth 1, even after a death', async (t) => {
    const mutex = await makeAbandoned(t);
    Mutex.at(mutex.memory, mutex.byteOffset).recover(() => {}); // a Mutex does not write the depth
    mutex.lock();
    assert.equal(mutex.depth, 1);
    mutex.unlock();
    assertFree(mutex);
});

/* Conditions */

test('recursive mutex: a condition wait with a recursive mutex works at depth 1', async (t) => {
    const space = new LockSpace();
    const [mutex, condition, board] = [new RecursiveMutex({ space }), new Condition({ space }), makeBoard(1)];
    const user = startUser(t, mutex, { task: 'notifies', condition: condition.handle, board });
    mutex.lock();
    const told = messageOf(user, 'the end of the notifier', [mutex, condition]);
    assert.equal(
        condition.waitFor(mutex, { timeout: LIMIT_MS, predicate: () => Atomics.load(board, 0) === 1 }),
        true,
    );
    assert.equal(mutex.depth, 1);
    assert.equal(condition.waitFor(mutex, { timeout: 5 }), false);
    assert.equal(mutex.depth, 1);
    mutex.unlock();
    assert.equal(await told, 0);
    assertFree(mutex);
});

test('recursive mutex: a condition wait above depth 1 throws HF_DEADLOCK, and changes nothing', () => {
    const space = new LockSpace();
    const [mutex, condition] = [new RecursiveMutex({ space }), new Condition({ space })];
    const isDeep = errorWith('HF_DEADLOCK', /locked RecursiveMutex at \d+ 2 times.*Wait at depth 1/);
    mutex.exec(() =>
        mutex.exec(() => {
            const words = [...wordsOf(mutex), ...wordsOf(condition)];
            assert.throws(() => condition.waitFor(mutex, { timeout: 5 }), isDeep); // first, since it cannot hang
            assert.throws(() => condition.wait(mutex), isDeep);
            assert.throws(() => condition.waitFor(mutex, { timeout: 5, predicate: () => false }), isDeep);
            assert.deepEqual([...wordsOf(mutex), ...wordsOf(condition)], words);
        }),
    );
    assert.throws(
        () => condition.wait(mutex),
        errorWith('HF_NOT_OWNER', /does not hold .*Lock it before the wait/),
    );
    assertFree(mutex);
});

test('recursive mutex: waitAsync of a condition refuses a recursive mutex', async () => {
    const space = new LockSpace();
    const [mutex, condition] = [new RecursiveMutex({ space }), new Condition({ space })];
    mutex.lock();
    await assert.rejects(
        condition.waitAsync(/** @type {any} */ (mutex)),
        errorWith('HF_BAD_MUTEX', /Use a Mutex, or wait\(\) in a worker/),
    );
    assert.equal(mutex.depth, 1);
});

test('recursive mutex: a condition of another memory can wait with a recursive mutex', () => {
    const mutex = new RecursiveMutex({ space: new LockSpace() });
    mutex.lock();
    assert.equal(new Condition({ space: new LockSpace() }).waitFor(mutex, { timeout: 1 }), false);
    assert.equal(mutex.depth, 1);
    mutex.unlock();
});

test('recursive mutex: inspect shows the holder and the depth', async (t) => {
    t.after(debug());
    const space = new LockSpace();
    const mutex = RecursiveMutex.named(space, 'tree');
    const only = () => inspect(space).objects.find(({ name }) => name === 'tree');
    assert.equal(only()?.depth, undefined);
    mutex.lock();
    mutex.lock();
    assert.equal(only()?.kind, 'RecursiveMutex');
    assert.equal(only()?.depth, 2);
    assert.match(shownInConsole(mutex), /^RecursiveMutex 'tree', held by .+, depth 2$/);
    mutex.unlock();
    mutex.unlock();
    assert.match(shownInConsole(mutex), /^RecursiveMutex 'tree', free$/);
    assert.equal(RecursiveMutex.named(space, 'tree').byteOffset, mutex.byteOffset);
    assert.throws(() => Mutex.named(space, 'tree'), { code: 'HF_BAD_NAME' });
    await startMortal(t, mutex, { holds: 'deep' });
    assert.throws(() => mutex.lock(), isTold);
    assert.match(shownInConsole(mutex), /^RecursiveMutex 'tree', abandoned by .+, depth 3$/);
});

test('recursive mutex: trace shows each level', (t) => {
    const observer = new EntryObserver();
    t.after(() => observer.stop());
    const mutex = new RecursiveMutex();
    const stop = trace(mutex, { minimum: 0 });
    mutex.lock();
    mutex.exec(() => mutex.tryLock());
    mutex.unlock();
    mutex.unlock();
    stop();
    assertFree(mutex);
    const held = observer.take().filter(({ activity }) => activity === 'hold');
    assert.deepEqual(
        held.map(({ method }) => method),
        ['exec', 'tryLock', 'lock'],
    );
});

test('recursive mutex: the bytes of a mutex can be freed and used again', () => {
    const space = new LockSpace();
    const mutex = new RecursiveMutex({ space });
    mutex.exec(() => mutex.lock());
    mutex.unlock();
    space.free(mutex);
    const next = new RecursiveMutex({ space });
    assert.equal(next.byteOffset, mutex.byteOffset);
    assertFree(next);
});
