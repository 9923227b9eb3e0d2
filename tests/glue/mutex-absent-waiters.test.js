/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LockSpace, Mutex, TimeoutError } from '../../js-glue/index.js';
import { GATE_LINE_OFFSET } from '../../js-glue/memory/layout.js';
import { makeBoard, reach, reached, spinUntilReached, work } from '../support/board.js';
import { runChild } from '../support/child.js';
import { waitWithLimit, waitWithoutLimit } from '../support/endless.js';
import { jobEnds } from '../support/event-loop.js';
import { randomOf, seedFor } from '../support/seed.js';
import { messageOf, startThread } from '../support/thread.js';
import { PATIENCE_MS, within } from '../support/watchdog.js';
import { assertFree, describeWords } from '../support/words.js';

/** The word that names the event loop which is next to claim a place. */
const SENIOR = GATE_LINE_OFFSET / Uint32Array.BYTES_PER_ELEMENT;

/* What runtimes really do to waiters (they die, give up, are too busy, wake others' threads), one test each. */

/** What "the others go on" means, on a slow machine. */
const SOON_MS = 1000;

/** The longest that a blocked thread sleeps before it looks again: as long as a wake may be lost with one that dies. */
const SLICE_MS = 1000;

/** @typedef {import('node:test').TestContext} TestContext */

/**
 * A held lock, and threads that wait for it: each of them stands behind those that were added before.
 *
 * @param {TestContext} t
 */
async function heldLock(t) {
    const mutex = new Mutex(new LockSpace());
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
        /** @param {'lock' | 'executeLocked'} way */
        async addWaiter(way) {
            const [waiting, got] = [stages, stages + 1];
            stages += 2;
            startThread(t, 'waiter', { handle: mutex.handle, board, waiting, got, way });
            await within(reached(board, waiting), 'a waiter', [mutex]);
            return got;
        },
    };
}

/**
 * Threads that lock without a pause.
 *
 * @param {TestContext} t
 * @param {Mutex} mutex
 * @param {string[]} programs one for each
 * @param {{ section: number, polls?: boolean }} options section: milliseconds
 */
async function hammer(t, mutex, programs, { section, polls = false }) {
    const [ready, stop] = [0, 1];
    const board = makeBoard(2);
    const counts = makeBoard(programs.length);
    t.after(() => reach(board, stop));
    const workers = programs.map((program, index) =>
        startThread(t, program, { handle: mutex.handle, board, ready, stop, counts, index, section, polls }),
    );
    await within(reached(board, ready, programs.length), 'the threads', [mutex]);
    const sections = () => Array.from(counts, (_, index) => Atomics.load(counts, index));
    return {
        sections,
        /** Until each of them has run so many sections more. */
        async goOn(more = 1) {
            const before = sections();
            while (!sections().every((count, index) => count >= (before[index] ?? 0) + more)) {
                await jobEnds();
            }
        },
        async stop() {
            const reports = Promise.all(workers.map((worker) => messageOf(worker, 'a report', [mutex])));
            reach(board, stop);
            return reports;
        },
    };
}

test('mutex: a thread that blocks while its own event loop waits gets the lock, and its loop after it', async (t) => {
    const mutex = new Mutex(new LockSpace());
    const board = makeBoard(1);
    const rounds = 300;
    const others = await hammer(t, mutex, ['hammer'], { section: 0.05 });
    const both = startThread(t, 'both-ways', { handle: mutex.handle, board, ready: 0, rounds });
    const report = await messageOf(both, 'all rounds', [mutex], 30_000);
    assert.deepEqual(report, { asyncSections: rounds, blockingSections: rounds, whileBlocked: 0 });
    await others.stop();
    assertFree(mutex);
});

for (const by of /** @type {const} */ (['an abort', 'a timeout'])) {
    test(`mutex: a waiter that is ended by ${by} passes on a wake of the line that it ate`, async (t) => {
        waitWithoutLimit();
        t.after(waitWithLimit);
        const { mutex, board, release, addWaiter } = await heldLock(t);
        const successorGot = await addWaiter('executeLocked');
        const controller = new AbortController();
        const limit = by === 'a timeout' ? { timeout: 1 } : { signal: controller.signal };
        const request = mutex.executeLocked(assert.fail, limit).catch((reason) => reason);
        // Its entry is in the line, and this thread stays busy until the wake has come and all others are done.
        await Promise.resolve().then(() => {});
        const lastWaiter = addWaiter('executeLocked');
        if (by === 'an abort') {
            const got = await lastWaiter;
            release();
            spinUntilReached(board, successorGot);
            controller.abort();
            await request;
            await within(reached(board, got), 'the one behind', [mutex], SOON_MS);
        } else {
            assert.ok((await request) instanceof TimeoutError);
            const got = await lastWaiter;
            release();
            await within(reached(board, successorGot), 'the successor', [mutex], SOON_MS);
            await within(reached(board, got), 'the one behind', [mutex], SOON_MS);
        }
        assertFree(mutex);
    });
}

