/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LockSpace, Mutex } from '../../js-glue/index.js';
import { makeBoard, reach, reached } from '../support/board.js';
import { waitWithLimit, waitWithoutLimit } from '../support/endless.js';
import { jobEnds } from '../support/event-loop.js';
import { startThread } from '../support/thread.js';
import { within } from '../support/watchdog.js';
import { wordsOf } from '../support/words.js';

/* Event loops in the async wait list that are too busy to notice their wake: the event loops behind them are
 * served. */

/**
 * A mutex that another thread holds until `release` is called. No thread dies in these tests, so this
 * thread waits without limits.
 *
 * @param {import('node:test').TestContext} t
 */
async function heldElsewhere(t) {
    waitWithoutLimit();
    t.after(waitWithLimit);
    const mutex = new Mutex({ space: new LockSpace() });
    const { handle } = mutex;
    const stages = makeBoard(3);
    const [held, release, released] = [0, 1, 2];
    startThread(t, 'holder', { handle, board: stages, held, release, released });
    await within(reached(stages, held), 'the holder', [mutex]);
    return { mutex, handle, release: () => reach(stages, release) };
}

/**
 * Threads whose event loops ask for the lock, one after the other, and are too busy to notice a wake until
 * the test ends.
 *
 * @param {import('node:test').TestContext} t
 * @param {Mutex} mutex
 * @param {number} count
 * @param {{ board: Int32Array, waiting: number, way: string }} how
 */
async function startVictims(t, mutex, count, how) {
    t.after(() => Atomics.store(how.board, how.waiting, 0));
    for (let number = 1; number <= count; number += 1) {
        startThread(t, 'victim', { handle: mutex.handle, ...how });
        await within(reached(how.board, how.waiting, number), `victim ${number}`, [mutex]);
    }
}

test('mutex: a busy event loop at the head of the async wait list does not block the one behind it', async (t) => {
    const { mutex, handle, release } = await heldElsewhere(t);
    const board = makeBoard(3);
    const [waiting, got, busy] = [0, 1, 2];
    startThread(t, 'waiter', { handle, board, waiting, got, way: 'execAsync' });
    await within(reached(board, waiting), 'the heir', [mutex]);
    await startVictims(t, mutex, 1, { board, waiting: busy, way: 'busy' });
    const request = mutex.execAsync(() => 7);
    await jobEnds();
    release();
    await within(reached(board, got), 'the heir', [mutex]);
    assert.equal(await within(request, 'the one behind the busy one', [mutex]), 7);
});

/** Several are busy: the first of them is the heir, and the others are in the async wait list. */
for (const way of ['busy', 'busy after a blocking lock()']) {
    for (const threads of [2, 3]) {
        test(`mutex: a request is granted behind ${threads} event loops that are ${way}`, async (t) => {
            const { mutex, release } = await heldElsewhere(t);
            const board = makeBoard(1);
            await startVictims(t, mutex, threads, { board, waiting: 0, way });
            const request = mutex.execAsync(() => 7);
            await jobEnds();
            release();
            assert.equal(await within(request, 'the one behind the busy ones', [mutex]), 7);
        });
    }
}

test('mutex: an aborted heir is replaced even if the head of the async wait list is busy', async (t) => {
    const { mutex, handle, release } = await heldElsewhere(t);
    const board = makeBoard(3);
    const [busy, waiting, got] = [0, 1, 2];
    const giving = new AbortController();
    const given = mutex.execAsync(assert.fail, { signal: giving.signal }).catch(() => 'gave up');
    await jobEnds();
    await startVictims(t, mutex, 1, { board, waiting: busy, way: 'busy' });
    startThread(t, 'waiter', { handle, board, waiting, got, way: 'execAsync' });
    await within(reached(board, waiting), 'the one behind it', [mutex]);
    giving.abort();
    assert.equal(await given, 'gave up');
    await within(untilSucceeded(mutex), 'another heir', [mutex]);
    release();
    await within(reached(board, got), 'the one behind the busy one', [mutex]);
});

/**
 * Waits until there is an heir.
 *
 * @param {Mutex} mutex
 */
async function untilSucceeded(mutex) {
    while (wordsOf(mutex)[1] === 0) {
        await jobEnds();
    }
}
