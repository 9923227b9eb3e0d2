/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { reportRing } from '../../js-glue/debug/deadlocks.js';
import { noteOf } from '../../js-glue/debug/notes.js';
import { debug, inspect } from '../../js-glue/debug.js';
import { Event as LockEvent, LockSpace, Mutex, RwLock } from '../../js-glue/index.js';
import { KeyedMutex } from '../../js-glue/keyed.js';
import { attach } from '../../js-glue/memory/attachment.js';
import {
    AGENT_ASKED_OFFSET,
    AGENT_BLOCKED_OFFSET,
    AGENT_LOOKED_OFFSET,
    AGENT_NAME_OFFSET,
    AGENT_PRESENCE_OFFSET,
    AGENT_WAIT_ENDS,
    AT_BARRIER,
    AT_CONDITION,
    AT_EVENT,
    AT_LATCH,
    AT_MUTEX,
    AT_ONCE,
    AT_RWLOCK,
    AT_SEMAPHORE,
    RESULT_OK,
} from '../../js-glue/memory/layout.js';
import { environment } from '../../js-glue/thread/environment.js';
import { SUSPECTED_AFTER_MS, SWEEP_MS } from '../../js-glue/thread/times.js';
import { makeBoard, reach, reached } from '../support/board.js';
import { replaceInEnvironment } from '../support/environment.js';
import { joinMember } from '../support/member.js';
import { seedFor } from '../support/seed.js';
import { startThread } from '../support/thread.js';
import { isQuick } from '../support/tier.js';
import { until, within } from '../support/watchdog.js';
import { assertFree } from '../support/words.js';

/* Threads that wait for each other: one of them reports the cycle once, and throws only if nothing else can
 * end the cycle. */

/** Longer than a thread sleeps before it re-checks. */
const LOOKS_AGAIN_MS = 1200;

/** Longer by far than any report takes. */
const LIMIT_MS = 10_000;

/** The length of a wait with a limit: long enough for a suspicion before its end. */
const TIME_MS = 4000;

/** The stage at which the first thread begins to wait; the others follow. */
const GO = 1;
const HELD = 0;

/** HOLDFAST_ORDERLY_SECONDS makes it longer; HOLDFAST_ORDERLY_REST=20 gives many more sections in the same time. */
const ORDERLY_MS = 1000 * Number(process.env['HOLDFAST_ORDERLY_SECONDS'] ?? (isQuick ? 2 : 5));
const ORDERLY_REST = Number(process.env['HOLDFAST_ORDERLY_REST'] ?? 1);

/** @typedef {import('../../js-glue/debug.js').Report} Report */

/**
 * Threads that each hold a mutex, and wait for the next thread's once `close` is called.
 *
 * @param {import('node:test').TestContext} t
 * @param {{ throws?: boolean, ways: string[], isOpen?: boolean, handler?: string, names?: string[] }} how isOpen: the last one waits
 *     for a mutex that none of them holds
 */
async function makeRing(t, { throws, ways, isOpen = false, handler, names = [] }) {
    const space = new LockSpace();
    const mutexes = ways.map((_, at) => new Mutex(names[at] ? { name: names[at] } : { space }));
    const other = isOpen ? new Mutex({ space }) : mutexes[0];
    const board = makeBoard(1 + ways.length);
    /** @type {{ at: number, ms: number, report: Report }[]} */
    const reports = [];
    const warned = /** @type {string[]} */ ([]);
    const errors = /** @type {string[]} */ ([]);
    /** @type {{ end: string, message?: string, lock?: object }[]} */
    const ends = [];
    let closed = 0;
    let exits = 0;
    const told = new EventTarget();
    const workers = ways.map((way, at) => {
        const worker = startThread(t, 'ring-member', {
            first: mutexes[at]?.handle,
            second: (mutexes[at + 1] ?? other)?.handle,
            board,
            held: HELD,
            go: GO + at,
            way,
            limit: TIME_MS,
            throws,
            handler,
        });
        worker.on('exit', () => {
            exits += 1;
            told.dispatchEvent(new Event('news'));
        });
        worker.on('message', (message) => {
            if (message.report) {
                reports.push({ at, ms: performance.now() - closed, report: message.report });
            } else if (message.warned) {
                warned.push(message.warned);
            } else if (message.error) {
                errors.push(message.error);
            } else {
                ends[at] = message;
            }
            told.dispatchEvent(new Event('news'));
        });
        return worker;
    });
    const all = isOpen && other ? [...mutexes, other] : mutexes;
    await within(reached(board, HELD, ways.length), 'threads that hold a mutex each', all);
    /** @param {string} what @param {() => boolean} isSo */
    async function until(what, isSo) {
        while (!isSo()) {
            await within(once(told, 'news'), what, all, LIMIT_MS);
        }
    }
    return {
        space,
        mutexes,
        other,
        workers,
        reports,
        warned,
        errors,
        ends,
        until,
        ended: () => until('the ends of all threads', () => exits === ways.length),
        /** @param {number[]} [which] threads begin to wait */
        close(which = [...ways.keys()]) {
            closed = performance.now();
            which.forEach((at) => reach(board, GO + at));
        },
    };
}

