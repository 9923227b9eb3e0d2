/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { AbandonedError, Condition as OwnCondition, Mutex as OwnMutex } from '../../js-glue/index.js';
import { Condition, Mutex } from '../../js-glue/tc39.js';
import { runChild } from '../support/child.js';
import { errorWith } from '../support/errors.js';
import { startMortal } from '../support/mortal.js';
import { within } from '../support/watchdog.js';

/* Tokens and predicates, which the proposal has but no engine yet; and handles, codes and reports of dead
 * threads, which only this package has. tc39.test.js tests what engines have too. */

const { UnlockToken } = Mutex;
/** @type {typeof Symbol.dispose} */
const dispose = /** @type {any} */ (Symbol.dispose ?? Symbol.for('Symbol.dispose'));

/** @param {string} code */
function typeErrorWith(code) {
    return (/** @type {any} */ error) => {
        assert.ok(error instanceof TypeError, `no TypeError: ${error}`);
        assert.equal(/** @type {any} */ (error).code, code);
        return true;
    };
}

/** @param {Mutex} mutex */
const isFree = (mutex) => Mutex.lockIfAvailable(mutex, 0)?.unlock() === true;

test('tc39: a token unlocks once', () => {
    const mutex = new Mutex();
    const token = Mutex.lock(mutex);
    assert.ok(token instanceof UnlockToken);
    assert.equal(token.locked, true);
    assert.equal(token.unlock(), true);
    assert.equal(token.locked, false);
    assert.equal(token.unlock(), false);
    assert.ok(isFree(mutex));
});

test('tc39: the end of a `using` block unlocks', () => {
    const mutex = new Mutex();
    const token = Mutex.lock(mutex);
    assert.equal(token[dispose](), undefined);
    assert.equal(token.locked, false);
    assert.equal(token[dispose](), undefined);
    assert.ok(isFree(mutex));
});

test('tc39: an empty token can be reused, for any mutex', () => {
    const token = new UnlockToken();
    assert.equal(token.locked, false);
    for (const mutex of [new Mutex(), new Mutex()]) {
        assert.equal(Mutex.lock(mutex, token), token);
        assert.equal(token.unlock(), true);
        assert.equal(Mutex.lockIfAvailable(mutex, 0, token), token);
        assert.equal(token.unlock(), true);
        assert.ok(isFree(mutex));
    }
});

test('tc39: a token that is locked or invalid is refused, and nothing is locked', () => {
    const [held, mutex] = [new Mutex(), new Mutex()];
    const token = Mutex.lock(held);
    for (const wrong of [token, {}, null, 0]) {
        assert.throws(() => Mutex.lock(mutex, /** @type {any} */ (wrong)), typeErrorWith('HF_BAD_TOKEN'));
        assert.throws(
            () => Mutex.lockIfAvailable(mutex, 0, /** @type {any} */ (wrong)),
            typeErrorWith('HF_BAD_TOKEN'),
        );
    }
    assert.ok(isFree(mutex));
    token.unlock();
});

test('tc39: a condition wait needs a locked token', () => {
    const condition = new Condition();
    for (const wrong of [new UnlockToken(), undefined, new Mutex()]) {
        assert.throws(
            () => Condition.wait(condition, /** @type {any} */ (wrong)),
            typeErrorWith('HF_BAD_TOKEN'),
        );
        assert.throws(
            () => Condition.waitFor(condition, /** @type {any} */ (wrong), 0),
            typeErrorWith('HF_BAD_TOKEN'),
        );
    }
});

test('tc39: a timeout of NaN is no limit, and a negative one does not wait', () => {
    const mutex = new Mutex();
    for (const timeout of [NaN, Infinity, 0, -1, -Infinity, 0.5]) {
        assert.equal(Mutex.lockIfAvailable(mutex, timeout)?.unlock(), true);
    }
    const condition = new Condition();
    const token = Mutex.lock(mutex);
    for (const timeout of [0, -1, -Infinity, 0.5]) {
        assert.equal(Condition.waitFor(condition, token, timeout), false);
    }
    let left = 3;
    assert.equal(
        Condition.waitFor(condition, token, NaN, () => left-- === 3),
        true,
    );
    assert.throws(
        () => Condition.waitFor(condition, token, /** @type {any} */ ('1')),
        typeErrorWith('HF_BAD_TIMEOUT'),
    );
    token.unlock();
});

