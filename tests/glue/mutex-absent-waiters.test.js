/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LockSpace, Mutex, TimeoutError } from '../../js-glue/index.js';
import { GATE_LINE_OFFSET } from '../../js-glue/memory/layout.js';
import { makeBoard, reach, reached, spinUntilReached, work } from '../support/board.js';
import { waitWithLimit, waitWithoutLimit } from '../support/endless.js';
import { jobEnds } from '../support/event-loop.js';
import { hammer } from '../support/hammer.js';
import { randomOf, seedFor } from '../support/seed.js';
import { startThread } from '../support/thread.js';
import { PATIENCE_MS, within } from '../support/watchdog.js';
import { assertFree, describeWords } from '../support/words.js';

/** The word with the oldest async waiter. */
const OLDEST = GATE_LINE_OFFSET / Uint32Array.BYTES_PER_ELEMENT;

/* Waiters that die, give up or are busy when their turn comes: the others go on. mutex-busy-waiters.test.js
 * has waiters that are busy in the async wait list. */

/** @typedef {import('node:test').TestContext} TestContext */

/**
 * A held lock, and threads that wait for it in the order in which they were added.
 *
 * @param {TestContext} t
 */
async function heldLock(t) {
    const mutex = new Mutex({ space: new LockSpace() });
    const board = makeBoard(16);
    const [held, release, released] = [0, 1, 2];
    let stages = 3;
    startThread(t, 'holder', { handle: mutex.handle, board, held, release, released });
    await within(reached(board, held), 'the holder', [mutex]);
    return {
        mutex,
        board,
        release: () => reach(board, release),
        released,
        /** @param {'lock' | 'execAsync'} way */
        async addWaiter(way) {
            const [waiting, got] = [stages, stages + 1];
            stages += 2;
            startThread(t, 'waiter', { handle: mutex.handle, board, waiting, got, way });
            await within(reached(board, waiting), 'a waiter', [mutex]);
            return got;
        },
    };
}

for (const by of /** @type {const} */ (['an abort', 'a timeout'])) {
    test(`mutex: a request ended by ${by} forwards a wake that it has consumed to the async wait list`, async (t) => {
        waitWithoutLimit();
        t.after(waitWithLimit);
        const { mutex, board, release, addWaiter } = await heldLock(t);
        const heirGot = await addWaiter('execAsync');
        const controller = new AbortController();
        const limit = by === 'a timeout' ? { timeout: 1 } : { signal: controller.signal };
        const request = mutex.execAsync(assert.fail, limit).catch((reason) => reason);
        // The request's entry is in the async wait list, and this thread stays busy until the entry was woken
        // and all others are done.
        await Promise.resolve().then(() => {});
        const lastWaiter = addWaiter('execAsync');
        if (by === 'an abort') {
            const got = await lastWaiter;
            release();
            spinUntilReached(board, heirGot);
            controller.abort();
            await request;
            await within(reached(board, got), 'the one behind', [mutex]);
        } else {
            assert.ok((await request) instanceof TimeoutError);
            const got = await lastWaiter;
            release();
            await within(reached(board, heirGot), 'the heir', [mutex]);
            await within(reached(board, got), 'the one behind', [mutex]);
        }
        assertFree(mutex);
    });
}

for (const way of /** @type {const} */ (['lock', 'execAsync'])) {
    test(`mutex: a reservation for a request that gave up goes to the next waiter (${way})`, async (t) => {
        waitWithoutLimit();
        t.after(waitWithLimit);
        const { mutex, board, release, released, addWaiter } = await heldLock(t);
        const controller = new AbortController();
        const request = mutex.execAsync(assert.fail, { signal: controller.signal }).catch(() => {});
        await jobEnds();
        const got = await addWaiter(way);
        release();
        // Busy until the lock is reserved for this thread; then it gives up before it notices.
        spinUntilReached(board, released);
        controller.abort();
        await request;
        await within(reached(board, got), 'the one behind', [mutex]);
        await jobEnds();
        assertFree(mutex);
    });
}

test('mutex: a reservation for the only request leaves the lock free if that request gives up', async (t) => {
    waitWithoutLimit();
    t.after(waitWithLimit);
    const { mutex, board, release, released } = await heldLock(t);
    const controller = new AbortController();
    const request = mutex.execAsync(assert.fail, { signal: controller.signal }).catch(() => {});
    await jobEnds();
    release();
    spinUntilReached(board, released);
    controller.abort();
    assertFree(mutex);
    await request;
    assert.equal(await mutex.execAsync(() => 7), 7);
});