/** Waits until that many threads are seen to block. @param {LockSpace} space @param {number} count */
async function waitsOf(space, count) {
    const end = performance.now() + LIMIT_MS;
    while (inspect(space).threads.filter(({ waitsFor }) => waitsFor[0]?.blocks).length < count) {
        assert.ok(performance.now() < end, String(inspect(space)));
        await sleep(20);
    }
}

/** @param {Report} report @param {Mutex[]} mutexes that the threads of the cycle hold */
function assertChain({ code, members, message }, mutexes) {
    assert.equal(code, 'HF_DEADLOCK');
    assert.equal(members.length, mutexes.length);
    const names = mutexes.map(({ byteOffset }) => `Mutex at ${byteOffset}`);
    for (const [at, { thread, holds, waitsFor, since }] of members.entries()) {
        assert.match(thread, /^worker \d+$/);
        assert.equal(waitsFor, names[(names.indexOf(holds) + 1) % names.length]);
        assert.equal(waitsFor, members[(at + 1) % members.length]?.holds);
        assert.ok(Math.abs(Date.now() - since) < 60_000, `since ${since}`);
        assert.ok(message.includes(`${thread} holds ${holds} and waits for ${waitsFor}`), message);
    }
    assert.equal(new Set(members.map(({ holds }) => holds)).size, mutexes.length);
}

const SIZES = isQuick ? [2, 6] : [2, 3, 4, 5, 6];

/** @param {number} size */
const blocking = (size) => Array.from({ length: size }, () => 'blocks');

test('deadlocks: a cycle of 2 to 6 blocked threads is reported by one of them, once', async (t) => {
    const rings = await Promise.all(SIZES.map((size) => makeRing(t, { ways: blocking(size) })));
    for (const ring of rings) {
        ring.close();
    }
    await Promise.all(rings.map(({ until, reports }) => until('a report', () => reports.length > 0)));
    await sleep(2 * LOOKS_AGAIN_MS);
    for (const { reports, mutexes, ends } of rings) {
        const [first] = reports;
        assert.equal(reports.length, 1, `${mutexes.length} threads`);
        assert.ok(first?.report.certain);
        assert.ok(first.report.members.every(({ how }) => how === 'blocks'));
        assertChain(first.report, mutexes);
        assert.equal(ends.length, 0, 'they go on waiting');
        t.diagnostic(`${mutexes.length} threads: reported after ${first.ms.toFixed()} ms`);
    }
});

test("debug: the cause of an HF_ABANDONED error has the dead holder's call site", async (t) => {
    t.after(debug({ onReport: () => {} }));
    const { space, mutexes, other, workers, close } = await makeRing(t, { ways: ['blocks'], isOpen: true });
    other?.lock();
    close();
    await waitsOf(space, 1);
    await workers[0]?.terminate();
    for (const method of /** @type {const} */ (['acquire', 'lock'])) {
        assert.throws(
            () => mutexes[0]?.[method](),
            ({ code, cause }) => {
                assert.equal(code, 'HF_ABANDONED');
                assert.match(
                    cause.stack,
                    /^Error: Mutex at \d+ was taken by execAsync\(\)\.\n.*ring-member\.js/,
                );
                return true;
            },
        );
    }
    other?.unlock();
});

test('deadlocks: names from posted handles are in the report and in the error', async (t) => {
    const names = ['orders', 'stock', 'prices'];
    for (const throws of [false, true]) {
        const { close, until, ended, workers, reports, ends } = await makeRing(t, {
            ...{ ways: blocking(names.length), names, throws },
        });
        close();
        if (throws) {
            await ended();
            const at = ends.findIndex(({ end }) => end !== 'got');
            assert.equal(/** @type {any} */ (ends[at])?.lock.name, names[(at + 1) % names.length]);
            names.forEach((name) =>
                assert.match(ends[at]?.message ?? '', new RegExp(`holds ${name} and waits`)),
            );
        } else {
            await until('a report', () => reports.length > 0);
            const { members = [] } = reports[0]?.report ?? {};
            assert.deepEqual(members.map(({ holds }) => holds).sort(), [...names].sort());
            for (const { holds, waitsFor } of members) {
                assert.equal(waitsFor, names[(names.indexOf(holds) + 1) % names.length]);
            }
            await Promise.all(workers.map((worker) => worker.terminate()));
        }
    }
});

/**
 * Two threads that each hold a key, and wait for the other's.
 *
 * @param {import('node:test').TestContext} t
 * @param {{ throws: boolean, slow?: boolean }} how slow: the thread that does not report writes its call sites slowly
 * @returns {Promise<{ keyed: KeyedMutex, message: any }>} the first message of either thread, except a grant
 *     of the other key
 */
async function newsOfKeys(t, { throws, slow = false }) {
    const keyed = new KeyedMutex();
    const board = makeBoard(1);
    const [first, second] = ['orders', 'stock'];
    const ring = [
        { first, second, slow },
        { first: second, second: first, last: slow },
    ];
    const news = ring.map((keys) => {
        const worker = startThread(t, 'keyed-ring', { handle: keyed.handle, board, throws, ...keys });
        return new Promise((resolve) => {
            worker.on('message', (message) => message.end !== 'got' && resolve(message));
        });
    });
    const message = await within(Promise.race(news), 'a report', [], LIMIT_MS);
    return { keyed, message };
}

