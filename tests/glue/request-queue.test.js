/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { environment } from '../../js-glue/thread/environment.js';
import { LockSpace, Mutex } from '../../js-glue/index.js';
import { RESULT_OK } from '../../js-glue/memory/layout.js';
import { trace } from '../../js-glue/trace.js';
import { Queue } from '../../js-glue/waiting/queue.js';
import { request } from '../../js-glue/waiting/request.js';
import { setAlarm } from '../../js-glue/thread/event-loop.js';
import { BURST_MS, LATE_STEP_EVERY } from '../../js-glue/thread/times.js';
import { blockUntilReached, makeBoard, reach, reached } from '../support/board.js';
import { waitWithLimit, waitWithoutLimit } from '../support/endless.js';
import { replaceInEnvironment } from '../support/environment.js';
import { startThread } from '../support/thread.js';
import { PATIENCE_MS, within } from '../support/watchdog.js';
import { assertFree } from '../support/words.js';

/* The order in which a thread's own requests, guards and signals take effect. */

const timerEnds = (/** @type {number} */ milliseconds) =>
    new Promise((resolve) => setTimeout(resolve, milliseconds));

/**
 * Acquires a guard in a burst, so that the next guard may follow at once.
 *
 * @param {Mutex} mutex
 */
async function inBurst(mutex) {
    const first = await mutex.acquireAsync();
    const second = mutex.acquireAsync();
    first.release();
    return within(second, 'the second guard', [mutex]);
}

/** @typedef {import('../../js-glue/waiting/queue.js').Waitable} Waitable */

/** @param {Partial<Waitable> & Pick<Waitable, 'step'>} gate */
function queueOf(gate) {
    return new Queue({
        withdraw() {},
        giveUp: () => false,
        locate: () => ({ words: new Int32Array(1), index: 0 }),
        read: () => 0,
        isMine: () => false,
        probe() {},
        hide() {},
        ...gate,
    });
}

/**
 * A queue whose requests are granted only after several unsuccessful steps, with a record of the steps.
 *
 * @param {number} inVain
 */
function queueThatWaits(inVain) {
    /** @type {boolean[]} */
    const comesLate = [];
    let left = inVain;
    const words = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
    const HAS_CHANGED = -1; // the word has changed, so the next step comes at once
    const queue = queueOf({
        locate: () => ({ words, index: 0 }),
        step(_, late) {
            comesLate.push(late);
            left = left === 0 ? inVain : left - 1;
            const word = left === inVain ? undefined : 'turn';
            return {
                word,
                expected: word === undefined ? RESULT_OK : HAS_CHANGED,
                watched: 0,
                isOldest: false,
                reservation: 0,
            };
        },
    });
    return {
        comesLate,
        ask: () => request(queue, 1, () => {}, undefined, { timeout: Infinity, signal: undefined }),
    };
}

test('request queue: a request that waits for long sometimes asks for a long reservation', async () => {
    const { comesLate, ask } = queueThatWaits(2 * LATE_STEP_EVERY);
    const stepsOfOne = Array.from(
        { length: 2 * LATE_STEP_EVERY + 1 },
        (_, step) => step === LATE_STEP_EVERY - 1 || step === 2 * LATE_STEP_EVERY - 1,
    );
    await within(ask(), 'the first request', []);
    assert.deepEqual(comesLate, stepsOfOne);
    await within(ask(), 'the second request', []);
    assert.deepEqual(comesLate, [...stepsOfOne, ...stepsOfOne]);
});

test('request queue: without waitAsync each step asks for a long reservation', async (t) => {
    t.after(replaceInEnvironment({ waitAsync: undefined }));
    const { comesLate, ask } = queueThatWaits(2);
    await within(ask(), 'the request', []);
    assert.deepEqual(comesLate, [true, true, true]);
});

test('request queue: release() of a guard runs no callback of another request', async () => {
    const mutex = new Mutex();
    const guard = await inBurst(mutex);
    let runs = 0;
    const behind = mutex.execAsync(() => {
        runs += 1;
    });
    guard.release();
    assert.equal(runs, 0);
    await within(behind, 'the request behind', [mutex]);
    assert.equal(runs, 1);
    assertFree(mutex);
});

test('request queue: a request made in a callback runs after executeLocked() has returned', async () => {
    const mutex = new Mutex();
    (await inBurst(mutex)).release();
    let returned = false;
    /** @type {Promise<boolean> | undefined} */
    let inner;
    const outer = mutex.execAsync(() => {
        inner = mutex.execAsync(() => returned);
    });
    returned = true;
    await outer;
    assert.equal(await inner, true);
    assertFree(mutex);
});

test('request queue: a series of guards lets other tasks have turns', async () => {
    const mutex = new Mutex();
    let ticks = 0;
    const ticker = setInterval(() => (ticks += 1), 1);
    const end = performance.now() + PATIENCE_MS;
    /** @returns {Promise<void>} */
    const chain = async () => {
        const guard = await mutex.acquireAsync();
        guard.release();
        return ticks < 3 && performance.now() < end ? chain() : undefined;
    };
    // Two chains, so that each release finds a request behind it.
    await within(Promise.all([chain(), chain()]), 'two chains of guards', [mutex]);
    clearInterval(ticker);
    assert.ok(ticks >= 3, `${ticks} ticks of a timer in ${PATIENCE_MS} ms`);
    assertFree(mutex);
});

