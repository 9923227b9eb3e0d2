/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { inspect } from '../../js-glue/debug.js';
import { CountingSemaphore, LockSpace, Mutex, RwLock } from '../../js-glue/index.js';
import { attach } from '../../js-glue/memory/attachment.js';
import { AGENT_PRESENCE_OFFSET } from '../../js-glue/memory/layout.js';
import { environment } from '../../js-glue/thread/environment.js';
import { makeBoard, reached } from '../support/board.js';
import { replaceInEnvironment } from '../support/environment.js';
import { errorWith } from '../support/errors.js';
import { isTold, startMortal } from '../support/mortal.js';
import { messageOf, startThread } from '../support/thread.js';
import { until, within } from '../support/watchdog.js';

/* Methods of a thread that `inspect()` has found. */

/** A worker that cannot be ended yet, like a blocked worker in Chromium. */
const LIVES_ON = { terminate: () => 'told' };

/** @param {LockSpace} space */
function otherThread(space) {
    return inspect(space).threads.find(({ isThis }) => !isThis) ?? assert.fail(String(inspect(space)));
}

/**
 * A thread that blocks in a section.
 *
 * @param {import('node:test').TestContext} t
 * @param {LockSpace} space
 * @param {string} kind of wait
 * @param {number} [times]
 */
async function startBlocker(t, space, kind, times = 1) {
    const board = makeBoard(1);
    const worker = startThread(t, 'blocker', { handle: space.handle, kind, times, board });
    const told = messageOf(worker, 'how its waits ended', []);
    told.catch(() => {}); // for tests that do not await it
    await within(reached(board, 0), 'a thread that blocks', []);
    await sleep(50);
    return { worker, told };
}

/** @returns {LockSpace} with what a thread may block for */
function makeSpace() {
    const space = new LockSpace();
    Mutex.named(space, 'lock').lock();
    RwLock.named(space, 'book').lock();
    CountingSemaphore.named(space, 'permits', { initial: 0, max: 1 });
    return space;
}

for (const kind of [
    'lock',
    'tryLock with a time limit',
    'lockShared',
    'enter',
    'wait for a condition',
    'wait for an event',
    'wait for a latch',
    'arrive at a barrier',
]) {
    test(`inspected thread: terminate() ends the waits of a thread: ${kind}`, async (t) => {
        const space = makeSpace();
        const { told } = await startBlocker(t, space, kind, 2);
        assert.equal(otherThread(space).terminate(LIVES_ON), 'told');
        const { ends, isFree } = await told;
        assert.deepEqual(ends, ['HF_TERMINATED', 'HF_TERMINATED']);
        assert.equal(isFree, true, 'its section has released');
    });
}

test('inspected thread: terminate() ends a long wait, and then its worker ends', async (t) => {
    const space = makeSpace();
    const { worker, told } = await startBlocker(t, space, 'lock');
    await sleep(1500); // after that time it re-checks once a second
    const begin = performance.now();
    otherThread(space).terminate(LIVES_ON);
    const { ends } = await told;
    assert.deepEqual(ends, ['HF_TERMINATED']);
    t.diagnostic(`after ${(performance.now() - begin).toFixed()} ms`);
    await within(otherThread(space).terminate(worker), 'its end', []);
});

test('inspected thread: terminate() does not end a wait of the next thread in the slot', async (t) => {
    const space = new LockSpace({ threads: 2 });
    Mutex.named(space, 'lock').lock();
    const first = await startBlocker(t, space, 'lock');
    const found = otherThread(space);
    found.terminate(LIVES_ON);
    await first.told;
    await first.worker.terminate();
    const second = await startBlocker(t, space, 'lock');
    found.terminate(LIVES_ON);
    await sleep(500);
    Mutex.named(space, 'lock').unlock();
    assert.deepEqual((await second.told).ends, ['got it']);
});

