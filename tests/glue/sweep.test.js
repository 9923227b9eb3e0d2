/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* How a thread re-checks its waits: it survives lost wakes, idle waits cost little, and unneeded entries are
 * removed. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { environment } from '../../js-glue/thread/environment.js';
import { Gate, MUTEX } from '../../js-glue/waiting/gate.js';
import { Event, Latch, LockSpace, Mutex } from '../../js-glue/index.js';
import {
    GATE_HURRIED_POLL_MS,
    GATE_POLLED_RESERVATION_MS,
    GATE_RESERVATION_MS,
    RESULT_OK,
} from '../../js-glue/memory/layout.js';
import { instantiate } from '../../js-glue/memory/module.js';
import { BURST_MS, LONGEST_POLL_MS } from '../../js-glue/thread/times.js';
import { replaceInEnvironment } from '../support/environment.js';
import { jobEnds, reasonOf } from '../support/event-loop.js';
import { KINDS_OF_WAIT } from '../support/kinds-of-wait.js';
import { within } from '../support/watchdog.js';
import { assertFree } from '../support/words.js';

const { waitAsync } = environment;

/** Counts this thread's entries in the engine's queues of waiters, and its sweeps. */
function countEntries() {
    const counts = { made: 0, pending: 0, sweeps: 0, sweepsToCome: 0 };
    const counting = (
        /** @type {Int32Array} */ words,
        /** @type {number} */ index,
        /** @type {number} */ value,
        /** @type {number | undefined} */ limit,
    ) => {
        const entry = waitAsync(words, index, value, limit);
        if (limit !== undefined) {
            counts.sweeps += 1;
            counts.sweepsToCome += 1;
            void Promise.resolve(entry.value).then(() => (counts.sweepsToCome -= 1));
        } else if (entry.async) {
            counts.made += 1;
            counts.pending += 1;
            void entry.value.then(() => (counts.pending -= 1));
        }
        return entry;
    };
    return { counts, restore: replaceInEnvironment({ waitAsync: counting }) };
}

/**
 * @param {() => boolean} isSo
 * @param {string} what
 */
async function becomes(isSo, what) {
    let goesOn = true;
    const looking = async () => {
        while (goesOn && !isSo()) {
            await jobEnds();
        }
    };
    await within(looking(), what, []).finally(() => (goesOn = false));
}

for (const { name, make } of KINDS_OF_WAIT) {
    test(`sweep: ${name}: a wait is granted even if all its wake-ups are lost`, async (t) => {
        const nowhere = new Int32Array(new SharedArrayBuffer(4));
        const losing = (
            /** @type {[Int32Array, number, number, number?]} */ ...[words, index, value, limit]
        ) => (limit === undefined ? waitAsync(nowhere, 0, 0) : waitAsync(words, index, value, limit));
        t.after(() => void environment.notify(nowhere, 0));
        t.after(replaceInEnvironment({ waitAsync: losing }));
        const { ask, meet, objects } = make(1);
        const request = ask();
        await jobEnds();
        await jobEnds();
        meet();
        await within(request, 'the wait is met', objects);
    });
}

test('sweep: long waits are armed only once', async (t) => {
    const WAITS = 100;
    const space = new LockSpace();
    const events = Array.from({ length: WAITS }, () => new Event({ space }));
    const mutexes = Array.from({ length: WAITS }, () => new Mutex({ space }));
    const { counts, restore } = countEntries();
    t.after(restore);
    mutexes.forEach((mutex) => mutex.lock());
    const all = [
        ...events.map((event) => event.waitAsync()),
        ...mutexes.map((mutex) => mutex.execAsync(() => {})),
    ];
    await becomes(() => counts.pending >= all.length, 'all wait');
    const { sweeps } = counts;
    await becomes(() => counts.sweeps >= sweeps + 3, 'three sweeps');
    const { made } = counts;
    await becomes(() => counts.sweeps >= sweeps + 6, 'three more sweeps');
    assert.equal(counts.made, made);
    events.forEach((event) => event.set());
    mutexes.forEach((mutex) => mutex.unlock());
    await within(Promise.all(all), 'all are met', []);
    await becomes(() => counts.pending === 0, 'nothing is left');
});