for (const way of /** @type {const} */ (['lock', 'executeLocked'])) {
    test(`mutex: a reservation for a thread that gave up goes to the next one (${way})`, async (t) => {
        waitWithoutLimit();
        t.after(waitWithLimit);
        const { mutex, board, release, released, addWaiter } = await heldLock(t);
        const controller = new AbortController();
        const request = mutex.executeLocked(assert.fail, { signal: controller.signal }).catch(() => {});
        await jobEnds();
        const got = await addWaiter(way);
        release();
        // Busy until the lock is reserved for this thread; then it gives up before it can be told.
        spinUntilReached(board, released);
        controller.abort();
        await request;
        await within(reached(board, got), 'the one behind', [mutex], SOON_MS);
        await jobEnds();
        assertFree(mutex);
    });
}

test('mutex: a reservation for a thread that gave up alone leaves a free lock', async (t) => {
    waitWithoutLimit();
    t.after(waitWithLimit);
    const { mutex, board, release, released } = await heldLock(t);
    const controller = new AbortController();
    const request = mutex.executeLocked(assert.fail, { signal: controller.signal }).catch(() => {});
    await jobEnds();
    release();
    spinUntilReached(board, released);
    controller.abort();
    assertFree(mutex);
    await request;
    assert.equal(await mutex.executeLocked(() => 7), 7);
});

test('mutex: waiters that die, waiting or woken, do not stop the others', async (t) => {
    const random = randomOf(seedFor(t));
    const mutex = new Mutex(new LockSpace());
    const survivors = await hammer(t, mutex, ['hammer', 'async-hammer'], { section: 0.02 });
    for (let round = 0; round < 50; round += 1) {
        const way = /** @type {const} */ (['blocked', 'idle', 'busy'])[random.below(3)];
        const board = makeBoard(1);
        const guard = await within(mutex.lockAsync(), `the lock of round ${round}`, [mutex]);
        const victim = startThread(t, 'victim', { handle: mutex.handle, board, waiting: 0, way });
        await within(reached(board, 0), `the ${way} victim of round ${round}`, [mutex]);
        work(random.below(3));
        // One that is blocked or idle could take the lock and die with it; that is another matter.
        if (way !== 'busy') {
            await victim.terminate();
        }
        guard.release();
        await within(survivors.goOn(), `round ${round}, ${way}, alive`, [mutex], SOON_MS + SLICE_MS);
        await victim.terminate();
        await within(survivors.goOn(), `round ${round}, ${way}, dead`, [mutex], SOON_MS + SLICE_MS);
    }
    await survivors.stop();
    // The last release may have reserved it for a dead thread: whoever comes next takes it.
    mutex.lock();
    mutex.unlock();
    assertFree(mutex, SENIOR); // which a dead event loop may be for ever
});

test('mutex: an event loop that is busy while it is its turn does not stop the workers', async (t) => {
    const mutex = new Mutex(new LockSpace());
    const workers = await hammer(t, mutex, ['hammer', 'hammer'], { section: 0.05 });
    for (let round = 0; round < 5; round += 1) {
        /** @type {Promise<void> | undefined} */
        let request;
        for (let ran = true; ran; await Promise.resolve().then(() => {})) {
            ran = false;
            request = mutex.executeLocked(() => {
                ran = true;
            });
            await Promise.resolve();
        }
        // It has stepped in vain, and so is the successor: nobody else here waits through an event loop.
        const before = workers.sections().reduce((sum, count) => sum + count, 0);
        work(200);
        const sections = workers.sections().reduce((sum, count) => sum + count, 0) - before;
        // 200 ms are 4,000 sections of 50 us. A lock that waits for the busy thread runs a few.
        assert.ok(sections > 100, `${sections} sections; ${describeWords(mutex)}`);
        await within(request ?? Promise.reject(), 'the busy thread', [mutex]);
    }
    await workers.stop();
    assertFree(mutex);
});

