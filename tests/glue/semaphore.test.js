/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTask } from 'node:timers/promises';
import { BinarySemaphore, CountingSemaphore, LockSpace, Mutex } from '../../js-glue/index.js';
import { SEMAPHORE_MOST, THREAD_MASK } from '../../js-glue/memory/layout.js';
import { makeBoard, reach, reached } from '../support/board.js';
import { waitWithoutLimit } from '../support/endless.js';
import { errorWith } from '../support/errors.js';
import { jobEnds, reasonOf } from '../support/event-loop.js';
import { startThread } from '../support/thread.js';
import { within } from '../support/watchdog.js';
import { assertAtRest, restOf, wordsOf } from '../support/words.js';

/* Semaphores on one thread, and at a place that is used again. primitives-waits.test.js has what all waits
 * share. */

waitWithoutLimit();

/** @type {<T>(promise: Promise<T>, semaphore: BinarySemaphore | CountingSemaphore) => Promise<T>} */
const met = (promise, semaphore) => within(promise, 'a request', [semaphore]);

test('binary semaphore: a new semaphore has one permit, or none', () => {
    for (const [options, value] of /** @type {const} */ ([
        [undefined, 1],
        [{}, 1],
        [{ initial: 1 }, 1],
        [{ initial: 0 }, 0],
    ])) {
        const semaphore = new BinarySemaphore(options);
        assert.equal(semaphore.value, value);
        assert.equal(semaphore.max, 1);
    }
});

test('counting semaphore: initial and max default to each other', () => {
    for (const [options, value, max] of /** @type {const} */ ([
        [{ max: 5 }, 5, 5],
        [{ initial: 5 }, 5, 5],
        [{ initial: 2, max: 5 }, 2, 5],
        [{ initial: 0, max: 536_870_911 }, 0, 536_870_911],
        [{ max: 536_870_911 }, 536_870_911, 536_870_911],
    ])) {
        const semaphore = new CountingSemaphore(options);
        assert.equal(semaphore.value, value);
        assert.equal(semaphore.max, max);
    }
});

test('counting semaphore: enter and leave change the count, and leave restores the words', () => {
    const semaphore = new CountingSemaphore({ max: 5 });
    const rest = restOf(semaphore);
    semaphore.enter();
    semaphore.enter({ permits: 3 });
    assert.equal(semaphore.value, 1);
    assert.equal(semaphore.tryEnter({ permits: 2 }), false);
    assert.equal(semaphore.tryEnter({ timeout: 1, permits: 2 }), false);
    assert.equal(semaphore.tryEnter(), true);
    assert.equal(semaphore.value, 0);
    assert.equal(semaphore.tryEnter(), false);
    semaphore.leave(2);
    semaphore.leave(3);
    assert.equal(semaphore.value, 5);
    assertAtRest(semaphore, rest);
});

test('semaphores: release() returns the permits of acquire(), and the guard may be dropped', async () => {
    for (const semaphore of [new BinarySemaphore(), new CountingSemaphore({ max: 2 })]) {
        const rest = restOf(semaphore);
        semaphore.acquire();
        assert.equal(semaphore.value, semaphore.max - 1);
        semaphore.release();
        await semaphore.acquireAsync();
        semaphore.release();
        assert.ok(semaphore.tryAcquire());
        semaphore.release(1);
        const { max } = semaphore;
        semaphore.acquire({ permits: max });
        assert.equal(semaphore.tryAcquire(), null);
        semaphore.release(max);
        assertAtRest(semaphore, rest);
    }
});

test('semaphores: release() may be called by another thread, and grants a request', async (t) => {
    const semaphore = new BinarySemaphore({ initial: 0 });
    const request = semaphore.acquireAsync();
    startThread(t, 'releaser', semaphore.handle);
    await met(request, semaphore);
    assert.equal(semaphore.value, 0);
});