test('sweep: the entry of an ended wait is removed, and then no further sweep runs', async (t) => {
    const { counts, restore } = countEntries();
    t.after(restore);
    const latch = new Latch({ count: 1 });
    const mutex = new Mutex();
    mutex.lock();
    const reasons = [latch.waitAsync({ timeout: 1 }), mutex.execAsync(() => {}, { timeout: 1 })].map(
        (request) => reasonOf(request),
    );
    await within(Promise.all(reasons), 'the waits are given up', [latch, mutex]);
    await becomes(() => counts.pending === 0, 'no entry is left');
    const { sweeps } = counts;
    await new Promise((resolve) => setTimeout(resolve, 200));
    assert.ok(counts.sweeps - sweeps <= 1, 'only the sweep that was to come already');
    mutex.unlock();
});

test("sweep: a browser worker is recognised even if it has polyfills of Node's globals", async (t) => {
    const scope = /** @type {any} */ (globalThis);
    const { WorkerGlobalScope } = scope;
    scope.WorkerGlobalScope ??= class {}; // setImmediate exists, too
    t.after(() => WorkerGlobalScope ?? delete scope.WorkerGlobalScope);
    const again = '../../js-glue/thread/environment.js?in-a-worker';
    assert.equal((await import(again)).environment.endsWaits, false);
});

test('sweep: a sweep works even if the engine ignores the timeout of waitAsync, as in a worker of WebKit', async (t) => {
    const sleepless = (/** @type {[Int32Array, number, number]} */ ...[words, index, value]) =>
        waitAsync(words, index, value);
    const restore = replaceInEnvironment({ waitAsync: sleepless, endsWaits: false });
    t.after(restore);
    const event = new Event();
    const other = new Event();
    const request = event.waitAsync();
    await jobEnds();
    // `event` gets the words of a set event, as if a thread had set it and died before the wake.
    other.set();
    const [words, set] = [event, other].map(
        ({ memory, byteOffset }) => new Int32Array(memory.buffer, byteOffset, Event.BYTES / 4),
    );
    words?.set(/** @type {Int32Array} */ (set));
    await within(request, 'the wait is met', [event]);
});

test('sweep: after all waits have ended, the next wait starts the sweeps again', async (t) => {
    const { counts, restore } = countEntries();
    t.after(restore);
    for (const wait of ['the first wait', 'a later wait']) {
        const event = new Event();
        const { sweeps } = counts;
        const request = event.waitAsync();
        await becomes(() => counts.sweeps > sweeps, `a sweep of ${wait}`);
        event.set();
        await within(request, wait, [event]);
        await becomes(() => counts.pending === 0 && counts.sweepsToCome === 0, 'no sweep is to come');
    }
});

/** A clock with which every burst ends at once, so that each check is deferred to its own turn. */
function rushingClock() {
    let time = environment.now();
    return () => (time += 2 * BURST_MS);
}

for (const [
    what,
    longest,
    make,
    now,
] of /** @type {[string, number, () => Event | Mutex, (() => number)?][]} */ ([
    ['of an event', LONGEST_POLL_MS, () => new Event()],
    ['for a lock, whose reservation is short', GATE_HURRIED_POLL_MS, () => new Mutex()],
    ['for a lock, though in turns', GATE_HURRIED_POLL_MS, () => new Mutex(), rushingClock()],
])) {
    test(`polling: without waitAsync one timer polls all waits ${what}, at growing intervals`, async (t) => {
        const WAITS = 100;
        const { setTimeout, clearTimeout } = environment;
        /** @type {Set<unknown>} */
        const timers = new Set();
        /** @type {number[]} */
        const delays = [];
        t.after(
            replaceInEnvironment({
                waitAsync: undefined,
                now: now ?? environment.now,
                setTimeout: (/** @type {() => void} */ callback, /** @type {number} */ delay) => {
                    const timer = setTimeout(() => {
                        timers.delete(timer);
                        callback();
                    }, delay);
                    timers.add(timer);
                    delays.push(delay);
                    return timer;
                },
                clearTimeout: (/** @type {any} */ timer) => {
                    timers.delete(timer);
                    clearTimeout(timer);
                },
            }),
        );
        const objects = Array.from({ length: WAITS }, make);
        const all = objects.map((object) => {
            if (object instanceof Event) {
                return object.waitAsync();
            }
            object.lock();
            return object.execAsync(() => {});
        });
        await jobEnds();
        const before = delays.length;
        await becomes(() => delays.length >= before + 24, 'some looks');
        assert.equal(timers.size, 1);
        // With the rushing clock each poll is due at once, so no delay grows.
        if (now === undefined) {
            const latest = Math.max(...delays.slice(before + 8));
            assert.ok(latest > longest / 2, `the delays were ${delays.slice(before)}`);
        }
        assert.ok(Math.max(...delays.slice(before)) <= longest, `the delays were ${delays.slice(before)}`);
        objects.forEach((object) => (object instanceof Event ? object.set() : object.unlock()));
        await within(Promise.all(all), 'all are met', []);
        assert.equal(timers.size, 0);
    });
}

