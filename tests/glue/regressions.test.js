/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CountingSemaphore, LockSpace, Mutex, RwLock, TimeoutError } from '../../js-glue/index.js';
import { makeBoard, reach, reached } from '../support/board.js';
import { runChild } from '../support/child.js';
import { waitWithLimit, waitWithoutLimit } from '../support/endless.js';
import { errorWith } from '../support/errors.js';
import { startThread } from '../support/thread.js';
import { within } from '../support/watchdog.js';
import { assertFree, describeWords, wordsOf } from '../support/words.js';

/* Faults that once were there, so that none comes back. Values are typed `any` where the types would not let
 * them. */

/** What "it goes on" means, on a slow machine. */
const SOON_MS = 1000;

const jobEnds = () => new Promise((resolve) => setImmediate(resolve));

/**
 * @param {Mutex} mutex
 * @param {() => unknown} call refused as not the owner's
 */
function assertRefused(mutex, call) {
    const words = wordsOf(mutex);
    assert.throws(call, errorWith('HF_NOT_OWNER', /./));
    assert.deepEqual(wordsOf(mutex), words, 'nothing is changed');
}

/** @param {Mutex} mutex */
async function assertServes(mutex) {
    const request = mutex.executeLocked(() => 7);
    assert.equal(await within(request, 'a later request', [mutex], SOON_MS), 7);
    assertFree(mutex);
}

/**
 * Releases a lock in another program's memory under its section, as only an object could that looks unrelated:
 * its memory arrived a second time.
 *
 * @param {Mutex} mutex
 */
function rob({ memory, byteOffset }) {
    Mutex.at(structuredClone(memory), byteOffset).unlock();
}

/** A mutex whose async section lost the lock. */
async function robbed() {
    const memory = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true });
    const mutex = Mutex.at(memory, 64);
    const guard = await mutex.lockAsync();
    rob(mutex);
    assertFree(mutex);
    return { mutex, guard };
}

/* Sections of an event loop whose lock something else releases */

test('mutex: unlock is refused while a guard of lockAsync holds the lock, and the guard releases it', async () => {
    const mutex = new Mutex();
    const guard = await mutex.lockAsync();
    assertRefused(mutex, () => mutex.unlock());
    const behind = mutex.lockAsync();
    await jobEnds();
    assertRefused(mutex, () => mutex.unlock());
    guard.release();
    const next = await within(behind, 'the guard behind', [mutex], SOON_MS);
    assertRefused(mutex, () => mutex.unlock());
    next.release();
    await assertServes(mutex);
});

test('mutex: unlock is refused inside executeLocked, and the section goes on', async () => {
    const mutex = new Mutex();
    const section = async () => {
        assertRefused(mutex, () => mutex.unlock());
        await jobEnds();
        assertRefused(mutex, () => mutex.unlock());
        return 7;
    };
    const both = Promise.all([mutex.executeLocked(section), mutex.executeLocked(section)]);
    assert.deepEqual(await within(both, 'both sections', [mutex], SOON_MS), [7, 7]);
    const short = mutex.executeLocked(() => assertRefused(mutex, () => mutex.unlock()));
    await within(short, 'a section that is not async', [mutex], SOON_MS);
    await assertServes(mutex);
});

test('mutex: unlock by another object of the place is refused as well', async () => {
    const mutex = new Mutex();
    const guard = await mutex.lockAsync();
    assertRefused(mutex, () => Mutex.from(mutex.handle).unlock());
    guard.release();
    await assertServes(mutex);
});

test('mutex: requests go on after a section that never ends has lost the lock', async () => {
    const { mutex } = await robbed();
    await assertServes(mutex);
});

test('mutex: the guard of a section that lost the lock does not release a later section', async () => {
    const { mutex, guard } = await robbed();
    const later = await within(mutex.lockAsync(), 'a later section', [mutex], SOON_MS);
    assertRefused(mutex, () => guard.release());
    later.release();
    await assertServes(mutex);
});

test('mutex: a lock that is freed while a section holds it serves in its next life', async () => {
    const space = new LockSpace();
    const former = new Mutex(space);
    await former.lockAsync();
    space.free(former);
    const mutex = new Mutex(space);
    assert.equal(mutex.byteOffset, former.byteOffset);
    await assertServes(mutex);
});

test('mutex: a guard of a former life of its lock does not release a section of the next one', async () => {
    const space = new LockSpace();
    const former = new Mutex(space);
    const guard = await former.lockAsync();
    space.free(former);
    const mutex = new Mutex(space);
    const later = await within(mutex.lockAsync(), 'a section of the next life', [mutex], SOON_MS);
    assertRefused(mutex, () => guard.release());
    later.release();
    await assertServes(mutex);
});