test('mutex: waiters that die, asleep or just woken, do not stop the others', async (t) => {
    const random = randomOf(seedFor(t));
    const mutex = new Mutex({ space: new LockSpace() });
    const survivors = await hammer(t, mutex, ['hammer', 'async-hammer'], { section: 0.02 });
    for (let round = 0; round < 50; round += 1) {
        const way = /** @type {const} */ (['blocked', 'idle', 'busy'])[random.below(3)];
        const board = makeBoard(1);
        const guard = await within(mutex.acquireAsync(), `the lock of round ${round}`, [mutex]);
        const victim = startThread(t, 'victim', { handle: mutex.handle, board, waiting: 0, way });
        await within(reached(board, 0), `the ${way} victim of round ${round}`, [mutex]);
        work(random.below(3));
        // A blocked or idle thread could take the lock and die as its holder, which is not tested here.
        if (way !== 'busy') {
            await victim.terminate();
        }
        guard.release();
        await survivors.goOn(`the survivors in round ${round}, ${way}, alive`);
        await victim.terminate();
        await survivors.goOn(`the survivors in round ${round}, ${way}, dead`);
    }
    await survivors.stop();
    // The last release may have reserved the lock for a dead thread: the next caller takes it.
    mutex.lock();
    mutex.unlock();
    assertFree(mutex, OLDEST); // the word may keep the name of a dead event loop
});

for (const [way, attempt] of /** @type {[string, (mutex: Mutex) => boolean | Promise<boolean>][]} */ ([
    ['tryLock()', (mutex) => mutex.tryLock()],
    ['tryLock() of a new object each time', (mutex) => Mutex.from(mutex.handle).tryLock()],
    ['tryLock(0.5)', (mutex) => mutex.tryLock(0.5)],
    ['execAsync with timeout 0', runAtOnce],
])) {
    test(`mutex: repeated ${way} acquires a lock that is reserved for a dead thread`, async (t) => {
        const mutex = new Mutex({ space: new LockSpace() });
        const board = makeBoard(1);
        const waiting = 0;
        mutex.lock();
        const victim = startThread(t, 'victim', { handle: mutex.handle, board, waiting, way: 'idle' });
        await within(reached(board, waiting), 'the victim', [mutex]);
        await victim.terminate();
        mutex.unlock();
        const end = performance.now() + PATIENCE_MS;
        while (!(await attempt(mutex))) {
            assert.ok(performance.now() < end, `refused for ${PATIENCE_MS} ms; ${describeWords(mutex)}`);
            await jobEnds();
        }
        if (attempt !== runAtOnce) {
            mutex.unlock();
        }
        assertFree(mutex);
    });
}

/** @param {Mutex} mutex */
function runAtOnce(mutex) {
    return mutex
        .execAsync(() => true, { timeout: 0 })
        .catch((error) => {
            assert.ok(error instanceof TimeoutError, String(error));
            return false;
        });
}

test('mutex: a busy event loop that is the heir does not stop the workers', async (t) => {
    const mutex = new Mutex({ space: new LockSpace() });
    const workers = await hammer(t, mutex, ['hammer', 'hammer'], { section: 0.05 });
    let most = 0;
    for (let round = 0; round < 5; round += 1) {
        /** @type {Promise<void> | undefined} */
        let request;
        for (let ran = true; ran; await Promise.resolve().then(() => {})) {
            ran = false;
            request = mutex.execAsync(() => {
                ran = true;
            });
            await Promise.resolve();
        }
        // The request's step has failed, so this event loop is the heir: no other one waits.
        const before = workers.sections().reduce((sum, count) => sum + count, 0);
        work(200);
        most = Math.max(most, workers.sections().reduce((sum, count) => sum + count, 0) - before);
        await within(request ?? Promise.reject(), 'the busy thread', [mutex]);
    }
    await workers.stop();
    assertFree(mutex);
    // 200 ms are 4,000 sections of 50 us. A lock that waits for the busy thread runs only a few; on a loaded
    // machine that may happen now and then.
    assert.ok(most > 100, `${most} sections at most`);
});