test('mutex: lock memory that is freed and used again has no waiters of its former life', async (t) => {
    waitWithoutLimit();
    t.after(waitWithLimit);
    const space = new LockSpace();
    for (let round = 0; round < 5; round += 1) {
        const former = new Mutex(space);
        const words = new Int32Array(space.buffer, former.byteOffset, Mutex.BYTES / 4);
        const woken = Array.from(words, (value, index) => Atomics.waitAsync(words, index, value).value);
        const controller = new AbortController();
        former.lock();
        const given = former.executeLocked(assert.fail, { signal: controller.signal }).catch(() => {});
        await jobEnds();
        controller.abort();
        await given;
        former.unlock();
        space.free(former);
        assert.deepEqual(await within(Promise.all(woken), 'the abandoned', [former]), Array(4).fill('ok'));

        const mutex = new Mutex(space);
        assert.equal(mutex.byteOffset, former.byteOffset);
        const board = makeBoard(7);
        const [held, release, released] = [0, 1, 2];
        startThread(t, 'holder', { handle: mutex.handle, board, held, release, released });
        await within(reached(board, held), 'the holder', [mutex]);
        for (const [waiting, way] of /** @type {const} */ ([
            [3, 'executeLocked'],
            [5, 'lock'],
        ])) {
            startThread(t, 'waiter', { handle: mutex.handle, board, waiting, got: waiting + 1, way });
            await within(reached(board, waiting), 'a waiter', [mutex]);
        }
        const own = mutex.executeLocked(() => {});
        reach(board, release);
        const all = Promise.all([own, reached(board, 4), reached(board, 6)]);
        await within(all, 'the waiters', [mutex], SOON_MS);
        assertFree(mutex);
        space.free(mutex);
    }
});

for (const program of ['lives-while-waiting', 'lives-at-top-level']) {
    test(`mutex: the process lives while it waits (${program})`, async () => {
        const { code, stdout, stderr } = await runChild(program);
        assert.equal(code, 0, `code ${code}: ${stderr}`);
        assert.match(stdout, /^ran\n/);
    });
}

test('mutex: the process ends by itself when nothing is pending', async () => {
    const { code, stdout, stderr } = await runChild('ends-when-idle');
    assert.equal(code, 0, stderr);
    assert.ok(Number(stdout) < SOON_MS, `it ended ${stdout.trim()} ms later`);
});

test('mutex: a thread without waitAsync shares the lock with hammering workers, and leaves no timer', async (t) => {
    const mutex = new Mutex(new LockSpace());
    const workers = await hammer(t, mutex, ['hammer', 'hammer'], { section: 0.05 });
    const poller = await hammer(t, mutex, ['async-hammer'], { section: 0.05, polls: true });
    await within(poller.goOn(50), '50 sections by timer', [mutex], PATIENCE_MS);
    const [report] = await poller.stop();
    assert.equal(report.asyncWait, 'poll');
    assert.equal(report.timersLeft, 0);
    await within(workers.goOn(), 'the workers', [mutex], SOON_MS);
    await workers.stop();
    assertFree(mutex);
});

test('mutex: a lock beyond the old end of a memory that grew', async (t) => {
    const page = 65536;
    const memory = new WebAssembly.Memory({ initial: 1, maximum: 3, shared: true });
    assert.equal(await Mutex.at(memory, 64).executeLocked(() => 7), 7);
    const [held, release] = [0, 1];

    memory.grow(1);
    const own = Mutex.at(memory, page + 64);
    own.lock();
    const request = own.executeLocked(() => 7);
    await jobEnds();
    own.unlock();
    assert.equal(await within(request, 'the request', [own]), 7);
    assertFree(own);

    const byteOffset = 2 * page + 64;
    const board = makeBoard(2);
    startThread(t, 'grower', { memory, byteOffset, board, held, release });
    await within(reached(board, held), 'the other thread', [own]);
    const grown = Mutex.at(memory, byteOffset);
    assert.equal(grown.tryLock(), false);
    const other = grown.executeLocked(() => 8);
    await jobEnds();
    reach(board, release);
    assert.equal(await within(other, 'the request', [grown]), 8);
    assertFree(grown);
});

/** Sections of 50 us that others ran while one waited: 250 ms of them. A lock that starves lets 30,000 pass. */
const TOO_OFTEN_OVERTAKEN = 5000;

for (const count of [2, 4]) {
    test(`mutex: nobody is overtaken for long while ${count} workers hammer, and each has its share`, async (t) => {
        const mutex = new Mutex(new LockSpace());
        const workers = await hammer(t, mutex, Array(count).fill('hammer'), { section: 0.05 });
        const total = () => workers.sections().reduce((sum, sections) => sum + sections, 0);
        const end = performance.now() + 1500;
        let mostOvertaken = 0;
        let own = 0;
        while (performance.now() < end) {
            const before = total();
            const request = mutex.executeLocked(() => {
                own += 1;
                mostOvertaken = Math.max(mostOvertaken, total() - before);
            });
            await within(request, 'the event loop', [mutex]);
        }
        const reports = await workers.stop();
        const sections = reports.map((report) => report.sections);
        const overtaken = reports.map((report) => report.mostOvertaken);
        t.diagnostic(`event loop: ${own} sections, overtaken by ${mostOvertaken} at most`);
        t.diagnostic(`workers: ${sections} sections, overtaken by ${overtaken} at most`);
        assert.ok(Math.max(mostOvertaken, ...overtaken) < TOO_OFTEN_OVERTAKEN);
        assert.ok(Math.min(...sections) / Math.max(...sections) > 0.3);
        assert.ok(own > 50);
        assertFree(mutex);
    });
}
