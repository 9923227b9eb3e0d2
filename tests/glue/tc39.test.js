/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startThread } from '../support/thread.js';
import { shape } from '../support/tc39-shape.js';
import { within } from '../support/watchdog.js';

/* The mutex and the condition of the TC39 proposal, in any implementation: tests/runtimes/engines.test.js
 * also runs this file with V8's. tc39-tokens.test.js tests what only this package has. */

/** @type {<T>(promise: PromiseLike<T>) => Promise<T>} */
const met = (promise) => within(promise, 'a lock or a notify', []);

/** Skips a test if V8 lacks one of these methods. @param {string[]} names */
function needs(...names) {
    const lacking = names.filter((name) => shape.lacks.includes(name));
    return { skip: lacking.length > 0 && `this V8 has no ${lacking.join(', ')}` };
}

const makeWords = () => new Int32Array(new SharedArrayBuffer(12));

/**
 * @param {import('node:test').TestContext} t
 * @param {string} does
 * @param {any} mutex
 * @param {{ condition?: any, words: Int32Array, rounds?: number }} more
 */
function startUser(t, does, mutex, { condition, ...more }) {
    const posted = { mutex: shape.toPost(mutex), condition: condition && shape.toPost(condition) };
    const worker = startThread(t, 'tc39-user', { does, ...posted, ...more });
    /** @type {unknown[]} */
    const messages = [];
    worker.on('message', (message) => messages.push(message));
    return {
        /** @returns {Promise<any>} */
        async next() {
            while (messages.length === 0) {
                await new Promise((resolve) => worker.once('message', resolve));
            }
            return messages.shift();
        },
    };
}

/** @param {() => boolean} isTrue */
async function until(isTrue) {
    while (!isTrue()) {
        await sleep(1);
    }
}

/** @param {any} mutex */
const isFree = (mutex) => shape.lockIfAvailable(mutex, 0, () => {}).success;

test('tc39: lock returns the result of its section, and unlocks', () => {
    const mutex = shape.makeMutex();
    assert.equal(
        shape.lock(mutex, () => 42),
        42,
    );
    assert.ok(isFree(mutex));
});

test('tc39: a section that throws unlocks', () => {
    const mutex = shape.makeMutex();
    const error = new Error('thrown in a section');
    const fail = () => {
        throw error;
    };
    assert.throws(() => shape.lock(mutex, fail), error);
    assert.throws(() => shape.lockIfAvailable(mutex, 0, fail), error);
    assert.ok(isFree(mutex));
});

test('tc39: a thread that locks a mutex it holds gets a TypeError', () => {
    const mutex = shape.makeMutex();
    shape.lock(mutex, () => assert.throws(() => shape.lock(mutex, () => {}), TypeError));
    assert.ok(isFree(mutex));
});

test('tc39: lockIfAvailable without a timeout returns false on a mutex that this thread holds', () => {
    const mutex = shape.makeMutex();
    shape.lock(mutex, () => assert.equal(isFree(mutex), false));
});

test(
    'tc39: lockIfAvailable with a timeout on a mutex that this thread holds is a TypeError',
    needs('lockWithTimeout'),
    () => {
        const mutex = shape.makeMutex();
        shape.lock(mutex, () => assert.throws(() => shape.lockIfAvailable(mutex, 1, () => {}), TypeError));
    },
);

test(
    'tc39: lockIfAvailable gives up at its timeout if another thread holds the mutex',
    needs('lockWithTimeout'),
    async (t) => {
        const mutex = shape.makeMutex();
        const words = makeWords();
        const user = startUser(t, 'hold', mutex, { words });
        assert.equal(await met(user.next()), 'holds');
        assert.equal(isFree(mutex), false);
        const begin = performance.now();
        assert.deepEqual(
            shape.lockIfAvailable(mutex, 20, () => 'run'),
            { success: false, value: undefined },
        );
        assert.ok(performance.now() - begin >= 19, 'it has waited');
        Atomics.store(words, 2, 1);
        Atomics.notify(words, 2);
        assert.deepEqual(
            shape.lockIfAvailable(mutex, 10_000, () => 'run'),
            { success: true, value: 'run' },
        );
    },
);

test('tc39: threads that increment a counter under the mutex lose no update', async (t) => {
    const mutex = shape.makeMutex();
    const words = makeWords();
    const rounds = 5000;
    const users = [0, 1, 2].map(() => startUser(t, 'count', mutex, { words, rounds }));
    for (const user of users) {
        assert.deepEqual(await met(user.next()), { done: 0 });
    }
    assert.deepEqual([words[0], words[1]], [3 * rounds, 3 * rounds]);
});

test('tc39: notify(n) releases n waiters, and returns their number', async (t) => {
    const mutex = shape.makeMutex();
    const condition = shape.makeCondition();
    const words = makeWords();
    assert.equal(shape.notify(condition), 0);
    Array.from({ length: 4 }, () => startUser(t, 'wait', mutex, { condition, words }));
    const waiting = () => shape.lock(mutex, () => words[0] ?? 0);
    const released = () => shape.lock(mutex, () => words[1] ?? 0);
    await met(until(() => waiting() === 4));
    assert.equal(shape.notify(condition, 1), 1);
    await met(until(() => released() === 1));
    assert.equal(shape.notify(condition, 2), 2);
    await met(until(() => released() === 3));
    assert.equal(shape.notify(condition, Infinity), 1);
    await met(until(() => released() === 4));
    assert.equal(shape.notify(condition), 0);
});