test('request queue: a burst ends in time even if each of its guards requests the next', async (t) => {
    const MOST_IN_BURST = 2 * BURST_MS;
    const GUARDS = 100;
    let now = environment.now(); // later than all earlier bursts
    let inBurst = 0;
    let longest = 0;
    const { setTimeout } = environment;
    const yieldToLoop = (/** @type {() => void} */ callback) => {
        inBurst = 0;
        setTimeout(callback);
    };
    const passTime = () => (now += 1); // so a burst of n milliseconds lasts for n reads of the clock
    t.after(replaceInEnvironment({ now: passTime, setImmediate: yieldToLoop }));
    const mutex = new Mutex();
    /** @param {number} left @returns {Promise<void>} */
    const chain = async (left) => {
        const guard = await mutex.acquireAsync();
        inBurst += 1;
        longest = Math.max(longest, inBurst);
        guard.release();
        return left > 1 ? chain(left - 1) : undefined;
    };
    await within(Promise.all([chain(GUARDS), chain(GUARDS)]), 'two chains of guards', [mutex]);
    assert.ok(longest > 1, 'each guard had a turn of its own');
    assert.ok(longest <= MOST_IN_BURST, `${longest} guards without a turn for other tasks`);
    assertFree(mutex);
});

test('request queue: a callback never runs after its signal has aborted', async () => {
    const mutex = new Mutex();
    const controller = new AbortController();
    const { signal } = controller;
    mutex.lock();
    const first = mutex.acquireAsync();
    signal.addEventListener('abort', () => guard.release());
    const aborted = mutex.execAsync(assert.fail, { signal });
    const behind = mutex.execAsync(() => 7);
    mutex.unlock();
    const guard = await first;
    controller.abort();
    await assert.rejects(aborted, { name: 'AbortError' });
    assert.equal(await within(behind, 'the request behind', [mutex]), 7);
    assertFree(mutex);
});

test('request queue: if a request is aborted while it is being granted, its callback does not run', async () => {
    const mutex = new Mutex();
    const controller = new AbortController();
    let reads = 0;
    mutex.lock();
    // The second time, its `then` is read after the release, while the queue continues with the next request.
    const odd = {
        get then() {
            reads += 1;
            if (reads === 2) {
                controller.abort();
            }
            return undefined;
        },
    };
    const first = mutex.execAsync(() => odd);
    const aborted = mutex.execAsync(assert.fail, { signal: controller.signal });
    mutex.unlock();
    await assert.rejects(aborted, { name: 'AbortError' });
    assert.equal(await within(first, 'the first request', [mutex]), odd);
    assert.ok(reads >= 2, `its then was read ${reads} times`);
    assertFree(mutex);
    assert.equal(
        await within(
            mutex.execAsync(() => 7),
            'a later request',
            [mutex],
        ),
        7,
    );
});

test('request queue: an old wait for a freed lock does not consume wake-ups of the next lock at its address', async (t) => {
    waitWithoutLimit();
    t.after(waitWithLimit);
    const space = new LockSpace();
    const former = new Mutex({ space });
    former.lock();
    await assert.rejects(former.execAsync(assert.fail, { timeout: 2 }), { code: 'HF_TIMEOUT' });
    former.unlock();
    space.free(former);
    const mutex = new Mutex({ space });
    assert.equal(mutex.byteOffset, former.byteOffset);
    mutex.lock();
    const request = mutex.execAsync(() => 7);
    await timerEnds(2);
    mutex.unlock();
    assert.equal(await within(request, 'a request of the next life', [mutex]), 7);
    assertFree(mutex);
});

test('request queue: repeated tryLock() waits for the whole of each reservation, whatever came before', async (t) => {
    const mutex = new Mutex({ space: new LockSpace() });
    const rounds = 4;
    const board = makeBoard(4 * rounds);
    startThread(t, 'sluggish', { handle: mutex.handle, board, rounds });
    for (let round = 0; round < rounds; round += 1) {
        const [locked = 0, waits = 0, tried = 0, served = 0] = [0, 1, 2, 3].map((stage) => 4 * round + stage);
        mutex.lock();
        reach(board, locked);
        blockUntilReached(board, waits);
        mutex.unlock();
        // In each round the lock is reserved anew for the other thread, which blocks. Times of several rounds
        // must not add up to one long reservation.
        assert.equal(mutex.tryLock(), false, `round ${round}`);
        const end = performance.now() + PATIENCE_MS;
        while (!mutex.tryLock()) {
            assert.ok(performance.now() < end, `round ${round}: not taken after a whole reservation`);
        }
        mutex.unlock(); // the time of the reservation has ended
        reach(board, tried);
        await within(reached(board, served), `round ${round}`, [mutex]);
    }
    assertFree(mutex);
});