test('semaphores: release() refuses an invalid number, and more permits than max', () => {
    const semaphore = new CountingSemaphore({ max: 2 });
    for (const count of [0, -1, 1.5, 3, NaN, '1', null, {}]) {
        assert.throws(
            () => semaphore.release(/** @type {any} */ (count)),
            errorWith('HF_BAD_COUNT', /permits/),
        );
    }
    assert.throws(() => semaphore.release(), errorWith('HF_OVERFLOW', /above its max of 2/));
    assert.equal(semaphore.value, 2);
    const guard = semaphore.acquire();
    semaphore.release();
    assert.throws(() => guard.release(), errorWith('HF_OVERFLOW', /above its max/));
});

test('counting semaphore: one request can take all permits of the largest semaphore', () => {
    const max = 536_870_911;
    const semaphore = new CountingSemaphore({ max });
    semaphore.enter({ permits: max });
    assert.equal(semaphore.value, 0);
    semaphore.leave(max);
    assert.equal(semaphore.value, max);
});

test('binary semaphore: tryEnter takes a free permit with any timeout', () => {
    const semaphore = new BinarySemaphore();
    for (const timeout of [undefined, 0, -1, -Infinity, 0.001, 5, 1e12, Infinity]) {
        assert.equal(semaphore.tryEnter({ timeout }), true, `timeout ${timeout}`);
        semaphore.leave();
    }
});

test('counting semaphore: leave beyond max is refused, and changes nothing', () => {
    for (const semaphore of [
        new BinarySemaphore(),
        new CountingSemaphore({ max: 3 }),
        new CountingSemaphore({ initial: 0, max: 1 }),
    ]) {
        const { value, max } = semaphore;
        const words = wordsOf(semaphore);
        const left = max - value;
        if (left < max) {
            const isBad = errorWith(
                'HF_OVERFLOW',
                new RegExp(`leave\\(${max}\\).*above its max of ${max} permits`),
            );
            assert.throws(() => semaphore.leave(max), isBad);
            assert.throws(() => semaphore.leave(left + 1), errorWith('HF_OVERFLOW', /raise max/));
        }
        assert.deepEqual(wordsOf(semaphore), words);
        assert.equal(semaphore.value, value);
    }
});

test('counting semaphore: leave can add permits, up to max', () => {
    const semaphore = new CountingSemaphore({ initial: 0, max: 3 });
    semaphore.leave(2);
    semaphore.leave();
    assert.equal(semaphore.value, 3);
    assert.throws(() => semaphore.leave(), errorWith('HF_OVERFLOW', /above its max of 3 permits/));
});

test('counting semaphore: exec and execAsync pass on the result, and return the permits', async () => {
    const semaphore = new CountingSemaphore({ max: 5 });
    assert.equal(
        semaphore.exec(() => semaphore.value, { permits: 3 }),
        2,
    );
    assert.equal(
        semaphore.exec(() => semaphore.value),
        4,
    );
    assert.equal(await semaphore.execAsync(() => semaphore.value, { permits: 4 }), 1);
    const value = semaphore.execAsync(async () => {
        await jobEnds();
        return semaphore.value;
    });
    assert.equal(semaphore.value, 4);
    assert.equal(await met(value, semaphore), 4);
    assert.equal(semaphore.value, 5);
});

test('counting semaphore: execAsync runs the callback before it returns if permits are free', () => {
    const semaphore = new CountingSemaphore({ max: 1 });
    let ran = false;
    void semaphore.execAsync(() => (ran = true));
    assert.ok(ran);
});

test('counting semaphore: a callback that throws returns the permits', async () => {
    const semaphore = new CountingSemaphore({ max: 2 });
    const error = new Error('of the callback');
    const refuse = () => {
        throw error;
    };
    assert.throws(() => semaphore.exec(refuse, { permits: 2 }), error);
    assert.equal(semaphore.value, 2);
    assert.equal(await reasonOf(semaphore.execAsync(refuse)), error);
    assert.equal(await reasonOf(semaphore.execAsync(async () => refuse(), { permits: 2 })), error);
    semaphore.enter({ permits: 2 });
    const waited = reasonOf(semaphore.execAsync(refuse));
    await jobEnds();
    semaphore.leave(2);
    assert.equal(await met(waited, semaphore), error);
    assert.equal(semaphore.value, 2);
});