test('inspected thread: bad arguments are refused', async (t) => {
    const space = new LockSpace();
    await startMortal(t, Mutex.named(space, 'lock'), { way: 'idle' });
    const [own] = inspect(space).threads;
    for (const worker of [undefined, null, {}, 'worker', { terminate: true }]) {
        assert.throws(
            () => otherThread(space).terminate(/** @type {any} */ (worker)),
            errorWith('HF_BAD_OPTION', /Worker/),
        );
    }
    assert.throws(() => own?.terminate(LIVES_ON), errorWith('HF_BAD_OPTION', /./));
    assert.throws(() => own?.declareDead(), errorWith('HF_BAD_OPTION', /./));
});

test('inspected thread: waiters for a thread that is declared dead get HF_ABANDONED', async (t) => {
    const space = new LockSpace();
    const mutex = Mutex.named(space, 'lock');
    await startMortal(t, mutex, { way: 'idle' });
    const found = otherThread(space);
    const asked = mutex.acquireAsync();
    await sleep(50);
    assert.equal(found.declareDead(), true);
    await assert.rejects(within(asked, 'news of the declared death', [mutex]), isTold);
    assert.equal(found.declareDead(), false);
    assert.equal(
        mutex.recover(() => {}),
        true,
    );
    assert.deepEqual(
        inspect(space).threads.map(({ isThis }) => isThis),
        [true],
    );
});

test('inspected thread: a thread that runs on after it was declared dead does not stop others', async (t) => {
    const space = makeSpace();
    const { told } = await startBlocker(t, space, 'lock');
    otherThread(space).declareDead();
    Mutex.named(space, 'lock').unlock();
    assert.deepEqual((await told).ends, ['got it']);
});

test('inspected thread: after a thread was declared dead, the death of the next thread in its slot is detected', async (t) => {
    const space = new LockSpace({ threads: 2 });
    const [first, second] = [new Mutex({ space }), new Mutex({ space })];
    await startMortal(t, first, { way: 'idle' });
    otherThread(space).declareDead();
    await sleep(50); // the thread lives, and handles the wakes
    const worker = await startMortal(t, second, { way: 'idle' });
    await worker.terminate();
    await assert.rejects(within(second.acquireAsync(), 'news of the death', [second]), isTold);
});

/**
 * This thread's table, and the address of its slot.
 *
 * @param {LockSpace} space
 */
function ownSlot(space) {
    const { exports, table, self, words } = attach(space.memory);
    const slot = exports.agents_slot(table, self);
    return { exports, self, words, slot, presence: (slot + AGENT_PRESENCE_OFFSET) / 4 };
}

test('inspected thread: a thread declared dead while it arms entries leaves none for the next thread in its slot', async () => {
    const { exports, self, words, slot, presence } = ownSlot(new LockSpace());
    const { waitAsync } = environment;
    let calls = 0;
    const putBack = replaceInEnvironment({
        waitAsync: (/** @type {[Int32Array, number, number]} */ ...what) => {
            calls += 1;
            exports.agent_leave(slot, self); // now it is as if another thread had declared it dead
            return waitAsync(...what);
        },
    });
    assert.equal(Atomics.notify(words, presence, 1), 1);
    await until(() => calls > 0, 'an entry');
    putBack();
    assert.equal(Atomics.notify(words, presence), 0);
});

test('inspected thread: a thread whose slot is overwritten arms no entries, and runs on', async () => {
    const { words, presence } = ownSlot(new LockSpace());
    Atomics.store(words, presence, 1);
    Atomics.notify(words, presence, 1);
    await until(() => Atomics.notify(words, presence) > 0, 'the entries');
    await sleep(50);
    assert.equal(Atomics.notify(words, presence), 0);
});

test('inspected thread: a posted InspectedThread arrives as plain data', async (t) => {
    const space = makeSpace();
    await startBlocker(t, space, 'lock');
    await until(() => otherThread(space).waitsFor.length > 0, 'what it waits for');
    const found = otherThread(space);
    const { name, isThis, isAlive, waitsFor } = found;
    assert.deepEqual([isThis, isAlive, waitsFor.length], [false, true, 1]);
    const data = { name, isThis, isAlive, waitsFor };
    assert.deepEqual({ ...structuredClone(found) }, data);
    assert.deepEqual(JSON.parse(JSON.stringify(found)), data);
});