test('mutex: a promise with a then of its own that throws is awaited all the same, and the lock released', async () => {
    const mutex = new Mutex();
    let settle = () => {};
    /** @type {Promise<number>} */
    const promise = new Promise((resolve) => {
        settle = () => resolve(7);
    });
    promise.then = () => {
        throw new Error('of its own then');
    };
    const request = mutex.executeLocked(() => promise);
    await jobEnds();
    assert.equal(mutex.tryLock(), false, 'held until the promise settles');
    settle();
    assert.equal(await within(request, 'the section', [mutex], SOON_MS), 7);
    await assertServes(mutex);
});

test('mutex: unlock is refused inside exec, which releases the lock whatever its callback does', () => {
    const mutex = new Mutex();
    assert.equal(
        mutex.exec(() => {
            assertRefused(mutex, () => mutex.unlock());
            return 7;
        }),
        7,
    );
    assertFree(mutex);
    const own = new Error('of the callback');
    const callback = () => {
        assertRefused(mutex, () => mutex.unlock());
        throw own;
    };
    assert.throws(
        () => mutex.exec(callback),
        (error) => error === own,
    );
    assertFree(mutex);
});

test('mutex: unlock is refused while a guard of acquire holds the lock, and the guard releases it', () => {
    const mutex = new Mutex();
    const guard = mutex.acquire();
    assertRefused(mutex, () => mutex.unlock());
    assertRefused(mutex, () => Mutex.from(mutex.handle).unlock());
    guard.release();
    assertFree(mutex);
});

/* A lock that waits for a thread that will not take it */