test('polling: a new wait does not delay a poll that is due', async (t) => {
    let time = environment.now();
    /** @type {Map<number, number>} */
    const timers = new Map();
    let last = 0;
    const restore = replaceInEnvironment({
        waitAsync: undefined,
        now: () => time,
        setTimeout: (/** @type {unknown} */ _, /** @type {number} */ delay) => {
            last += 1;
            timers.set(last, time + delay);
            return last;
        },
        clearTimeout: (/** @type {number} */ handle) => timers.delete(handle),
    });
    t.after(restore);
    const events = Array.from({ length: 3 }, () => new Event());
    const controller = new AbortController();
    const waits = [];
    const due = time + 1;
    for (const event of events) {
        waits.push(reasonOf(event.waitAsync({ signal: controller.signal })));
        await jobEnds();
        await becomes(() => timers.size > 0, 'a poll is to come'); // a wait steps later if other work is due
        assert.ok(Math.min(...timers.values()) <= due, `${Math.min(...timers.values()) - due} ms later`);
        time += 0.4;
    }
    controller.abort();
    await within(Promise.all(waits), 'the waits are given up', events);
});

/** Pages in WebKit have only timers. */
const WITHOUT_TASKS = { setImmediate: undefined };

for (const [where, parts] of /** @type {const} */ ([
    ['', {}],
    [' in WebKit', WITHOUT_TASKS],
])) {
    test(`sweep: an absent thread's reservation ends${where} even if timers are late, as in hidden pages`, async (t) => {
        t.after(replaceInEnvironment({ setTimeout: () => 0, clearTimeout() {}, ...parts }));
        const mutex = new Mutex();
        const { memory, byteOffset } = mutex.handle;
        const exports = instantiate(memory);
        const [holder, heir] = [11, 12];
        assert.equal(exports.mutex_lock_for_a_time(byteOffset, holder), RESULT_OK);
        const attachment = /** @type {any} */ ({ memory, exports, self: heir });
        const gate = new Gate({ attachment, byteOffset }, { ...MUTEX, hasOwner: false });
        gate.step(heir, false, false, 0, 0);
        const request = mutex.execAsync(() => 7);
        await jobEnds();
        assert.equal(exports.mutex_unlock(byteOffset, holder), RESULT_OK);
        assert.equal(await within(request, 'the request', [mutex]), 7);
        gate.withdraw();
        assertFree(mutex);
    });
}

test('polling: the reservation of a polling thread lasts longer than its timer', () => {
    const mutex = new Mutex();
    const { memory, byteOffset } = mutex.handle;
    const exports = instantiate(memory);
    const [holder, heir, other] = [11, 12, 13];
    const gateOf = (/** @type {number} */ self) =>
        new Gate(
            { attachment: /** @type {any} */ ({ memory, exports, self }), byteOffset },
            { ...MUTEX, hasOwner: false },
        );
    for (const [comesLate, reservation] of /** @type {const} */ ([
        [true, GATE_POLLED_RESERVATION_MS],
        [false, GATE_RESERVATION_MS],
    ])) {
        assert.equal(exports.mutex_lock_for_a_time(byteOffset, holder), RESULT_OK);
        gateOf(heir).step(heir, comesLate, false, 0, 0);
        assert.equal(exports.mutex_unlock(byteOffset, holder), RESULT_OK);
        const seen = /** @type {any} */ (gateOf(other).step(other, false, false, 0, 0));
        assert.deepEqual([seen.watched, seen.reservation], [heir, reservation]);
        gateOf(other).withdraw();
        gateOf(heir).withdraw();
        assertFree(mutex);
    }
});
