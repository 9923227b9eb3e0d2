/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Condition, CountingSemaphore, Event, LockSpace, Mutex } from '../../js-glue/index.js';
import { environment } from '../../js-glue/thread/environment.js';
import { BURST_MS } from '../../js-glue/thread/times.js';
import { schedule } from '../../js-glue/thread/event-loop.js';
import { work } from '../support/board.js';
import { replaceInEnvironment } from '../support/environment.js';
import { countTimers, jobEnds } from '../support/event-loop.js';
import { isQuick } from '../support/tier.js';
import { within } from '../support/watchdog.js';
import { restOf, assertAtRest } from '../support/words.js';

/* If many requests end or are granted at once, the thread yields to other work in between: no turn of the
 * event loop takes a large part of the processor time. (Not of the elapsed time, since a busy machine makes
 * every turn longer.) Two turns may be longer, with garbage collections. */

const LARGE_PART = 1 / 2;
const LEAST_TURNS = 4;
const COLLECTIONS = 2;
const PATIENCE_MS = 60_000;

const cpuMilliseconds = () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
};

/**
 * The number of turns, and the longest turn's share of the processor time. Turns with a garbage collection do not
 * count.
 *
 * @param {() => unknown} begin
 * @param {Promise<unknown>} end
 */
async function turnsOf(begin, end) {
    const start = cpuMilliseconds();
    let last = start;
    /** @type {number[]} */
    const turns = [];
    let isOver = false;
    const tick = () => {
        const now = cpuMilliseconds();
        turns.push(now - last);
        last = now;
        return isOver || setImmediate(tick);
    };
    begin();
    tick();
    await within(end, 'all', [], PATIENCE_MS);
    isOver = true;
    const [long = Infinity] = turns.toSorted((a, b) => b - a).slice(COLLECTIONS);
    return { part: long / (cpuMilliseconds() - start), turns: turns.length };
}

/**
 * @param {import('node:test').TestContext} t
 * @param {{ part: number, turns: number }} result
 */
function assertInTurns(t, { part, turns }) {
    t.diagnostic(`a long turn took ${(100 * part).toFixed(0)} % of the time, of ${turns} turns`);
    assert.ok(turns >= LEAST_TURNS, `${turns} turns`);
    assert.ok(part < LARGE_PART, `a turn took ${(100 * part).toFixed(0)} % of the time`);
}

/** @param {Promise<unknown>[]} requests */
function outcomes(requests) {
    /** @type {number[]} */
    const order = [];
    const all = Promise.all(requests.map((request, index) => request.catch(() => order.push(index))));
    return { order, all };
}

/** @param {number[]} order */
function assertSorted(order) {
    assert.ok(
        order.every((value, index) => value === index),
        'not in the order made',
    );
}

/** So many requests end in a few dozen milliseconds. */
const MANY = 60_000;
/** Fewer requests in the quick tier, since these take longer to end. */
const FEWER = isQuick ? 30_000 : MANY;

test('yielding: many requests that time out at once end in several turns, in the order made', async (t) => {
    const timers = countTimers();
    const semaphore = new CountingSemaphore({ initial: 0, max: 1 });
    const rest = restOf(semaphore);
    /** @type {Promise<unknown>[]} */
    const requests = [];
    const { part, turns } = await (async () => {
        for (let index = 0; index < FEWER; index += 1) {
            requests.push(semaphore.enterAsync({ timeout: 1500 }));
        }
        const { order, all } = outcomes(requests);
        await jobEnds();
        const result = await turnsOf(() => {}, all);
        assertSorted(order);
        return result;
    })();
    await jobEnds();
    assertAtRest(semaphore, rest);
    assert.equal(countTimers(), timers);
    assertInTurns(t, { part, turns });
});

test('yielding: many requests of one aborted signal end in several turns, in the order made', async (t) => {
    const semaphore = new CountingSemaphore({ initial: 0, max: 2 });
    const rest = restOf(semaphore);
    const controller = new AbortController();
    const { signal } = controller;
    const requests = Array.from({ length: MANY }, (_, index) =>
        semaphore.enterAsync({ signal, permits: 1 + (index % 2) }),
    );
    const { order, all } = outcomes(requests);
    await jobEnds();
    const result = await turnsOf(() => controller.abort(), all);
    assertSorted(order);
    await jobEnds();
    assertAtRest(semaphore, rest);
    assertInTurns(t, result);
});

