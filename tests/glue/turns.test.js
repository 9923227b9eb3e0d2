/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* The order of all that one thread asks for, where another bundle has queues, too: here, what it would say. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keepOrder } from '../../js-glue/emscripten/lines.js';
import { CountingSemaphore, LockSpace, Mutex } from '../../js-glue/index.js';
import { turns } from '../../js-glue/thread/turns.js';
import { jobEnds } from '../support/event-loop.js';
import { within } from '../support/watchdog.js';

keepOrder();

const space = new LockSpace();

/** A queue of another bundle. */
class Other {
    /** How often it was told that its first request is the thread's. */
    told = 0;

    /** @param {Mutex | CountingSemaphore} lock */
    constructor(lock) {
        this.byteOffset = lock.handle.byteOffset;
    }

    /** @param {number} order */
    #stand(order) {
        const stand = /** @type {import('../../js-glue/thread/turns.js').Stand} */ (turns().stand);
        return stand(space.memory, this.byteOffset, this, order, () => (this.told += 1));
    }

    /** @returns {boolean} whether its request, made now, is the thread's first */
    ask() {
        return this.#stand((turns().asked += 1));
    }

    /** Its only request has ended. */
    leave() {
        this.#stand(Infinity);
    }
}

/** A mutex that is held by this thread's own `lock`, so that nobody else can get it. */
function heldMutex() {
    const mutex = new Mutex(space);
    assert.ok(mutex.tryLock());
    return mutex;
}

test('turns: a request waits for an earlier one of another bundle, though the lock is free', async () => {
    const mutex = heldMutex();
    const other = new Other(mutex);
    assert.equal(other.ask(), true);
    let isMet = false;
    const before = turns().asked;
    const request = mutex.executeLocked(() => void (isMet = true));
    assert.equal(turns().asked, before + 1);
    mutex.unlock();
    await jobEnds();
    await new Promise((resolve) => setTimeout(resolve, 100)); // and a sweep for wakes that were lost
    assert.equal(isMet, false);
    assert.ok(mutex.tryLock(), 'it has a place in the words');
    mutex.unlock();
    other.leave();
    await within(request, 'the request after that of another bundle', [mutex]);
    assert.equal(other.told, 0);
});

test('turns: when a request is met, an earlier one of another bundle comes before the next', async () => {
    const mutex = heldMutex();
    const other = new Other(mutex);
    const first = mutex.executeLocked(() => {});
    assert.equal(other.ask(), false);
    let isMet = false;
    const next = mutex.executeLocked(() => void (isMet = true));
    mutex.unlock();
    await within(first, 'the first request', [mutex]);
    await jobEnds();
    assert.deepEqual([other.told, isMet], [1, false]);
    other.leave();
    await within(next, 'the request after that of another bundle', [mutex]);
});

test('turns: who waits for the first goes on when that is aborted, or the lock is freed', async () => {
    const mutex = heldMutex();
    const other = new Other(mutex);
    const abort = new AbortController();
    const aborted = mutex.executeLocked(() => {}, { signal: abort.signal });
    assert.equal(other.ask(), false);
    abort.abort();
    await assert.rejects(aborted, { name: 'AbortError' });
    assert.equal(other.told, 1);
    other.leave();

    // more than are rejected in one turn
    const freed = Array.from({ length: 200 }, () => mutex.executeLocked(() => {}));
    assert.equal(other.ask(), false);
    mutex.unlock();
    space.free(mutex);
    assert.equal(other.told, 2);
    for (const request of freed) {
        await assert.rejects(request, { code: 'HF_FREED' });
    }
    assert.equal(other.told, 2);
    other.leave();
});

test('turns: a request gives up while it waits for that of another bundle', async () => {
    const mutex = heldMutex();
    const other = new Other(mutex);
    other.ask();
    const late = mutex.executeLocked(() => {}, { timeout: 5 });
    mutex.unlock();
    await assert.rejects(late, { code: 'HF_TIMEOUT' });
    other.leave();
    await within(
        mutex.executeLocked(() => {}),
        'a request after the one that gave up',
        [mutex],
    );
});

test('turns: a request that waits for the section of its own thread keeps its turn', async () => {
    const mutex = new Mutex(space);
    const other = new Other(mutex);
    /** @type {(value?: unknown) => void} */
    let end = () => {};
    const section = mutex.executeLocked(() => new Promise((resolve) => (end = resolve)));
    const request = mutex.executeLocked(() => {});
    assert.equal(other.ask(), false);
    end();
    await within(section, 'the section', [mutex]);
    await within(request, 'the request that was made before that of another bundle', [mutex]);
    assert.equal(other.told, 1);
    other.leave();
});

test('turns: other locks of the thread have other lines', async () => {
    const mutex = heldMutex();
    const other = new Other(new Mutex(space));
    other.ask();
    const request = mutex.executeLocked(() => {});
    mutex.unlock();
    await within(request, 'the request for another lock', [mutex]);
    other.leave();
});

test('turns: for a semaphore as for a mutex', async () => {
    const semaphore = new CountingSemaphore(space, { max: 1 });
    const other = new Other(semaphore);
    assert.ok(semaphore.tryEnter());
    const first = semaphore.execAsync(() => {});
    assert.equal(other.ask(), false);
    semaphore.leave();
    await within(first, 'the first request', [semaphore]);
    await jobEnds();
    assert.equal(other.told, 1);
    other.leave();
});

test('turns: what a signal refused, which another request had shown meanwhile, holds nobody up', async () => {
    const mutex = new Mutex(space);
    /** @type {(value?: unknown) => void} */
    let end = () => {};
    const section = mutex.executeLocked(() => new Promise((resolve) => (end = resolve)));
    /** @type {Promise<void> | undefined} */
    let aborted;
    const { signal } = new AbortController();
    signal.addEventListener = () => {
        const abort = new AbortController();
        aborted = mutex.executeLocked(() => {}, { signal: abort.signal });
        abort.abort();
        throw new Error('odd addEventListener');
    };
    await assert.rejects(
        mutex.executeLocked(() => {}, { signal }),
        /odd addEventListener/,
    );
    await assert.rejects(/** @type {Promise<void>} */ (aborted), { name: 'AbortError' });
    const other = new Other(mutex);
    assert.equal(other.ask(), true);
    end();
    await within(section, 'the section', [mutex]);
    other.leave();
});