test('request queue: an alarm never rings early, even if setTimeout is early', async () => {
    let early = 0;
    for (let round = 0; round < 200; round += 1) {
        const busyUntil = performance.now() + (round % 10) / 5;
        while (performance.now() < busyUntil) {
            // like a job that works before it starts the timer
        }
        const start = performance.now();
        await new Promise((resolve) => setAlarm({ ring: () => resolve(undefined) }, start + 1));
        early += performance.now() - start < 1 ? 1 : 0;
    }
    assert.equal(early, 0);
});

test('request queue: if another listener stops the abort event, the request still ends at its turn', async () => {
    const mutex = new Mutex();
    const guard = await mutex.acquireAsync();
    const controller = new AbortController();
    // This listener runs first, and hides the event from all other listeners.
    controller.signal.addEventListener('abort', (event) => event.stopImmediatePropagation());
    const ended = mutex.execAsync(assert.fail, { signal: controller.signal });
    const served = mutex.execAsync(() => 'served');
    controller.abort(new Error('no longer'));
    guard.release();
    await assert.rejects(within(ended, 'the end', [mutex]), /no longer/);
    assert.equal(await within(served, 'the next request', [mutex]), 'served');
    assertFree(mutex);
});

test('request queue: if the end of a watch comes late, it does not end the next watch', async (t) => {
    const [former, next] = [7, 8];
    /** @type {(() => void)[]} */
    const timers = [];
    /** @type {(() => void)[]} */
    const turns = [];
    /** @type {(() => void)[]} */
    const wakes = [];
    let time = environment.now();
    const restore = replaceInEnvironment({
        now: () => (time += 2 * BURST_MS), // so everything is deferred to its own turn
        setTimeout: (/** @type {() => void} */ callback) => timers.push(callback),
        clearTimeout: () => {},
        setImmediate: (/** @type {() => void} */ callback) => turns.push(callback),
        waitAsync: (
            /** @type {unknown} */ _,
            /** @type {number} */ _index,
            /** @type {number} */ _value,
            /** @type {unknown[]} */ ...limit
        ) => ({
            async: true,
            value: new Promise((resolve) => limit.length > 0 || wakes.push(() => resolve('ok'))),
        }),
    });
    t.after(restore);
    let watched = former;
    /** @type {number[]} */
    const outlasted = [];
    const queue = queueOf({
        step(_, late, inLine, past) {
            outlasted.push(past);
            return past !== watched
                ? { word: 'turn', expected: 0, watched, isOldest: false, reservation: 1 }
                : { word: undefined, expected: 0, watched: 0, isOldest: false, reservation: 0 };
        },
    });
    const controller = new AbortController();
    const wait = { timeout: Infinity, signal: controller.signal };
    const asked = request(queue, 1, () => 'met', undefined, wait).catch(() => {});
    while (wakes.length === 0) {
        turns.shift()?.();
        await Promise.resolve();
    }
    watched = next;
    wakes.shift()?.();
    await Promise.resolve().then(() => {});
    timers.splice(0).forEach((callback) => callback());
    while (turns.length > 0) {
        turns.shift()?.();
        await Promise.resolve();
    }
    assert.ok(outlasted.length >= 2, `${outlasted.length} steps`);
    assert.ok(!outlasted.includes(next), `${outlasted} had outlasted their time`);
    controller.abort();
    while (turns.length > 0) {
        turns.shift()?.();
    }
    await within(asked, 'the end', []);
});

/** A program's subclass that keeps the promises of acquireAsync(). recoverAsync() does not expose them. */
class Keeper extends Mutex {
    /** @type {Promise<import('../../js-glue/index.js').Guard> | undefined} */
    kept;

    /** @param {import('../../js-glue/options.js').WaitOptions} [options] */
    acquireAsync(options) {
        return (this.kept = super.acquireAsync(options));
    }
}

for (const [how, wrap] of /** @type {[string, (mutex: Mutex) => () => void][]} */ ([
    ['', () => () => {}],
    [', traced', (mutex) => trace(mutex)],
])) {
    test(`mutex: a callback may return an earlier request for its own lock, once that has ended${how}`, async (t) => {
        const mutex = new Mutex();
        t.after(wrap(mutex));
        mutex.lock();
        const met = mutex.execAsync(() => 7);
        const late = mutex.execAsync(() => 8, { timeout: 1 });
        const isLate = { code: 'HF_TIMEOUT' };
        await within(assert.rejects(late, isLate), 'the late one', [mutex]);
        mutex.unlock();
        assert.equal(await within(met, 'the other one', [mutex]), 7);
        assert.equal(await mutex.execAsync(() => met), 7);
        await assert.rejects(
            mutex.execAsync(() => late),
            isLate,
        );
        assertFree(mutex);
    });

    test(`mutex: a callback may return the settled promise of its own recoverAsync()${how}`, async (t) => {
        const mutex = new Keeper();
        t.after(wrap(mutex));
        mutex.lock();
        const repaired = mutex.recoverAsync(assert.fail);
        const inner = mutex.kept;
        mutex.unlock();
        assert.equal(await within(repaired, 'the repair', [mutex]), false);
        assert.equal(await mutex.execAsync(() => inner), await inner);
        assertFree(mutex);
    });
}