test('tc39: notify of 0 releases nobody', needs('a notify of none'), async (t) => {
    const mutex = shape.makeMutex();
    const condition = shape.makeCondition();
    const words = makeWords();
    const user = startUser(t, 'wait', mutex, { condition, words });
    await met(until(() => shape.lock(mutex, () => words[0]) === 1));
    assert.equal(shape.notify(condition, 0), 0);
    assert.equal(shape.notify(condition, -1), 0);
    assert.equal(shape.notify(condition), 1);
    assert.deepEqual(await met(user.next()), { done: undefined });
});

test('tc39: a timed wait without a notify returns false, with the mutex held', () => {
    const mutex = shape.makeMutex();
    const condition = shape.makeCondition();
    shape.lock(mutex, (held) => {
        assert.equal(shape.waitFor(condition, held, 10), false);
        assert.throws(() => shape.lock(mutex, () => {}), TypeError);
    });
    assert.ok(isFree(mutex));
    assert.equal(shape.notify(condition), 0);
});

test('tc39: an invalid mutex, condition, function or number is a TypeError', needs('lockWithTimeout'), () => {
    const mutex = shape.makeMutex();
    const condition = shape.makeCondition();
    const run = () => {};
    for (const other of [undefined, null, 1, {}, condition]) {
        assert.throws(() => shape.lock(other, run), TypeError);
        assert.throws(() => shape.lockIfAvailable(other, 0, run), TypeError);
    }
    for (const other of [undefined, null, 1, {}, mutex]) {
        assert.throws(() => shape.notify(other), TypeError);
        shape.lock(mutex, (held) => assert.throws(() => shape.wait(other, held), TypeError));
    }
    for (const timeout of ['1', {}, null]) {
        assert.throws(() => shape.lockIfAvailable(mutex, /** @type {any} */ (timeout), run), TypeError);
        shape.lock(mutex, (held) => {
            assert.throws(() => shape.waitFor(condition, held, /** @type {any} */ (timeout)), TypeError);
        });
    }
    assert.ok(isFree(mutex));
});

test('tc39: lockAsync never runs its callback before it returns', needs('lockAsync'), async () => {
    const mutex = shape.makeMutex();
    /** @type {string[]} */
    const order = [];
    const released = shape.lockAsync(mutex, () => order.push('run'));
    order.push('returned');
    await met(released);
    assert.deepEqual(order, ['returned', 'run']);
});

test(
    'tc39: lockAsync holds the mutex until the promise of its callback settles, and resolves with its result',
    needs('lockAsync'),
    async () => {
        const mutex = shape.makeMutex();
        let isOver = false;
        const released = shape.lockAsync(mutex, async () => {
            await sleep(5);
            isOver = true;
            return 'result';
        });
        const next = shape.lockAsync(mutex, () => isOver);
        assert.equal(await met(released), 'result');
        assert.equal(await met(next), true);
        assert.ok(isFree(mutex));
    },
);

test('tc39: lockAsync rejects with the error of its callback, and unlocks', needs('lockAsync'), async () => {
    const mutex = shape.makeMutex();
    const error = new RangeError('thrown in a section');
    const fail = () => {
        throw error;
    };
    await assert.rejects(met(shape.lockAsync(mutex, fail)), error);
    await assert.rejects(met(shape.lockAsync(mutex, async () => fail())), error);
    assert.ok(isFree(mutex));
});

test('tc39: requests of lockAsync on one thread run in the order made', needs('lockAsync'), async () => {
    const mutex = shape.makeMutex();
    /** @type {number[]} */
    const order = [];
    const all = [0, 1, 2, 3].map((at) => shape.lockAsync(mutex, async () => void order.push(at)));
    await met(Promise.all(all));
    assert.deepEqual(order, [0, 1, 2, 3]);
});

test('tc39: lockAsync waits for a blocking thread that holds the mutex', needs('lockAsync'), async (t) => {
    const mutex = shape.makeMutex();
    const words = makeWords();
    const user = startUser(t, 'hold', mutex, { words });
    assert.equal(await met(user.next()), 'holds');
    const got = shape.lockAsync(mutex, () => 'got');
    Atomics.store(words, 2, 1);
    Atomics.notify(words, 2);
    assert.equal(await met(got), 'got');
});

test('tc39: waitAsync releases the mutex, and holds it again once notified', needs('waitAsync'), async () => {
    const mutex = shape.makeMutex();
    const condition = shape.makeCondition();
    /** @type {string[]} */
    const order = [];
    const waits = shape.lockAsync(mutex, async () => {
        order.push('waits');
        assert.equal(await shape.waitAsync(condition, mutex), undefined);
        order.push('notified');
    });
    const changes = shape.lockAsync(mutex, async () => {
        order.push('changes');
        assert.equal(shape.notify(condition), 1);
    });
    await met(Promise.all([waits, changes]));
    assert.deepEqual(order, ['waits', 'changes', 'notified']);
    assert.ok(isFree(mutex));
});

test('tc39: waitAsync without the mutex is a TypeError', needs('waitAsync'), async () => {
    const mutex = shape.makeMutex();
    await assert.rejects(met(shape.waitAsync(shape.makeCondition(), mutex)), TypeError);
});