test("counting semaphore: a callback that throws returns its section's permits, and no others", async () => {
    const semaphore = new CountingSemaphore({ max: 3 });
    const refuse = () => {
        throw new Error('of the callback');
    };
    semaphore.enter({ permits: 2 }); // so a wrong section could return more permits than it took
    assert.throws(() => semaphore.exec(refuse));
    assert.equal(semaphore.value, 1);
    await assert.rejects(semaphore.execAsync(refuse));
    assert.equal(semaphore.value, 1);
});

test('counting semaphore: a section gets HF_OVERFLOW at its end if its callback called leave()', async () => {
    const semaphore = new CountingSemaphore({ max: 1 });
    assert.throws(() => semaphore.exec(() => semaphore.leave()), errorWith('HF_OVERFLOW', /leave\(1\)/));
    await assert.rejects(
        semaphore.execAsync(() => semaphore.leave()),
        errorWith('HF_OVERFLOW', /leave\(1\)/),
    );
    assert.equal(semaphore.value, 1);
});

test('binary semaphore: a section may await a later section of its own thread, since a semaphore has no owner', async () => {
    const semaphore = new BinarySemaphore();
    const later = semaphore.execAsync(() => semaphore.execAsync(() => 7));
    await jobEnds();
    semaphore.leave();
    // The outer section has no permit left to return.
    await assert.rejects(met(later, semaphore), errorWith('HF_OVERFLOW', /leave/));
    assert.equal(semaphore.value, 1);
});

test("counting semaphore: a number of permits that equals a thread's identity is not taken for an owner", async (t) => {
    const space = new LockSpace();
    const mutex = new Mutex({ space });
    mutex.lock();
    const self = (new Int32Array(space.buffer)[mutex.byteOffset / 4] ?? 0) & THREAD_MASK;
    mutex.unlock();
    const semaphore = new CountingSemaphore({ space, max: SEMAPHORE_MOST });
    assert.ok(self < SEMAPHORE_MOST);
    const guard = await semaphore.acquireAsync({ permits: self });
    t.after(() => guard.release());
    const entered = semaphore.enterAsync().then(() => semaphore.leave());
    await within(entered, 'one of the other permits', [semaphore]);
    const most = semaphore.max - self;
    await assert.rejects(semaphore.enterAsync({ permits: most + 1, timeout: 1 }), {
        code: 'HF_TIMEOUT',
        message: /^Timed out after 1 ms waiting for CountingSemaphore at \d+\.$/,
    });
});

test('counting semaphore: a later small request of the same thread does not overtake a large one', async () => {
    const semaphore = new CountingSemaphore({ initial: 1, max: 3 });
    /** @type {string[]} */
    const order = [];
    const many = semaphore.enterAsync({ permits: 3 }).then(() => order.push('many'));
    const one = semaphore.enterAsync().then(() => order.push('one'));
    await jobEnds();
    assert.deepEqual(order, []);
    semaphore.leave();
    await jobEnds();
    assert.deepEqual(order, []);
    semaphore.leave();
    await met(many, semaphore);
    semaphore.leave(3);
    await met(one, semaphore);
    assert.deepEqual(order, ['many', 'one']);
});

for (const end of /** @type {const} */ (['timeout', 'abort'])) {
    test(`counting semaphore: a small request is granted when the large one ahead of it gives up (${end})`, async () => {
        const semaphore = new CountingSemaphore({ initial: 1, max: 3 });
        const controller = new AbortController();
        const limit = end === 'abort' ? { signal: controller.signal } : { timeout: 3 };
        const many = reasonOf(semaphore.enterAsync({ permits: 3, ...limit }));
        const one = semaphore.enterAsync();
        await jobEnds();
        if (end === 'abort') {
            controller.abort();
        }
        await met(many, semaphore);
        await met(one, semaphore);
        assert.equal(semaphore.value, 0);
    });
}

test('counting semaphore: one leave() of many permits grants all requests that fit', async () => {
    const semaphore = new CountingSemaphore({ initial: 0, max: 10 });
    const three = Array.from({ length: 3 }, () => semaphore.enterAsync({ permits: 2 }));
    await jobEnds();
    semaphore.leave(7);
    await met(Promise.all(three), semaphore);
    assert.equal(semaphore.value, 1);
});