test('tc39: waitFor calls its predicate with the mutex held, and returns its last result', () => {
    const mutex = new Mutex();
    const condition = new Condition();
    const token = Mutex.lock(mutex);
    let asked = 0;
    const isTrue = () => {
        asked += 1;
        assert.throws(() => Mutex.lock(mutex), typeErrorWith('HF_DEADLOCK'));
        return false;
    };
    assert.equal(Condition.waitFor(condition, token, 5, isTrue), false);
    assert.ok(asked >= 2, `asked ${asked} times`);
    assert.equal(
        Condition.waitFor(condition, token, 0, () => true),
        true,
    );
    assert.equal(token.unlock(), true);
});

test('tc39: an error of the predicate is passed on unchanged', () => {
    const mutex = new Mutex();
    const condition = new Condition();
    const token = Mutex.lock(mutex);
    const unlocked = new OwnMutex();
    const fail = () => {
        unlocked.unlock(); // an error of holdfast, but not of this call
        return true;
    };
    assert.throws(
        () => Condition.waitFor(condition, token, 1, fail),
        errorWith('HF_NOT_OWNER', /This thread does not hold Mutex at \d+\./),
    );
    for (const wrong of [1, {}, null, async () => true]) {
        assert.throws(
            () => Condition.waitFor(condition, token, 1, /** @type {any} */ (wrong)),
            typeErrorWith('HF_BAD_CALLBACK'),
        );
    }
    assert.equal(token.unlock(), true);
});

test('tc39: notify takes whole numbers and Infinity', () => {
    const condition = new Condition();
    for (const count of [undefined, 0, -3, 7, 2 ** 40, Infinity]) {
        assert.equal(Condition.notify(condition, count), 0);
    }
    for (const wrong of [0.5, NaN, -Infinity, '1', null]) {
        assert.throws(
            () => Condition.notify(condition, /** @type {any} */ (wrong)),
            typeErrorWith('HF_BAD_COUNT'),
        );
    }
});

test("tc39: errors have the `code` of holdfast's errors", async () => {
    const mutex = new Mutex();
    const token = Mutex.lock(mutex);
    assert.throws(() => Mutex.lock(mutex), typeErrorWith('HF_DEADLOCK'));
    assert.throws(() => Mutex.lockIfAvailable(mutex, 1), typeErrorWith('HF_DEADLOCK'));
    assert.throws(() => Mutex.lock(/** @type {any} */ (new OwnMutex())), typeErrorWith('HF_BAD_MUTEX'));
    assert.throws(
        () => Condition.wait(/** @type {any} */ (new OwnCondition()), token),
        typeErrorWith('HF_BAD_OPTION'),
    );
    assert.throws(
        () => Mutex.lockAsync(mutex, /** @type {any} */ (undefined)),
        typeErrorWith('HF_BAD_CALLBACK'),
    );
    token.unlock();
    await assert.rejects(Condition.waitAsync(new Condition(), mutex), typeErrorWith('HF_NOT_OWNER'));
});

test('tc39: from() of a handle gives the same mutex, or the same condition', () => {
    const mutex = new Mutex();
    const same = Mutex.from(mutex.handle);
    const token = Mutex.lock(mutex);
    assert.throws(() => Mutex.lock(same), typeErrorWith('HF_DEADLOCK'));
    assert.equal(OwnMutex.from(mutex.handle).tryLock(), false);
    const condition = new Condition();
    assert.equal(Condition.waitFor(Condition.from(condition.handle), token, 1), false);
    assert.throws(
        () => Mutex.from(/** @type {any} */ (condition.handle)),
        errorWith('HF_BAD_HANDLE', /that of a Condition/),
    );
    token.unlock();
    assert.ok(isFree(same));
});

test('tc39: a callback that returns a request for its own lock is refused, and later requests are granted', async () => {
    const mutex = new Mutex();
    const same = Mutex.from(mutex.handle);
    const isTold = typeErrorWith('HF_DEADLOCK');
    for (const lock of [mutex, same]) {
        /** @type {Promise<unknown> | undefined} */
        let inner;
        const section = Mutex.lockAsync(mutex, () => (inner = Mutex.lockAsync(lock, assert.fail)));
        const behind = Mutex.lockAsync(mutex, () => 'behind');
        await assert.rejects(within(section, 'a refusal', []), isTold);
        await assert.rejects(within(Promise.resolve(inner), 'the request that was returned', []), isTold);
        assert.equal(await within(behind, 'the request behind it', []), 'behind');
    }

    /** @type {Promise<unknown>} */
    const itself = Mutex.lockAsync(mutex, () => itself);
    await assert.rejects(within(itself, 'a refusal', []), isTold);

    const met = Mutex.lockAsync(mutex, () => 'met');
    await met;
    assert.equal(await Mutex.lockAsync(mutex, () => met), 'met');
    assert.equal(await Mutex.lockAsync(mutex, () => Mutex.lockAsync(new Mutex(), () => 'other')), 'other');
    assert.ok(isFree(mutex));
});

