/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CountingSemaphore, LockSpace, Mutex } from '../../js-glue/index.js';
import { GATE_LINE_OFFSET, STEP_TOKEN_AGE_SHIFT, THREAD_JS } from '../../js-glue/memory/layout.js';
import { jobEnds } from '../support/event-loop.js';
import { MOST_OVERTAKEN, mostButOne, overtakenBy, RETAKINGS } from '../support/retaking.js';
import { messageOf, startThread } from '../support/thread.js';
import { within } from '../support/watchdog.js';
import { wordsOf } from '../support/words.js';

/* How often a waiter is overtaken, counted in rounds of the thread that overtakes it. */

const PATIENCE_MS = 30_000;

for (const retaking of RETAKINGS) {
    for (const ask of retaking.asks) {
        test(`overtaking: ${ask}() is overtaken only a few times by a thread that has a request and takes ${retaking.name}`, async (t) => {
            const overtaken = await overtakenBy(retaking, ask, (task) =>
                messageOf(startThread(t, 'asker', task), 'its asks', [], PATIENCE_MS),
            );
            assert.ok(mostButOne(overtaken) <= MOST_OVERTAKEN, `overtaken ${overtaken} times`);
        });
    }
}

/* Sections of 2 ms, twice the patience of a waiter: there is an heir at each release. */

const ENOUGH = 600;
const HOLD_MS = 2;

/**
 * A thread that a loaded machine suspends for long is also overtaken, once by 71 sections. Without the bound
 * nearly all sections overtake it.
 */
const MOST_OF_ENOUGH = ENOUGH / 4;

/** Several sections pass during a job longer than this. */
const LONG_JOB_MS = 4;

/**
 * The time limit of a wait is a little longer than a section. At least one in this many waits must succeed. About
 * half of them do; without an order of waiters, one in 25.
 */
const LEAST_SHARE = 10;

const own = new Int32Array(new SharedArrayBuffer(4));

/**
 * Starts threads that hold something again and again, side by side.
 *
 * @param {import('node:test').TestContext} t
 * @param {Mutex | CountingSemaphore} lock
 * @param {{ permits: number, isLoop?: boolean, holdMs?: number, threads: number }[]} holders 0 permits: of a mutex
 * @param {number} [enough] sections
 */
function startHolders(t, lock, holders, enough = ENOUGH) {
    const sections = new Int32Array(new SharedArrayBuffer(4));
    const shared = { handle: lock.handle, sections, enough, isLoop: false, holdMs: HOLD_MS };
    const most = holders.flatMap(({ threads, ...holder }) =>
        Array.from({ length: threads }, () =>
            messageOf(
                startThread(t, 'tight-holder', { ...shared, ...holder }),
                'its count',
                [lock],
                PATIENCE_MS,
            ),
        ),
    );
    return { sections, most: Promise.all(most) };
}

/**
 * @param {import('node:test').TestContext} t
 * @param {number[]} overtaken
 * @param {number} [most]
 */
function assertSeldom(t, overtaken, most = MOST_OF_ENOUGH) {
    t.diagnostic(`overtaken ${Math.max(...overtaken)} times at most`);
    assert.ok(Math.max(...overtaken) <= most, `overtaken ${overtaken} times`);
}

/**
 * Asserts that in one of three tries no waiter is overtaken more often than `most`. A loaded machine may suspend a waiter for
 * long: one was overtaken 89 times more than that. A lock without a bound fails all three tries.
 *
 * @param {import('node:test').TestContext} t
 * @param {() => Promise<number[]>} measure
 * @param {number} most
 */
async function assertSeldomInOneOfThree(t, measure, most) {
    let overtaken = await measure();
    for (let tries = 1; tries < 3 && Math.max(...overtaken) > most; tries += 1) {
        overtaken = await measure();
    }
    assertSeldom(t, overtaken, most);
}

test('overtaking: five threads that hold a mutex in turn all continue', async (t) => {
    const mutex = new Mutex({ space: new LockSpace() });
    assertSeldom(t, await startHolders(t, mutex, [{ permits: 0, threads: 5 }]).most);
});

/**
 * How often requests are overtaken of an event loop that pauses for a millisecond between its jobs.
 *
 * @param {import('node:test').TestContext} t
 * @param {Mutex | CountingSemaphore} lock
 * @param {() => Promise<unknown>} request
 * @param {{ permits: number, threads: number, jobMs: number, beforeEach?: () => void }} situation
 */
async function overtakenLoop(t, lock, request, { permits, threads, jobMs, beforeEach = () => {} }) {
    const { sections, most } = startHolders(t, lock, [{ permits, threads }]);
    let isOver = false;
    const done = most.finally(() => (isOver = true));
    const overtaken = [];
    while (!isOver) {
        beforeEach();
        const before = Atomics.load(sections, 0);
        let isMet = false;
        const met = request().then(() => (isMet = true));
        while (!isMet && !isOver) {
            Atomics.wait(own, 0, 0, jobMs);
            await new Promise((resolve) => setTimeout(resolve, 1));
        }
        overtaken.push(Atomics.load(sections, 0) - before);
        await within(met, 'the event loop', [lock]);
    }
    await done;
    return overtaken;
}