for (const way of /** @type {const} */ (['tryEnter with a timeout', 'enter'])) {
    test(`counting semaphore: a thread may enter ahead of its own request, which is granted later (${way})`, async () => {
        const semaphore = new CountingSemaphore({ initial: 1, max: 3 });
        const request = semaphore.enterAsync({ permits: 2 });
        await jobEnds();
        if (way === 'enter') {
            semaphore.enter();
        } else {
            assert.equal(semaphore.tryEnter({ timeout: 1000 }), true);
        }
        semaphore.leave();
        await jobEnds();
        semaphore.leave();
        await met(request, semaphore);
        assert.equal(semaphore.value, 0);
    });
}

test('binary semaphore: zeroed memory is a semaphore with a free permit', () => {
    const memory = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true });
    const semaphore = BinarySemaphore.at(memory, 64);
    assert.equal(semaphore.value, 1);
    semaphore.enter();
    assert.equal(BinarySemaphore.at(memory, 64).tryEnter(), false);
    BinarySemaphore.at(memory, 64).leave();
    assert.equal(semaphore.value, 1);
});

test('counting semaphore: a new semaphore in freed bytes has its own maximum, in this thread', async () => {
    const space = new LockSpace();
    const former = new CountingSemaphore({ space, max: 2 });
    former.enter({ permits: 2 });
    const { signal } = new AbortController();
    const abandoned = former.enterAsync({ timeout: 1, signal });
    await reasonOf(abandoned);
    space.free(former);
    const semaphore = new CountingSemaphore({ space, max: 5 });
    assert.equal(semaphore.byteOffset, former.byteOffset);
    assert.equal(semaphore.value, 5);
    assert.equal(semaphore.tryEnter({ permits: 5 }), true);
    assert.equal(semaphore.tryEnter(), false);
    const request = semaphore.enterAsync({ permits: 4 });
    await jobEnds();
    semaphore.leave(4);
    await met(request, semaphore);
    semaphore.leave(5);
    space.free(semaphore);
    const small = new CountingSemaphore({ space, max: 1 });
    assert.equal(small.byteOffset, former.byteOffset);
    assert.throws(() => small.enter({ permits: 2 }), errorWith('HF_BAD_COUNT', /from 1 to 1, not 2/));
    small.enter();
    assert.equal(await small.enterAsync({ timeout: 0 }).catch(({ code }) => code), 'HF_TIMEOUT');
    small.leave();
});

for (const way of /** @type {const} */ (['blocking', 'async'])) {
    test(`counting semaphore: a new semaphore in freed bytes has its own maximum, in another thread (${way})`, async (t) => {
        const space = new LockSpace();
        const former = new CountingSemaphore({ space, initial: 0, max: 1 });
        const board = makeBoard(5);
        const [asks, got, next, asksMany, gotMany] = [0, 1, 2, 3, 4];
        const stages = { asks, got, next, asksMany, gotMany };
        startThread(t, 'permit-taker', { handle: former.handle, board, way, permits: 4, ...stages });
        await within(reached(board, asks), 'the first request', [former]);
        former.leave();
        await within(reached(board, got), 'the first permit', [former]);
        space.free(former);
        const semaphore = new CountingSemaphore({ space, initial: 1, max: 4 });
        assert.equal(semaphore.byteOffset, former.byteOffset);
        reach(board, next);
        await within(reached(board, asksMany), 'the second request', [semaphore]);
        semaphore.leave(3);
        await within(reached(board, gotMany), 'four permits', [semaphore]);
        assert.equal(semaphore.value, 0);
    });
}

test('semaphore: a pending request keeps new permits from its own thread, and is granted', async () => {
    const semaphore = new CountingSemaphore({ initial: 3 });
    assert.ok(semaphore.tryEnter({ permits: 2 }));
    await nextTask(); // if a turn were due, the request would begin after it
    const request = semaphore.enterAsync({ permits: 2 });
    await jobEnds();
    assert.ok(!semaphore.tryEnter());
    semaphore.leave(2);
    await met(request, semaphore);
    semaphore.leave(2);
    assert.equal(semaphore.value, 3);
});