for (const [way, attempt] of /** @type {[string, (mutex: Mutex) => boolean | Promise<boolean>][]} */ ([
    ['tryLock()', (mutex) => mutex.tryLock()],
    ['tryLock() of a new object each time', (mutex) => Mutex.from(mutex.handle).tryLock()],
    ['tryLock(0.5)', (mutex) => mutex.tryLock(0.5)],
    ['executeLocked with timeout 0', runAtOnce],
])) {
    test(`mutex: ${way} again and again gets a lock that is reserved for a dead thread`, async (t) => {
        const mutex = new Mutex(new LockSpace());
        const board = makeBoard(1);
        const waiting = 0;
        mutex.lock();
        const victim = startThread(t, 'victim', { handle: mutex.handle, board, waiting, way: 'idle' });
        await within(reached(board, waiting), 'the victim', [mutex]);
        await victim.terminate();
        mutex.unlock();
        const end = performance.now() + SOON_MS;
        while (!(await attempt(mutex))) {
            assert.ok(performance.now() < end, `refused for ${SOON_MS} ms; ${describeWords(mutex)}`);
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
        .executeLocked(() => true, { timeout: 0 })
        .catch((error) => {
            assert.ok(error instanceof TimeoutError, String(error));
            return false;
        });
}

/**
 * A mutex that another thread holds until it is told to release it. Nobody dies in these tests, so no wait of this
 * thread has a limit.
 *
 * @param {import('node:test').TestContext} t
 */
async function heldElsewhere(t) {
    waitWithoutLimit();
    t.after(waitWithLimit);
    const mutex = new Mutex(new LockSpace());
    const { handle } = mutex;
    const stages = makeBoard(3);
    const [held, release, released] = [0, 1, 2];
    startThread(t, 'holder', { handle, board: stages, held, release, released });
    await within(reached(stages, held), 'the holder', [mutex]);
    return { mutex, handle, release: () => reach(stages, release) };
}

/**
 * Threads that ask for the lock through their event loops, one after the other, and are too busy to be told until the
 * test ends.
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

test('mutex: a busy event loop that is first in the line does not stop the one behind it', async (t) => {
    const { mutex, handle, release } = await heldElsewhere(t);
    const board = makeBoard(3);
    const [waiting, got, busy] = [0, 1, 2];
    startThread(t, 'waiter', { handle, board, waiting, got, way: 'executeLocked' });
    await within(reached(board, waiting), 'the successor', [mutex]);
    await startVictims(t, mutex, 1, { board, waiting: busy, way: 'busy' });
    const request = mutex.executeLocked(() => 7);
    await jobEnds();
    release();
    await within(reached(board, got), 'the successor', [mutex], SOON_MS);
    assert.equal(await within(request, 'the one behind the busy one', [mutex], SOON_MS), 7);
});

/** The same with several that are busy, of which the first has the successor's place, and the others the line. */
for (const way of ['busy', 'busy after lock']) {
    for (const threads of [2, 3]) {
        test(`mutex: a request behind ${threads} on event loops that are ${way} is served`, async (t) => {
            const { mutex, release } = await heldElsewhere(t);
            const board = makeBoard(1);
            await startVictims(t, mutex, threads, { board, waiting: 0, way });
            const request = mutex.executeLocked(() => 7);
            await jobEnds();
            release();
            assert.equal(await within(request, 'the one behind the busy ones', [mutex], SOON_MS), 7);
        });
    }
}

test('mutex: a successor that gives up while the first in the line is busy leaves its place to another', async (t) => {
    const { mutex, handle, release } = await heldElsewhere(t);
    const board = makeBoard(3);
    const [busy, waiting, got] = [0, 1, 2];
    const giving = new AbortController();
    const given = mutex.executeLocked(assert.fail, { signal: giving.signal }).catch(() => 'gave up');
    await jobEnds();
    await startVictims(t, mutex, 1, { board, waiting: busy, way: 'busy' });
    startThread(t, 'waiter', { handle, board, waiting, got, way: 'executeLocked' });
    await within(reached(board, waiting), 'the one behind it', [mutex]);
    giving.abort();
    assert.equal(await given, 'gave up');
    await within(untilSucceeded(mutex), 'another successor', [mutex], SOON_MS);
    release();
    await within(reached(board, got), 'the one behind the busy one', [mutex], SOON_MS);
});

/**
 * Until somebody has the successor's place.
 *
 * @param {Mutex} mutex
 */
async function untilSucceeded(mutex) {
    while (wordsOf(mutex)[1] === 0) {
        await jobEnds();
    }
}

/* The allocator */

/**
 * @param {number} pages
 * @returns {number} milliseconds a block, until the space is full
 */
function costOfBlock(pages) {
    const space = new LockSpace({ pages });
    const start = performance.now();
    let blocks = 0;
    try {
        for (;;) {
            space.alloc(16);
            blocks += 1;
        }
    } catch {
        return (performance.now() - start) / blocks;
    }
}

test('lock space: a block costs about the same in a large space that fills as in a small one', (t) => {
    costOfBlock(1);
    const [one = 0, four = 0, sixteen = 0] = [1, 4, 16].map((pages) =>
        Math.min(...Array.from({ length: 3 }, () => costOfBlock(pages))),
    );
    const microseconds = [one, four, sixteen].map((cost) => (cost * 1000).toFixed(2)).join(', ');
    t.diagnostic(`1, 4, 16 pages: ${microseconds} us a block`);
    assert.ok(four <= 8 * one && sixteen <= 8 * one, `1, 4, 16 pages: ${microseconds} us a block`);
});

test('lock space: a lock of another space is not freed, nor the one at its address here', () => {
    const [here, there] = [new LockSpace(), new LockSpace()];
    const [mine, other] = [new Mutex(here), new Mutex(there)];
    assert.equal(mine.byteOffset, other.byteOffset);
    mine.lock();
    other.lock();
    assert.throws(() => here.free(other), errorWith('HF_BAD_ADDRESS', /./));
    mine.unlock();
    other.unlock();
    assert.notEqual(new Mutex(here).byteOffset, mine.byteOffset);
    assert.notEqual(new Mutex(there).byteOffset, other.byteOffset);
    here.free(mine);
    there.free(other);
});

test('lock space: a lock is freed as an object that was made from its posted handle', () => {
    const space = new LockSpace();
    const mutex = new Mutex(space);
    space.free(Mutex.from(structuredClone(mutex.handle)));
    assert.equal(new Mutex(space).byteOffset, mutex.byteOffset);
});

test('mutex: no lock is placed on the header of a space', () => {
    const space = new LockSpace();
    const before = new Uint8Array(space.buffer).slice();
    assert.throws(() => Mutex.at(space.memory, 16), errorWith('HF_BAD_ADDRESS', /./));
    assert.deepEqual(new Uint8Array(space.buffer).slice(), before);
});

test('mutex: memory is the one that it is in', () => {
    const space = new LockSpace();
    assert.equal(new Mutex(space).memory, space.memory);
    const foreign = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true });
    assert.equal(Mutex.at(foreign, 64).memory, foreign);
});

/* A section that lost the lock, and what came after it */

const NOT_OWNER = errorWith('HF_NOT_OWNER', /./);

test('mutex: lock() after a section that lost the lock is ended by unlock()', async () => {
    const { mutex } = await robbed();
    mutex.lock();
    mutex.unlock();
    assertFree(mutex);
});

test('mutex: the guard of a section that lost the lock does not end a later lock()', async () => {
    const { mutex, guard } = await robbed();
    mutex.lock();
    assert.throws(() => guard.release(), NOT_OWNER);
    mutex.unlock();
    assertFree(mutex);
});

test('mutex: a request without a wait gets the lock after a section that lost it', async () => {
    const { mutex } = await robbed();
    assert.equal(await mutex.executeLocked(() => 1, { timeout: 0 }), 1);
    (await mutex.lockAsync({ timeout: 0 })).release();
    assertFree(mutex);
});

test('mutex: a request behind a section that lost the lock is served', async () => {
    const memory = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true });
    const mutex = Mutex.at(memory, 64);
    const guard = await mutex.lockAsync();
    const behind = mutex.executeLocked(() => 7);
    rob(mutex);
    mutex.lock();
    mutex.unlock();
    assert.throws(() => guard.release(), NOT_OWNER);
    assert.equal(await within(behind, 'the request', [mutex], SOON_MS), 7);
    assertFree(mutex);
});