for (const { name, jobMs, permits, asks } of [
    {
        name: 'of short jobs acquires one of 4 permits among threads that take 3 each',
        jobMs: 2,
        permits: 3,
        asks: 1,
    },
    {
        name: 'of long jobs acquires 2 of 4 permits among threads that take 3 each',
        jobMs: 16,
        permits: 3,
        asks: 2,
    },
    { name: 'of long jobs acquires a mutex among threads', jobMs: 16, permits: 0, asks: 0 },
]) {
    test(`overtaking: an event loop ${name}`, async (t) => {
        const semaphore = new CountingSemaphore({ space: new LockSpace(), max: 4 });
        const mutex = new Mutex({ space: new LockSpace() });
        const measure = () =>
            asks > 0
                ? overtakenLoop(t, semaphore, () => semaphore.execAsync(() => {}, { permits: asks }), {
                      ...{ permits, threads: 4, jobMs },
                  })
                : overtakenLoop(t, mutex, () => mutex.execAsync(() => {}), {
                      permits,
                      threads: 4,
                      jobMs,
                  });
        await assertSeldomInOneOfThree(t, measure, MOST_OVERTAKEN * Math.max(jobMs / LONG_JOB_MS, 1));
    });
}

test('overtaking: an event loop acquires a mutex among threads even if the oldest async waiter has died', async (t) => {
    const mutex = new Mutex({ space: new LockSpace() });
    const line = new Uint32Array(mutex.memory.buffer, mutex.byteOffset + GATE_LINE_OFFSET, 1);
    const beforeEach = () => void Atomics.store(line, 0, THREAD_JS | (3 << STEP_TOKEN_AGE_SHIFT));
    const request = () => mutex.execAsync(() => {});
    assertSeldom(t, await overtakenLoop(t, mutex, request, { permits: 0, threads: 4, jobMs: 4, beforeEach }));
});

test('overtaking: a dead async waiter does not delay a thread that takes all permits', async (t) => {
    const semaphore = new CountingSemaphore({ space: new LockSpace(), max: 4 });
    semaphore.enter();
    const line = GATE_LINE_OFFSET / Uint32Array.BYTES_PER_ELEMENT;
    const rankOfOldest = () => (wordsOf(semaphore)[line] ?? 0) >>> STEP_TOKEN_AGE_SHIFT;
    const task = { kind: 'semaphore', handle: semaphore.handle, way: 'idle', permits: 4 };
    const loops = Array.from({ length: 2 }, () => startThread(t, 'wants-more', task));
    const untilOldest = async () => {
        while (rankOfOldest() === 0) {
            await jobEnds();
        }
    };
    await within(untilOldest(), 'the oldest', [semaphore]);
    await Promise.all(loops.map((loop) => loop.terminate()));
    semaphore.leave();
    assertSeldom(
        t,
        await startHolders(t, semaphore, [
            { permits: 1, threads: 4, holdMs: 1 },
            { permits: 4, threads: 1, holdMs: 1 },
        ]).most,
    );
});

for (const { holdMs, loops } of [
    { holdMs: 1, loops: 5 },
    { holdMs: 12, loops: 3 },
]) {
    test(`overtaking: ${loops} event loops of ${holdMs} ms do not delay threads that take all permits`, async (t) => {
        const semaphore = new CountingSemaphore({ space: new LockSpace(), max: 4 });
        const holders = [
            { permits: 4, isLoop: true, threads: loops, holdMs },
            { permits: 4, threads: 2, holdMs: 1 },
        ];
        const measure = async () => {
            const { most } = startHolders(t, semaphore, holders, ENOUGH / Math.sqrt(holdMs));
            return (await most).slice(loops);
        };
        await assertSeldomInOneOfThree(t, measure, MOST_OVERTAKEN);
    });
}

test('overtaking: a thread with a time limit acquires a permit although event loops have waited for longer', async (t) => {
    const semaphore = new CountingSemaphore({ space: new LockSpace(), max: 1 });
    const { sections, most } = startHolders(t, semaphore, [
        { permits: 1, isLoop: true, threads: 3, holdMs: 8 },
    ]);
    let tries = 0;
    let got = 0;
    while (Atomics.load(sections, 0) < ENOUGH) {
        tries += 1;
        if (semaphore.tryEnter({ timeout: 12 })) {
            got += 1;
            semaphore.leave();
        }
        Atomics.wait(own, 0, 0, 5);
    }
    await most;
    t.diagnostic(`got ${got} of ${tries} times`);
    assert.ok(got >= tries / LEAST_SHARE, `got ${got} of ${tries} times`);
});