test('yielding: a granted request stays granted while many aborted requests before it end', async () => {
    const semaphore = new CountingSemaphore({ initial: 0, max: 2 });
    const controller = new AbortController();
    const { signal } = controller;
    const requests = Array.from({ length: FEWER }, () => semaphore.enterAsync({ signal, permits: 2 }));
    const { all, order } = outcomes(requests);
    const behind = semaphore.enterAsync();
    await jobEnds();
    controller.abort();
    semaphore.leave(2);
    await within(behind, 'the one behind', [semaphore], PATIENCE_MS);
    await within(all, 'those given up', [semaphore], PATIENCE_MS);
    assert.equal(order.length, FEWER, 'one was met after the abort');
    assert.equal(semaphore.value, 1);
});

test('yielding: many waits that are notified at once resume in several turns, in the order made', async (t) => {
    const mutex = new Mutex();
    const condition = new Condition();
    const order = /** @type {number[]} */ ([]);
    let begun = 0;
    const requests = Array.from({ length: 10_000 }, (_, index) =>
        mutex.execAsync(async () => {
            begun += 1;
            await condition.waitAsync(mutex);
            order.push(index);
        }),
    );
    while (begun < requests.length) {
        await jobEnds();
    }
    await jobEnds();
    const result = await turnsOf(() => condition.notify(), Promise.all(requests));
    assertSorted(order);
    assertInTurns(t, result);
});

for (const [where, parts] of /** @type {const} */ ([
    ['', {}],
    [' without waitAsync', { waitAsync: undefined }],
])) {
    test(`yielding: many waits, each for its own object, that are granted at once${where} resume in several turns`, async (t) => {
        t.after(replaceInEnvironment(parts));
        const space = new LockSpace({ pages: 24 });
        const events = Array.from({ length: FEWER / 2 }, () => new Event({ space }));
        let met = 0;
        const requests = events.map((event) => event.waitAsync().then(() => (met += 1)));
        await jobEnds();
        events.forEach((event) => event.set());
        let inOneTurn = 0;
        for (const end = performance.now() + PATIENCE_MS; met < events.length && performance.now() < end;) {
            const before = met;
            await jobEnds();
            inOneTurn = Math.max(inOneTurn, met - before);
        }
        await within(Promise.all(requests), 'all', []);
        assert.ok(inOneTurn < events.length * LARGE_PART, `${inOneTurn} went on in one turn`);
    });
}

test('yielding: tasks that are scheduled in one job share the time of one burst', async (t) => {
    let now = environment.now() + BURST_MS; // later than all earlier bursts
    const passTime = () => (now += 1); // so a burst of n milliseconds lasts for n reads of the clock
    const restore = replaceInEnvironment({ now: passTime });
    t.after(restore);
    let done = 0;
    const all = new Promise((resolve) => {
        const work = () => {
            done += 1;
            return done === 10 * BURST_MS ? resolve(undefined) : undefined;
        };
        for (let made = 0; made < 10 * BURST_MS; made += 1) {
            schedule({ work });
        }
    });
    assert.ok(done <= BURST_MS, `${done} in one job`);
    await within(all, 'the others', []);
    restore();
    while (environment.now() < now) {
        await jobEnds(); // ends the bursts of this test before the next test begins
    }
});

test('yielding: other tasks have a turn after each callback that aborts a wait', async () => {
    const CALLBACKS = 40;
    const LONGER_THAN_A_BURST_MS = 5;
    const mutex = new Mutex();
    const other = new Mutex();
    other.lock();
    const guard = await mutex.acquireAsync();
    const aborted = [];
    const ran = [];
    for (let made = 0; made < CALLBACKS; made += 1) {
        const controller = new AbortController();
        aborted.push(other.execAsync(() => {}, { signal: controller.signal }).catch(() => {}));
        ran.push(
            mutex.execAsync(() => {
                work(LONGER_THAN_A_BURST_MS);
                controller.abort();
            }),
        );
    }
    guard.release();
    let ticks = 0;
    const ticker = setInterval(() => (ticks += 1), 1);
    await within(Promise.all([...ran, ...aborted]), 'the callbacks', [mutex, other], PATIENCE_MS);
    clearInterval(ticker);
    other.unlock();
    assert.ok(ticks >= CALLBACKS / 2, `${ticks} turns of a timer beside ${CALLBACKS} callbacks`);
});

test('yielding: many requests of a freed lock are rejected in several turns, in the order made', async (t) => {
    const space = new LockSpace();
    const semaphore = new CountingSemaphore({ space, initial: 0, max: 1 });
    const { byteOffset } = semaphore;
    const requests = Array.from({ length: FEWER }, () => semaphore.enterAsync());
    const { order, all } = outcomes(requests);
    await jobEnds();
    const result = await turnsOf(() => space.free(semaphore), all);
    assertSorted(order);
    assert.equal(order.length, FEWER);
    const next = new CountingSemaphore({ space, max: 1 });
    assert.equal(next.byteOffset, byteOffset);
    assert.equal(next.value, 1);
    assertInTurns(t, result);
});