test('mutex: a lock that was freed in a section leaves nothing to the next one at its place', async () => {
    const space = new LockSpace();
    const former = new Mutex(space);
    await former.lockAsync();
    space.free(former);
    const mutex = new Mutex(space);
    assert.equal(mutex.byteOffset, former.byteOffset);
    mutex.lock();
    const request = mutex.executeLocked(() => 'run');
    mutex.unlock();
    assert.equal(await within(request, 'the request', [mutex]), 'run');
    assertFree(mutex);
});

/* Misuse that had no code, or the wrong words */

/** @param {any} value */
const any = (value) => value;

for (const [what, code, call] of /** @type {[string, string, () => unknown][]} */ ([
    ['lock space: free(null)', 'HF_BAD_ADDRESS', () => new LockSpace().free(any(null))],
    ['lock space: new LockSpace(null)', 'HF_BAD_OPTION', () => new LockSpace(any(null))],
    ['lock space: new LockSpace(4)', 'HF_BAD_OPTION', () => new LockSpace(any(4))],
    ['lock space: alloc(Symbol())', 'HF_BAD_OPTION', () => new LockSpace().alloc(any(Symbol('s')))],
    ['lock space: alloc(16, {})', 'HF_BAD_OPTION', () => new LockSpace().alloc(16, any({}))],
    [
        'lock space: alloc(16, Object.create(null))',
        'HF_BAD_OPTION',
        () => new LockSpace().alloc(16, Object.create(null)),
    ],
    ['mutex: tryLock(Object.create(null))', 'HF_BAD_TIMEOUT', () => new Mutex().tryLock(Object.create(null))],
    [
        'mutex: executeLocked(f, null)',
        'HF_BAD_OPTION',
        () => new Mutex().executeLocked(assert.fail, any(null)),
    ],
    ['mutex: executeLocked(f, 5)', 'HF_BAD_OPTION', () => new Mutex().executeLocked(assert.fail, any(5))],
    ['mutex: lockAsync(7)', 'HF_BAD_OPTION', () => new Mutex().lockAsync(any(7))],
])) {
    test(`${what} is refused with a code`, async () => {
        await assert.rejects(async () => call(), errorWith(code, /./));
    });
}

test('mutex: where blocking is not allowed, the message names the method that was called', async () => {
    const { code, stdout, stderr } = await runChild('may-block-report', ['page']);
    assert.equal(code, 0, stderr);
    const report = JSON.parse(stdout);
    assert.match(report.lock.message, /^lock\(\)/);
    assert.match(report.exec.message, /^exec\(\)/);
    assert.match(report.acquire.message, /^acquire\(\)/);
    assert.match(report.tryLockFor.message, /^tryLock\(5\)/);
});

/* Requests whose own thread asks meanwhile, for less than they do */

/**
 * Waits as a request does, on entries that nothing but a wake ends.
 *
 * @template T
 * @param {() => Promise<T>} task
 */
async function withoutLimit(task) {
    waitWithoutLimit();
    try {
        return await task();
    } finally {
        waitWithLimit();
    }
}

test('semaphore: a request is served, and its own thread gets no permit while it is the next', async () => {
    await withoutLimit(async () => {
        const semaphore = new CountingSemaphore(undefined, { initial: 3 });
        assert.ok(semaphore.tryEnter(0, 2));
        const request = semaphore.enterAsync({ permits: 2, timeout: SOON_MS });
        await jobEnds();
        assert.ok(!semaphore.tryEnter());
        semaphore.leave(2);
        await request;
        semaphore.leave(2);
        assert.equal(semaphore.value, 3);
    });
});

test('rwlock: a request to write is served, and its own thread does not read while it is the next', async () => {
    await withoutLimit(async () => {
        const rwlock = new RwLock();
        rwlock.lockShared();
        const request = rwlock.executeLocked(() => 7, { timeout: SOON_MS });
        await jobEnds();
        assert.ok(!rwlock.tryLockShared());
        rwlock.unlockShared();
        assert.equal(await request, 7);
    });
});