/** @param {Report} report of `newsOfKeys` */
function assertKeysAndSites({ message, members }) {
    assert.match(message, /holds orders and waits for stock/);
    assert.match(message, /holds stock and waits for orders/);
    assert.equal(members.length, 2);
    for (const { holds, waitsFor, heldFrom, askedFrom } of members) {
        assert.deepEqual([holds, waitsFor].sort(), ['orders', 'stock']);
        assert.match(heldFrom, /^ *at holdKey .*keyed-ring\.js/);
        assert.match(askedFrom, /^ *at waitForKey .*keyed-ring\.js/);
    }
}

test('deadlocks: a cycle of two keys: the report and inspect() name the keys', async (t) => {
    const { keyed, message } = await newsOfKeys(t, { throws: false });
    assertKeysAndSites(message.report);
    const text = String(inspect(keyed));
    assert.match(text, /worker \d+, blocked for KeyedMutex 'orders' \(/);
    assert.match(text, /KeyedMutex at \d+, 2 in use, 2 waiting\n/);
    assert.match(text, /KeyedMutex 'stock', held by worker \d+.*, 1 waiting\n/);
});

test('deadlocks: the report has all call sites even if a thread writes its own slowly', async (t) => {
    const { message } = await newsOfKeys(t, { throws: false, slow: true });
    assertKeysAndSites(message.report);
});

test('deadlocks: the error that ends a wait for a key names the keys of the cycle', async (t) => {
    const { end, message } = (await newsOfKeys(t, { throws: true })).message;
    assert.equal(end, 'HF_DEADLOCK');
    assert.match(message, /holds orders and waits for stock/);
    assert.match(message, /holds stock and waits for orders/);
});

test('deadlocks: a handler that waits for the same lock causes no second report', async (t) => {
    const { close, until, reports } = await makeRing(t, { ways: blocking(2), handler: 'waits' });
    close();
    await until('a report', () => reports.length > 0);
    await sleep(4 * LOOKS_AGAIN_MS);
    assert.equal(reports.length, 1);
});

for (const throws of [false, true]) {
    test(`deadlocks: a handler that deadlocks itself is reported by ${throws ? 'an error' : 'the console'}`, async (t) => {
        const ring = await makeRing(t, {
            ways: ['blocks for a time', 'blocks'],
            throws,
            handler: 'blocks for another',
        });
        const { space, mutexes, close, until, warned, reports, ends, errors } = ring;
        const another = Mutex.named(space, 'another');
        const board = makeBoard(2);
        startThread(t, 'ring-member', {
            ...{ first: another.handle, second: mutexes[0]?.handle, way: 'blocks' },
            ...{ board, held: HELD, go: GO },
        });
        await within(reached(board, HELD, 1), 'a thread that holds what the handler wants', mutexes);
        reach(board, GO);
        close([1]);
        await waitsOf(space, 2);
        close([0]); // the last one to wait, so it reports
        const text = /Deadlock: .* and waits for another; worker \d+ holds another and waits/;
        if (throws) {
            await until('the error of the handler', () => errors.length > 0 && ends[0] !== undefined);
            assert.match(errors[0] ?? '', text);
            assert.equal(ends[0]?.end, 'given up');
        } else {
            await until('a warning', () => warned.length > 0);
            await sleep(2 * LOOKS_AGAIN_MS);
            assert.match(warned[0] ?? '', text);
        }
        assert.equal(warned.length, 1);
        assert.equal(reports.length, 1);
    });
}

test('deadlocks: with throw, one thread of a cycle of 2 to 6 throws, and the others continue', async (t) => {
    const rings = await Promise.all(SIZES.map((size) => makeRing(t, { ways: blocking(size), throws: true })));
    for (const ring of rings) {
        ring.close();
    }
    const begin = performance.now();
    for (const { ended, ends, mutexes, reports } of rings) {
        await ended();
        const thrown = ends.filter(({ end }) => end !== 'got');
        assert.deepEqual(
            thrown.map(({ end }) => end),
            ['HF_DEADLOCK'],
        );
        const { byteOffset } =
            mutexes[(ends.findIndex(({ end }) => end !== 'got') + 1) % mutexes.length] ?? {};
        assert.deepEqual(thrown[0]?.lock, { kind: 'Mutex', name: '', byteOffset }, 'what it has waited for');
        for (const { byteOffset } of mutexes) {
            assert.match(thrown[0]?.message ?? '', new RegExp(`holds Mutex at ${byteOffset} and waits`));
        }
        assert.equal(reports.length, 0, 'it throws instead');
        mutexes.forEach(assertFree);
        t.diagnostic(`${mutexes.length} threads: over after ${(performance.now() - begin).toFixed()} ms`);
    }
});

for (const way of ['blocks for a time', 'awaits']) {
    test(`deadlocks: a cycle with a thread that ${way} is reported as suspected, and never thrown`, async (t) => {
        const ways = ['blocks', way, 'blocks'];
        const { close, until, ended, reports, ends, mutexes } = await makeRing(t, {
            ways,
            throws: true,
        });
        close();
        await until('a report', () => reports.length > 0);
        const [first] = reports;
        t.diagnostic(`reported after ${first?.ms.toFixed()} ms`);
        assert.ok((first?.ms ?? 0) >= SUSPECTED_AFTER_MS, 'not before it has lasted');
        assert.equal(first?.report.certain, false);
        assert.match(first.report.message, /^Perhaps/);
        assert.deepEqual(first.report.members.map(({ how }) => how).sort(), ways.sort());
        assertChain(first.report, mutexes);
        await ended();
        assert.deepEqual(ends.map(({ end }) => end).sort(), [
            way === 'awaits' ? 'HF_TIMEOUT' : 'given up',
            'got',
            'got',
        ]);
        assert.equal(reports.length, 1);
        mutexes.forEach(assertFree);
    });
}

test('deadlocks: a long chain of waits without a cycle is not reported', async (t) => {
    const chain = await makeRing(t, { ways: blocking(5), isOpen: true, throws: true });
    chain.other?.lock();
    chain.close();
    await sleep(2 * LOOKS_AGAIN_MS);
    assert.equal(chain.reports.length, 0);
    assert.equal(chain.ends.length, 0);
    chain.other?.unlock();
    await chain.ended();
    assert.ok(chain.ends.every(({ end }) => end === 'got'));
    chain.mutexes.forEach(assertFree);
});

test('deadlocks: without a handler each report is printed to the console once', async (t) => {
    const { close, until, warned } = await makeRing(t, { ways: blocking(2), handler: 'none' });
    close();
    await until('a warning', () => warned.length > 0);
    await sleep(LOOKS_AGAIN_MS);
    assert.equal(warned.length, 1);
    assert.match(warned[0] ?? '', /^holdfast: Deadlock: worker \d+ holds Mutex at \d+ and waits for/);
});

test('deadlocks: without a handler a report is printed even if the main thread is in the cycle', async (t) => {
    const file = new URL('../support/children/blocked-ring.js', import.meta.url);
    const child = spawn(process.execPath, [file.pathname], { stdio: ['ignore', 'ignore', 'pipe'] });
    t.after(() => child.kill('SIGKILL'));
    let text = '';
    child.stderr.setEncoding('utf8').on('data', (some) => (text += some));
    while (!/holdfast: Deadlock: .* holds orders and waits for stock/.test(text)) {
        await within(once(child.stderr, 'data'), `a report in: ${text}`, []);
    }
});

test('deadlocks: the wait continues even if the console throws', (t) => {
    const { watch } = writtenRing();
    listen(undefined);
    t.mock.method(environment, 'queueMicrotask', (/** @type {() => void} */ task) => {
        assert.throws(task, /EPIPE/);
    });
    const fs = process.getBuiltinModule('node:fs');
    t.mock.method(fs, 'writeSync', () => {
        throw new Error('EPIPE');
    });
    assert.equal(watch(), undefined);
});

test('deadlocks: if a handler throws, the wait continues, and the error is thrown in a later job', async (t) => {
    const ways = ['blocks for a time', 'blocks for a time'];
    const { close, until, ended, ends, reports, warned, errors, mutexes } = await makeRing(t, {
        ways,
        handler: 'throws',
    });
    close();
    await ended();
    assert.equal(reports.length, 1);
    assert.equal(warned.length, 1);
    assert.ok(ends.some(({ end }) => end === 'given up'));
    await until('the error', () => errors.length > 0);
    assert.match(errors[0] ?? '', /a handler that throws/);
    mutexes.forEach(assertFree);
});

test('deadlocks: the death of a thread in a cycle frees its lock, and the cycle is not reported', async (t) => {
    const ways = blocking(3);
    const { close, until, space, mutexes, workers, ends, reports } = await makeRing(t, {
        ways,
        throws: true,
    });
    close([0, 2]);
    const { exports, table, words } = attach(space.memory);
    const [, , last] = mutexes;
    const slot = exports.agents_slot(table, exports.owner_probe(last?.byteOffset ?? 0, table, 0, 0));
    while (Atomics.load(words, (slot + AGENT_BLOCKED_OFFSET) / 4) === 0) {
        await within(sleep(10), 'a wait that shows', mutexes);
    }
    await workers[2]?.terminate();
    close([1]);
    await until('the ends of two waits', () => ends.filter(Boolean).length === 2);
    assert.deepEqual(
        ends.map(({ end }) => end),
        ['got', 'HF_ABANDONED'],
    );
    assert.equal(reports.length, 0);
});

test('deadlocks: threads that lock in one order cause no report', async (t) => {
    const seed = seedFor(t);
    const space = new LockSpace();
    const mutexes = Array.from({ length: 5 }, () => new Mutex({ space }));
    const [sections, end] = [0, 1];
    const board = makeBoard(2);
    const reports = /** @type {string[]} */ ([]);
    const workers = [false, false, false, true, true].map((awaits, at) => {
        const worker = startThread(t, 'orderly', {
            handles: mutexes.map(({ handle }) => handle),
            board,
            sections,
            end,
            awaits,
            seed: seed + at,
            rest: ORDERLY_REST,
        });
        worker.on('message', ({ report }) => report && reports.push(report.message));
        return worker;
    });
    const exits = Promise.all(workers.map((worker) => once(worker, 'exit')));
    await sleep(ORDERLY_MS);
    reach(board, end);
    await within(exits, 'the end of all threads', mutexes);
    t.diagnostic(`${Atomics.load(board, sections)} sections`);
    assert.deepEqual(reports, []);
    mutexes.forEach(assertFree);
});

/* Slots written by the test: this thread's, and those of threads that never run. */

let stop = () => {};
afterEach(() => stop());

/** @param {((report: Report) => unknown) | undefined} onReport instead of the one before */
function listen(onReport) {
    stop();
    stop = debug({ onReport });
}

/**
 * Writes a deadlock cycle into the slots of this thread and another one: both block without a limit. Returns
 * it, with this thread's reports.
 */
function writtenRing() {
    const space = new LockSpace();
    const attachment = attach(space.memory);
    const { exports, table, words, self } = attachment;
    const reports = /** @type {Report[]} */ ([]);
    listen((report) => reports.push(report));
    const join = () => joinMember(attachment);
    /** @param {number} identity @param {number} place @param {{ which?: number, since?: number }} [how] */
    const waits = (identity, place, { which = AGENT_BLOCKED_OFFSET, since = 4000 } = {}) => {
        const at = (exports.agents_slot(table, identity) + which) / 4;
        words[at] = place;
        words[at + 1] = since;
    };
    const [mine, others] = [new Mutex({ space }).byteOffset, new Mutex({ space }).byteOffset];
    const other = join();
    assert.equal(exports.mutex_lock_for_a_time(mine, self), RESULT_OK);
    assert.equal(exports.mutex_lock_for_a_time(others, other), RESULT_OK);
    waits(other, mine, { since: 2000 });
    waits(self, others);
    const watch = (which = AGENT_BLOCKED_OFFSET) => reportRing(attachment, which);
    return { space, attachment, exports, self, other, mine, others, reports, join, waits, watch };
}

test('deadlocks: a cycle is reported once, and again if it ends and forms again', () => {
    const { self, others, waits, watch, reports } = writtenRing();
    watch();
    watch();
    assert.deepEqual(
        reports.map(({ certain }) => certain),
        [true],
    );
    waits(self, 0);
    watch();
    waits(self, others);
    watch();
    assert.equal(reports.length, 2);
});

/**
 * Collects the console output of a thread that blocks.
 *
 * @param {import('node:test').TestContext} t
 */
function warnings(t) {
    const warned = /** @type {string[]} */ ([]);
    const write = (/** @type {number} */ _file, /** @type {string} */ text) => warned.push(text);
    t.mock.method(process.getBuiltinModule('node:fs'), 'writeSync', /** @type {any} */ (write));
    return warned;
}

test('deadlocks: if a suspected cycle becomes certain while its handler waits, the console reports it', (t) => {
    const { self, others, waits, watch, reports } = writtenRing();
    const ends = AGENT_WAIT_ENDS;
    const warned = warnings(t);
    let now = 0;
    t.mock.method(environment, 'now', () => now);
    const until = () => {
        watch();
        now += SUSPECTED_AFTER_MS;
        watch();
    };
    listen((report) => {
        reports.push(report);
        waits(self, others, { since: 5000 | ends });
        until();
        assert.equal(warned.length, 0, 'told already');
        waits(self, others, { since: 6000 });
        until();
    });
    waits(self, others, { since: 4000 | ends });
    until();
    assert.equal(reports.length, 1);
    assert.deepEqual(
        warned.map((text) => /^holdfast: Deadlock/.test(text)),
        [true],
    );
    waits(self, others, { since: 4000 | ends });
    until();
    assert.equal(reports.length, 1, 'it waits on, after the handler');
});

test("deadlocks: once a handler has waited for another lock, the thread's slot shows the outer wait again", (t) => {
    const { space, attachment, exports, self, other, mine, others, join, reports, waits } = writtenRing();
    const { words, table } = attachment;
    const third = new Mutex({ space });
    exports.mutex_lock_for_a_time(third.byteOffset, join());
    const ago = (environment.date() - 2000) & ~AGENT_WAIT_ENDS;
    waits(other, mine, { since: ago });
    waits(self, 0);
    const slot = exports.agents_slot(table, other);
    words[(slot + AGENT_LOOKED_OFFSET) / 4] = environment.date() + LIMIT_MS; // it lives
    listen((report) => {
        reports.push(report);
        assert.equal(third.tryLock(400), false);
    });
    const place = (exports.agents_slot(table, self) + AGENT_BLOCKED_OFFSET) / 4;
    let shown = -1;
    attachment.exports = {
        ...exports,
        owner_probe(at, ...rest) {
            if (at === others && reports.length > 0 && shown === -1) {
                shown = Atomics.load(words, place);
                exports.mutex_unlock(others, other);
            }
            return exports.owner_probe(at, ...rest);
        },
    };
    t.after(() => (attachment.exports = exports));
    Mutex.at(space.memory, others).lock();
    assert.equal(reports.length, 1);
    assert.equal(shown, others);
});

test("deadlocks: the thread's slot shows waits only while debug() is active", async () => {
    const event = new LockEvent();
    const { exports, table, words, self } = attach(event.memory);
    const slot = exports.agents_slot(table, self);
    const shown = (/** @type {number} */ which) => Atomics.load(words, (slot + which) / 4);
    const waited = event.waitAsync();
    await sleep(4 * SWEEP_MS);
    assert.equal(shown(AGENT_ASKED_OFFSET), 0);
    listen(undefined);
    while (shown(AGENT_ASKED_OFFSET) !== (event.byteOffset | AT_EVENT)) {
        await within(sleep(SWEEP_MS), 'a wait that shows', []);
    }
    stop();
    assert.equal(shown(AGENT_ASKED_OFFSET), 0);
    await sleep(4 * SWEEP_MS);
    assert.equal(shown(AGENT_ASKED_OFFSET), 0);
    event.set();
    await within(waited, 'the event', []);
});

test('deadlocks: reports print names as inspect() does, and numbers for threads without a name', () => {
    const { space, attachment, exports, self, other, waits, watch, reports } = writtenRing();
    const { words, table } = attachment;
    const name = 'a\n\u001b[31m\u202eb';
    const mutex = new Mutex({ space, name });
    exports.mutex_lock_for_a_time(mutex.byteOffset, other);
    waits(self, mutex.byteOffset);
    const slot = exports.agents_slot(table, self);
    new Uint8Array(words.buffer, slot + AGENT_NAME_OFFSET, 3).set([0x1b, 0x5b, 0x41]);
    watch();
    const [report] = reports;
    assert.deepEqual(
        report?.members.map(({ thread }) => thread),
        inspect(space).threads.map((thread) => thread.name),
    );
    assert.match(report?.members[1]?.thread ?? '', /^thread \d+$/);
    assert.equal(report?.members[0]?.waitsFor, name);
    assert.match(report?.message ?? '', /^[ -~]*$/);
    assert.ok(report?.message.includes('a\\u{a}\\u{1b}[31m\\u{202e}b'), report?.message);
    assert.ok(report?.message.includes('\\u{1b}[A'), report?.message);
});

test('deadlocks: a thread that was probed before the cycle closed is probed again before the report', () => {
    const { attachment, exports, self, other, mine, others, waits, watch, reports } = writtenRing();
    const { words, table } = attachment;
    const slot = exports.agents_slot(table, other);
    const ENTRIES = 16;
    exports.agent_arms(slot, other);
    for (let left = ENTRIES; left > 0; left -= 1) {
        Atomics.waitAsync(words, (slot + AGENT_PRESENCE_OFFSET) / 4, 0);
    }
    exports.agent_credit(slot, other, ENTRIES);
    const ago = (/** @type {number} */ ms) => (environment.date() - ms) | 0;
    waits(other, mine, { since: ago(2000) & ~AGENT_WAIT_ENDS });
    waits(self, others, { since: ago(400) & ~AGENT_WAIT_ENDS });
    words[(slot + AGENT_LOOKED_OFFSET) / 4] = ago(450);
    watch();
    assert.equal(reports.length, 0, 'nobody has looked since');
    words[(slot + AGENT_LOOKED_OFFSET) / 4] = ago(700); // long enough for another probe
    watch();
    assert.equal(reports.length, 1);
});

test('deadlocks: the thread that waits for the shortest time reports the cycle', () => {
    for (const [others, own, tells] of /** @type {const} */ ([
        [4000, 8000, true],
        [8000, 4000, false],
        [-0x7fff0000, 0x7fff0000, false], // the clock's 32 bits changed their sign
        [0x7fff0000, -0x7fff0000, true],
    ])) {
        const ring = writtenRing();
        ring.waits(ring.other, ring.mine, { since: others });
        ring.waits(ring.self, ring.others, { since: own });
        ring.watch();
        assert.equal(ring.reports.length, Number(tells), `${others} and ${own}`);
    }
});

test('deadlocks: a cycle is reported only if two readings of the slots agree', () => {
    for (const isLock of [true, false]) {
        const { attachment, exports, self, other, others, mine, join, waits, watch, reports } = writtenRing();
        const third = join();
        attachment.exports = {
            ...exports,
            owner_probe(place, table, known, now) {
                if (known === other && isLock) {
                    // The other thread gets this thread's lock and goes on; a third thread holds the lock
                    // that this thread waits for.
                    exports.mutex_unlock(others, other);
                    exports.mutex_lock_for_a_time(others, third);
                } else if (known === self) {
                    waits(other, mine, { since: 3000 }); // another wait
                }
                return exports.owner_probe(place, table, known, now);
            },
        };
        watch();
        assert.equal(reports.length, 0);
    }
});

test('deadlocks: a cycle is certain only if all its threads block without a limit', (t) => {
    const ends = AGENT_WAIT_ENDS;
    for (const [which, sinceOfOther, sinceOfThis] of /** @type {const} */ ([
        [AGENT_ASKED_OFFSET, 2000, 4000],
        [AGENT_BLOCKED_OFFSET, 2000 | ends, 4000],
        [AGENT_BLOCKED_OFFSET, 2000, 4000 | ends],
    ])) {
        const { self, other, mine, others, waits, watch, reports } = writtenRing();
        waits(other, 0);
        waits(other, mine, { which, since: sinceOfOther });
        waits(self, others, { since: sinceOfThis });
        let now = 0;
        const clock = t.mock.method(environment, 'now', () => now);
        for (now of [0, SUSPECTED_AFTER_MS - 1]) {
            assert.equal(watch(), undefined);
            assert.equal(reports.length, 0, `after ${now} ms`);
        }
        now = SUSPECTED_AFTER_MS;
        assert.equal(watch(), undefined);
        clock.mock.restore();
        assert.deepEqual(
            reports.map(({ certain }) => certain),
            [false],
        );
    }
});

test("deadlocks: the slot shows a thread's blocking wait rather than its requests", () => {
    const { other, mine, waits, watch, reports } = writtenRing();
    waits(other, mine, { which: AGENT_ASKED_OFFSET });
    waits(other, 0);
    watch();
    assert.equal(reports.length, 0, 'it awaits, which is only suspected');
    waits(other, mine, { since: 2000 });
    waits(other, 0, { which: AGENT_ASKED_OFFSET });
    watch();
    assert.equal(reports.length, 1);
});

test('deadlocks: the search follows only locks with one owner, whatever the words of other objects are', () => {
    for (const kind of [AT_SEMAPHORE, AT_CONDITION, AT_EVENT, AT_LATCH, AT_BARRIER, AT_ONCE]) {
        const { self, others, waits, watch, reports } = writtenRing();
        waits(self, others | kind);
        watch();
        assert.equal(reports.length, 0, `kind ${kind}`);
    }
    for (const kind of [AT_MUTEX, AT_RWLOCK]) {
        const { self, others, waits, watch, reports } = writtenRing();
        waits(self, others | kind);
        watch();
        assert.equal(reports.length, 1, `kind ${kind}`);
    }
});

test('deadlocks: the search terminates whatever the slots contain', () => {
    const { space, other, waits, watch, others, reports } = writtenRing();
    const { byteLength } = space.buffer;
    for (const place of [-8, 0x7ffffff8, byteLength, byteLength - 8, others]) {
        waits(other, place); // the last thread waits for itself, and this thread waits for it
        watch();
    }
    assert.equal(reports.length, 0);
});

test('deadlocks: an event loop shows no wait while one of its own sections holds the lock', async () => {
    const { space, attachment, exports, join } = writtenRing();
    const mutex = new Mutex({ space });
    const holder = join();
    const place = (exports.agents_slot(attachment.table, attachment.self) + AGENT_ASKED_OFFSET) / 4;
    const shown = () => Atomics.load(attachment.words, place);
    exports.mutex_lock_for_a_time(mutex.byteOffset, holder);
    const seen = /** @type {number[]} */ ([]);
    const first = mutex.execAsync(async () => {
        await sleep(4 * SWEEP_MS);
        seen.push(shown());
    });
    const second = mutex.execAsync(() => {});
    while (shown() === 0) {
        await within(sleep(SWEEP_MS), 'a wait that shows', [mutex]);
    }
    exports.mutex_unlock(mutex.byteOffset, holder);
    await within(Promise.all([first, second]), 'both requests', [mutex]);
    assert.deepEqual(seen, [0]);
    assertFree(mutex);
});

test('deadlocks: a request behind a long section of the same event loop is not reported', async () => {
    const space = new LockSpace();
    const reports = /** @type {Report[]} */ ([]);
    listen((report) => reports.push(report));
    const lock = new RwLock({ space });
    const long = lock.execAsync(() => sleep(2 * SUSPECTED_AFTER_MS));
    const later = lock.execAsync(() => {});
    await within(Promise.all([long, later]), 'both requests', [lock]);
    assert.deepEqual(reports, []);
});

/**
 * Waits until this thread's slot says that its event loop waits for that place.
 *
 * @param {ReturnType<typeof attach>} attachment
 * @param {number} wanted place with its kind
 */
async function asksFor({ exports, table, self, words }, wanted) {
    const place = (exports.agents_slot(table, self) + AGENT_ASKED_OFFSET) / 4;
    const end = performance.now() + LIMIT_MS;
    while (Atomics.load(words, place) !== wanted) {
        assert.ok(performance.now() < end, `the slot shows ${Atomics.load(words, place)}`);
        await sleep(SWEEP_MS);
    }
}

/**
 * Locks for which an event loop waits, and which no single other thread holds. `hold` returns a function that ends
 * the wait.
 *
 * @type {[title: string, make: (space: LockSpace) => Mutex | RwLock, hold: (lock: any) => () => void][]}
 */
const WITHOUT_AN_OWNER = [
    [
        'a request for a lock that its own call holds',
        (space) => new Mutex({ space }),
        (lock) => {
            assert.ok(lock.tryLock());
            return () => lock.unlock();
        },
    ],
    [
        'a request behind readers',
        (space) => new RwLock({ space }),
        (lock) => {
            assert.ok(lock.tryLockShared());
            return () => lock.unlockShared();
        },
    ],
];

for (const [title, make, hold] of WITHOUT_AN_OWNER) {
    test(`deadlocks: ${title} does not hide a cycle through the same event loop`, async () => {
        const { space, attachment, exports, other, mine, waits, join, reports } = writtenRing();
        const { words, table, self } = attachment;
        waits(self, 0);
        const [lock, mutex] = [make(space), new Mutex({ space })];
        const end = hold(lock);
        const behind = lock.execAsync(() => {});
        await asksFor(attachment, lock.byteOffset | (lock instanceof RwLock ? AT_RWLOCK : AT_MUTEX));
        const holder = join();
        exports.mutex_lock_for_a_time(mutex.byteOffset, holder);
        const asked = mutex.execAsync(() => {});
        for (const each of [holder, other]) {
            words[(exports.agents_slot(table, each) + AGENT_LOOKED_OFFSET) / 4] =
                environment.date() + LIMIT_MS; // it lives
        }
        waits(holder, mine, { since: (environment.date() - 2000) & ~AGENT_WAIT_ENDS });
        await asksFor(attachment, mutex.byteOffset);
        while (reports.length === 0) {
            await within(sleep(SWEEP_MS), 'a report', [mutex], LIMIT_MS);
        }
        assert.equal(reports[0]?.members.length, 2);
        exports.mutex_unlock(mutex.byteOffset, holder);
        end();
        await within(Promise.all([behind, asked]), 'both requests', [mutex]);
    });
}

test("deadlocks: the slot shows an event loop's wait for a mutex rather than one for an object without owner", async () => {
    const { space, attachment, exports, join } = writtenRing();
    const [mutex, event] = [new Mutex({ space }), new LockEvent({ space })];
    const shows = (/** @type {number} */ wanted) => asksFor(attachment, wanted);
    const holder = join();
    exports.mutex_lock_for_a_time(mutex.byteOffset, holder);
    const stopped = event.waitAsync();
    await shows(event.byteOffset | AT_EVENT);
    const asked = mutex.execAsync(() => {});
    await shows(mutex.byteOffset | AT_MUTEX);
    exports.mutex_unlock(mutex.byteOffset, holder);
    await within(asked, 'the mutex', [mutex]);
    await shows(event.byteOffset | AT_EVENT);
    event.set();
    await within(stopped, 'the event', [mutex]);
    await shows(0);
});

test('deadlocks: a wait that has ended is not part of a cycle, even if the slot still shows its lock', () => {
    const { other, mine, waits, watch, reports } = writtenRing();
    waits(other, mine, { since: 0 });
    watch();
    assert.equal(reports.length, 0);
    waits(other, 0, { since: 2000 });
    watch();
    assert.equal(reports.length, 0);
});

test('deadlocks: a thread without a slot, and a memory without a table of threads, report nothing', () => {
    const space = LockSpace.attach(new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true }));
    assert.equal(reportRing(attach(space.memory), AGENT_BLOCKED_OFFSET), undefined);
});