test('tc39: errors suggest methods of this entry', async () => {
    const mutex = new Mutex();
    const token = Mutex.lock(mutex);
    assert.throws(() => Mutex.lock(mutex), {
        name: 'TypeError',
        message: /already.* can wait by Mutex\.lockAsync\(\)\.$/,
    });
    token.unlock();

    const { code, stdout, stderr } = await runChild('may-block-report', ['page']);
    assert.equal(code, 0, stderr);
    const { tc39Lock } = JSON.parse(stdout);
    assert.equal(tc39Lock.code, 'HF_MAY_NOT_BLOCK');
    assert.match(
        tc39Lock.message,
        /Use Mutex\.lockAsync\(\) or Mutex\.lockIfAvailable\(\) with a timeout of 0/,
    );
});

test("tc39: a waiter gets an AbandonedError when the holder dies, and recovers through holdfast's Mutex", async (t) => {
    const lock = new OwnMutex();
    const mutex = Mutex.from(lock.handle);
    const worker = await startMortal(t, lock, { way: 'idle', holds: 'lock' });
    await sleep(50);
    await worker.terminate();
    assert.throws(() => Mutex.lock(mutex), AbandonedError);
    await assert.rejects(
        within(
            Mutex.lockAsync(mutex, () => {}),
            'the news of a death',
            [lock],
        ),
        AbandonedError,
    );
    assert.equal(
        OwnMutex.from(mutex.handle).recover(() => {}),
        true,
    );
    assert.ok(isFree(mutex));
});

test('tc39: after a condition wait the token is empty if the mutex was abandoned', async (t) => {
    const lock = new OwnMutex();
    const mutex = Mutex.from(lock.handle);
    const condition = new Condition();
    for (const wait of [
        (/** @type {any} */ token) => Condition.waitFor(condition, token, 20),
        (/** @type {any} */ token) => Condition.waitFor(condition, token, 20, () => false),
    ]) {
        const token = Mutex.lock(mutex);
        const isHeld = startMortal(t, lock);
        const untilItDies = async () => {
            for (;;) {
                wait(token);
                await sleep(1); // its parent may have to help it start
            }
        };
        await assert.rejects(within(untilItDies(), 'a death', [lock]), AbandonedError);
        assert.equal(token.locked, false);
        assert.equal(token.unlock(), false);
        await isHeld;
        assert.ok(lock.recover(() => {}));
    }

    const token = Mutex.lock(mutex);
    const unknown = new AbandonedError('of a predicate');
    const fail = () => {
        throw unknown;
    };
    assert.throws(() => Condition.waitFor(condition, token, 20, fail), unknown);
    assert.equal(token.unlock(), true, 'the mutex is held when a predicate throws');
});

test('tc39: misuse of the mutex in lockAsync() rejects with a TypeError that has a code', async () => {
    const mutex = new Mutex();
    /** @type {Promise<unknown>} */
    const itself = Mutex.lockAsync(mutex, () => itself);
    await assert.rejects(within(itself, 'a refusal', []), typeErrorWith('HF_DEADLOCK'));
    const condition = new Condition();
    const unlocked = Mutex.lockAsync(mutex, () => {
        void Condition.waitAsync(condition, mutex).catch(() => {}); // not awaited: the section has lost the mutex
    });
    await assert.rejects(within(unlocked, 'the section', []), typeErrorWith('HF_NOT_OWNER'));
    assert.ok(isFree(mutex));
    Condition.notify(condition);
    const own = new OwnMutex();
    own.lock();
    const late = () => own.execAsync(() => {}, { timeout: 0 });
    await assert.rejects(Mutex.lockAsync(mutex, late), errorWith('HF_TIMEOUT', /Timed out/)); // the callback's own error
    own.unlock();
});