test('deadlocks: each of several handlers gets one report, and handlers with throw get the error', () => {
    const { self, others, waits, watch, reports } = writtenRing();
    const told = /** @type {Report[]} */ ([]);
    const onReport = (/** @type {Report} */ report) => told.push(report);
    const stops = [debug({ onReport }), debug({ onReport })];
    assert.equal(watch(), undefined);
    assert.deepEqual([reports.length, told.length], [1, 1]);
    stops.push(debug({ onReport: () => assert.fail('told twice'), throw: true }));
    waits(self, 0);
    watch();
    waits(self, others);
    const error = watch();
    assert.equal(error?.code, 'HF_DEADLOCK');
    assert.match(error.message, /^Deadlock: .*This wait is given up/);
    assert.deepEqual([reports.length, told.length], [2, 2]);
    stops.forEach((end) => end());
});

test('deadlocks: call sites of an event loop can be read as long as it waits, in each memory', async (t) => {
    listen(() => {});
    const ended = new EventTarget();
    new Mutex().execAsync(() => once(ended, 'end')); // a long section has a call site too, and must not displace those of the waits
    t.after(() => ended.dispatchEvent(new Event('end')));
    const waits = [new LockSpace(), new LockSpace()].map((space, at) => {
        const mutex = new Mutex({ space });
        const attachment = attach(space.memory);
        const { exports } = attachment;
        const holder = joinMember(attachment);
        exports.mutex_lock_for_a_time(mutex.byteOffset, holder);
        t.after(() => exports.mutex_unlock(mutex.byteOffset, holder));
        const name = `asks${at}`;
        const asks = { [name]: () => mutex.execAsync(() => {}) }; // the stack has this name
        asks[name]?.();
        return { name, attachment };
    });
    const areNoted = () =>
        waits.every(({ name, attachment }) => noteOf(attachment, attachment.self)?.asks.from.includes(name));
    await until(areNoted, 'both waits');
    let times = 0;
    for (const end = environment.now() + SUSPECTED_AFTER_MS; environment.now() < end; await sleep(1)) {
        assert.ok(areNoted(), `after ${times} times`);
        times += 1;
    }
});

test('deadlocks: two threads may write their call sites at once without mixing them', async (t) => {
    const { store } = environment;
    for (let writes = 0; writes < 4; writes += 1) {
        const space = new LockSpace();
        const copies = ['one', 'other'].map(
            (copy) => import(`../../js-glue/debug/notes.js?${copy}${writes}`),
        );
        const [one, other] = await Promise.all(copies); // two copies of the file, which stand for two threads
        let before = writes;
        const restore = replaceInEnvironment({
            /** @param {[any, number, any]} args */
            store: (...args) => {
                const stored = store(...args);
                if (args[0].buffer === space.buffer) {
                    before -= 1;
                    before === 0 &&
                        other.writeNotes(() => [], attach(space.memory), { by: 'the other', from: '' });
                }
                return stored;
            },
        });
        t.after(restore);
        one.writeNotes(() => [], attach(space.memory), { by: 'the one', from: '' });
        restore();
        other.writeNotes(() => [], attach(space.memory), { by: 'the other', from: '' });
        const text = Buffer.from(space.buffer).toString('latin1');
        assert.match(text, /"the one"/, `after ${writes} stores`);
        assert.match(text, /"the other"/, `after ${writes} stores`);
    }
});
