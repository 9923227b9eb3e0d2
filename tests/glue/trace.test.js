/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { Answerer, Caller, Channel } from '../../js-glue/channel.js';
import * as holdfast from '../../js-glue/index.js';
import {
    BinarySemaphore,
    CountingSemaphore,
    Mutex,
    Once,
    RecursiveMutex,
    RwLock,
} from '../../js-glue/index.js';
import { KeyedMutex } from '../../js-glue/keyed.js';
import { Placed } from '../../js-glue/memory/placed.js';
import { trace } from '../../js-glue/trace.js';
import { makeBoard, reach, reached, work } from '../support/board.js';
import { runChild } from '../support/child.js';
import { errorWith } from '../support/errors.js';
import { jobEnds, reasonOf } from '../support/event-loop.js';
import { KINDS_OF_WAIT } from '../support/kinds-of-wait.js';
import { messageOf, startThread } from '../support/thread.js';
import { EntryObserver } from '../support/trace-entries.js';
import { within } from '../support/watchdog.js';
import { assertFree, wordsOf } from '../support/words.js';

/* trace() records each method, and changes nothing else. */

/** Long enough to stand out from other work of the machine. */
const SECTION_MS = 30;

/** Two threads' clocks may differ by this much, and an entry may come this long after its event. */
const SLACK_MS = 5;

/** @typedef {import('../support/trace-entries.js').TraceEntry} TraceEntry */

/**
 * @param {import('node:test').TestContext} t
 */
function observe(t) {
    const observer = new EntryObserver();
    t.after(() => observer.stop());
    return observer;
}

/**
 * An entry without the details that differ between runs.
 *
 * @param {TraceEntry} entry
 */
function gist({ activity, method, mode, outcome }) {
    return [activity, method, mode, outcome].filter((word) => word !== undefined).join(' ');
}

/** Starts and ends of entries are sums of large numbers. */
const ROUNDING_MS = 0.002;

/** @param {number} [one] @param {number} [other] */
const isSame = (one = NaN, other = NaN) => Math.abs(one - other) < ROUNDING_MS;

/** @param {TraceEntry} entry */
const lengthOf = ({ start, end }) => end - start;

/** @param {TraceEntry} one @param {TraceEntry} other */
const overlapOf = (one, other) => Math.min(one.end, other.end) - Math.max(one.start, other.start);

/**
 * @param {readonly TraceEntry[]} entries
 * @param {'wait' | 'hold'} activity
 */
function only(entries, activity) {
    const found = entries.filter((entry) => entry.activity === activity);
    assert.equal(found.length, 1, `${found.length} entries of a ${activity}`);
    return /** @type {TraceEntry} */ (found[0]);
}

const pause = () => new Promise((resolve) => setTimeout(resolve, SECTION_MS));

/**
 * Waits until a waiter has set its flag in the words.
 * @param {Mutex} mutex held
 * @param {string} held its words
 */
async function untilAwaited(mutex, held) {
    while (String(wordsOf(mutex)) === held) {
        await jobEnds();
    }
}

const seats = () => new CountingSemaphore({ max: 3 });

/**
 * Each method that acquires something, with its release and its entries.
 *
 * @type {[title: string, make: () => any, use: (lock: any) => unknown, entries: string[]][]}
 */
const USES = [
    ['Mutex.lock', () => new Mutex(), (m) => (m.lock(), m.unlock()), ['wait lock got', 'hold lock']],
    [
        'Mutex.tryLock',
        () => new Mutex(),
        (m) => (m.tryLock(), m.unlock()),
        ['wait tryLock got', 'hold tryLock'],
    ],
    ['Mutex.exec', () => new Mutex(), (m) => m.exec(() => 1), ['wait exec got', 'hold exec']],
    ['Mutex.acquire', () => new Mutex(), (m) => m.acquire().release(), ['wait acquire got', 'hold acquire']],
    [
        'Mutex.tryAcquire',
        () => new Mutex(),
        (m) => m.tryAcquire(5).release(),
        ['wait tryAcquire got', 'hold tryAcquire'],
    ],
    [
        'Mutex.execAsync',
        () => new Mutex(),
        (m) => m.execAsync(() => 1),
        ['wait execAsync got', 'hold execAsync'],
    ],
    [
        'Mutex.executeLocked',
        () => new Mutex(),
        (m) => m.executeLocked(() => 1),
        ['wait executeLocked got', 'hold executeLocked'],
    ],
    [
        'Mutex.acquireAsync',
        () => new Mutex(),
        async (m) => (await m.acquireAsync()).release(),
        ['wait acquireAsync got', 'hold acquireAsync'],
    ],
    ['RwLock.lock', () => new RwLock(), (l) => (l.lock(), l.unlock()), ['wait lock got', 'hold lock']],
    [
        'RwLock.lockShared',
        () => new RwLock(),
        (l) => (l.lockShared(), l.unlockShared()),
        ['wait lockShared shared got', 'hold lockShared shared'],
    ],
    [
        'RwLock.downgrade',
        () => new RwLock(),
        (l) => (l.lock(), l.downgrade(), l.unlockShared()),
        ['wait lock got', 'hold lock'],
    ],
    [
        'RwLock.upgrade',
        () => new RwLock(),
        (l) => (l.lockUpgradable(), l.tryUpgrade(), l.unlock()),
        ['wait lockUpgradable got', 'hold lockUpgradable'],
    ],
    [
        'RwLock.unlockUpgradable',
        () => new RwLock(),
        (l) => (l.tryLockUpgradable(5), l.unlockUpgradable()),
        ['wait tryLockUpgradable got', 'hold tryLockUpgradable'],
    ],
    [
        'RwLock.acquire, downgraded',
        () => new RwLock(),
        (l) => {
            const guard = l.acquire();
            guard.downgrade();
            guard.release();
        },
        ['wait acquire got', 'hold acquire'],
    ],
    [
        'RwLock.tryLockShared',
        () => new RwLock(),
        (l) => (l.tryLockShared(5), l.unlockShared()),
        ['wait tryLockShared shared got', 'hold tryLockShared shared'],
    ],
    [
        'RwLock.exec',
        () => new RwLock(),
        (l) => l.exec(() => 1, { mode: 'shared' }),
        ['wait exec shared got', 'hold exec shared'],
    ],
    [
        'RwLock.acquire',
        () => new RwLock(),
        (l) => l.acquire({ mode: 'shared' }).release(),
        ['wait acquire shared got', 'hold acquire shared'],
    ],
    [
        'RwLock.tryAcquire',
        () => new RwLock(),
        (l) => l.tryAcquire({ mode: 'shared' }).release(),
        ['wait tryAcquire shared got', 'hold tryAcquire shared'],
    ],
    [
        'RwLock.execAsync',
        () => new RwLock(),
        (l) => l.execAsync(() => 1, { mode: 'shared' }),
        ['wait execAsync shared got', 'hold execAsync shared'],
    ],
    [
        'RwLock.execAsync, exclusive',
        () => new RwLock(),
        (l) => l.execAsync(() => 1),
        ['wait execAsync got', 'hold execAsync'],
    ],
    [
        'RwLock.acquireAsync',
        () => new RwLock(),
        async (l) => (await l.acquireAsync({ mode: 'shared' })).release(),
        ['wait acquireAsync shared got', 'hold acquireAsync shared'],
    ],
    ['BinarySemaphore.enter', () => new BinarySemaphore(), (s) => (s.enter(), s.leave()), ['wait enter got']],
    [
        'CountingSemaphore.tryEnter',
        seats,
        (s) => (s.tryEnter({ permits: 2 }), s.leave(2)),
        ['wait tryEnter got'],
    ],
    ['CountingSemaphore.exec', seats, (s) => s.exec(() => 1, { permits: 2 }), ['wait exec got', 'hold exec']],
    [
        'CountingSemaphore.execAsync',
        seats,
        (s) => s.execAsync(async () => 1, { permits: 2 }),
        ['wait execAsync got', 'hold execAsync'],
    ],
    [
        'CountingSemaphore.acquire',
        seats,
        (s) => s.acquire({ permits: 2 }).release(),
        ['wait acquire got', 'hold acquire'],
    ],
    [
        'CountingSemaphore.tryAcquire',
        seats,
        (s) => s.tryAcquire({ permits: 2 }).release(),
        ['wait tryAcquire got', 'hold tryAcquire'],
    ],
    [
        'CountingSemaphore.acquireAsync',
        seats,
        async (s) => (await s.acquireAsync({ permits: 2 })).release(),
        ['wait acquireAsync got', 'hold acquireAsync'],
    ],
    [
        'RecursiveMutex.acquire',
        () => new RecursiveMutex(),
        (m) => m.acquire().release(),
        ['wait acquire got', 'hold acquire'],
    ],
    [
        'CountingSemaphore.enterAsync',
        seats,
        async (s) => (await s.enterAsync(), s.leave()),
        ['wait enterAsync got'],
    ],
    [
        'KeyedMutex.exec',
        () => new KeyedMutex(),
        (m) => m.exec('key', () => 1),
        ['wait exec got', 'hold exec'],
    ],
    [
        'KeyedMutex.execAsync',
        () => new KeyedMutex(),
        (m) => m.execAsync('key', async () => 1),
        ['wait execAsync got', 'hold execAsync'],
    ],
    [
        'KeyedMutex.tryAcquire',
        () => new KeyedMutex(),
        (m) => m.tryAcquire('key', 5).release(),
        ['wait tryAcquire got', 'hold tryAcquire'],
    ],
    [
        'KeyedMutex.acquireAsync',
        () => new KeyedMutex(),
        async (m) => (await m.acquireAsync('key')).release(),
        ['wait acquireAsync got', 'hold acquireAsync'],
    ],
    ['Once.run', () => new Once(), (o) => o.run(() => {}), ['wait run got', 'hold run']],
    ['Once.runAsync', () => new Once(), (o) => o.runAsync(() => {}), ['wait runAsync got', 'hold runAsync']],
];

for (const [title, make, use, expected] of USES) {
    test(`trace: ${title} writes its entries in order, and each starts where the last ended`, async (t) => {
        const lock = make();
        const observer = observe(t);
        const stop = trace(lock, { minimum: 0 });
        await use(lock);
        const entries = observer.take();
        assert.deepEqual(entries.map(gist), expected);
        assert.ok(
            entries.every((entry, index) => index === 0 || isSame(entry.start, entries[index - 1]?.end)),
        );
        stop();
        await use(make());
        assert.deepEqual(observer.take(), []);
    });
}

/** @param {readonly TraceEntry[]} entries */
const ofRequests = (entries) => entries.filter(({ method }) => /Async$|^execAsync$/.test(method));

for (const kind of KINDS_OF_WAIT) {
    test(`trace: ${kind.name}: the entry of a request says whether it was granted, timed out or was aborted`, async (t) => {
        const { objects, ask, meet, reset } = kind.make(1);
        const observer = observe(t);
        const traced = /** @type {Placed} */ (objects.at(-1));
        const stop = trace(traced, { minimum: 0 });
        // The calls that grant the request and reset the object are traced, too.
        const waitOfRequest = () => only(ofRequests(observer.take()), 'wait');
        const now = () => performance.timeOrigin + performance.now();
        const begun = now();
        const request = ask();
        const asked = now();
        await pause();
        meet();
        await within(Promise.resolve(request), 'a request', objects);
        const wait = waitOfRequest();
        assert.equal(wait.outcome, 'got');
        assert.ok(lengthOf(wait) >= SECTION_MS - 1, `${lengthOf(wait)} ms`);
        assert.ok(begun <= wait.start + ROUNDING_MS && wait.start <= asked + ROUNDING_MS);

        reset();
        await jobEnds();
        await reasonOf(ask({ timeout: 3 }));
        assert.equal(waitOfRequest().outcome, 'timed out');
        const controller = new AbortController();
        const { signal } = controller;
        const aborted = reasonOf(ask({ signal }));
        setImmediate(() => controller.abort());
        assert.equal(await aborted, signal.reason);
        assert.equal(waitOfRequest().outcome, 'aborted');
        stop();
    });
}

test('trace: the entry of a timed-out blocking wait says so, and errors without a wait have no entry', (t) => {
    const { objects, block } = KINDS_OF_WAIT.find(({ name }) => name === 'rwlock')?.make(1) ?? assert.fail();
    const observer = observe(t);
    trace(/** @type {Placed} */ (objects[0]), { minimum: 0 });
    assert.equal(block?.({ timeout: 3 }), false);
    const lock = /** @type {RwLock} */ (objects[0]);
    assert.equal(lock.tryAcquire({ timeout: 3 }), null);
    assert.deepEqual(observer.take().map(gist), ['wait tryLock not got', 'wait tryAcquire not got']);

    const mutex = new Mutex();
    trace(mutex, { minimum: 0 });
    mutex.lock();
    assert.throws(() => mutex.lock(), errorWith('HF_DEADLOCK', /already/));
    assert.throws(() => mutex.exec(/** @type {any} */ (undefined)), errorWith('HF_BAD_CALLBACK', /function/));
    mutex.unlock();
    assert.throws(() => mutex.unlock(), errorWith('HF_NOT_OWNER', /This thread does not hold/));
    assert.deepEqual(observer.take().map(gist), ['wait lock got', 'hold lock']);
});

for (const first of ['worker', 'event loop']) {
    test(`trace: two threads, the ${first} first: the wait of one lies within the hold of the other`, async (t) => {
        const mutex = new Mutex();
        const observer = observe(t);
        const [asking, held, release] = [0, 1, 2];
        const board = makeBoard(3);
        const stop = trace(mutex, { name: 'table', thread: 'main' });
        const shared = { handle: mutex.handle, board, asking, held, release };

        const guard = first === 'worker' ? undefined : await mutex.acquireAsync();
        const words = String(wordsOf(mutex));
        const worker = startThread(t, 'traced-user', shared);
        const message = messageOf(worker, 'the entries of the worker', [mutex]);
        if (guard === undefined) {
            await within(reached(board, held), 'the worker holds', [mutex]);
            const request = mutex.execAsync(() => work(1));
            await pause();
            reach(board, release);
            await within(request, 'the request', [mutex]);
        } else {
            await within(reached(board, asking), 'the worker asks', [mutex]);
            await within(untilAwaited(mutex, words), 'the worker waits', [mutex]);
            await pause();
            guard.release();
            reach(board, release);
        }
        const theirs = await message;
        const ours = observer.take();
        stop();
        assertFree(mutex);

        assert.ok(ours.every(({ lock, thread }) => lock === 'table' && thread === 'main'));
        assert.ok(theirs.every((/** @type {TraceEntry} */ { thread }) => thread === 'worker'));
        const [holder, waiter] = first === 'worker' ? [theirs, ours] : [ours, theirs];
        const hold = only(holder, 'hold');
        const wait = only(waiter, 'wait');
        t.diagnostic(
            `hold ${lengthOf(hold)} ms, wait ${lengthOf(wait)} ms, both ${overlapOf(hold, wait)} ms`,
        );
        assert.ok(overlapOf(hold, wait) >= SECTION_MS - SLACK_MS);
        assert.ok(hold.start <= wait.start + SLACK_MS);
        assert.ok(hold.end <= wait.end + SLACK_MS, 'the wait ended before the hold');
    });
}

test('trace: the hold of an async section ends when its promise settles, even if others wait', async (t) => {
    const mutex = new Mutex();
    const observer = observe(t);
    const stop = trace(mutex, { minimum: 1 });
    await Promise.all([mutex.execAsync(pause), mutex.execAsync(pause)]);
    const entries = observer.take();
    stop();
    const [first, second, ...others] = entries.filter(({ activity }) => activity === 'hold');
    // On a loaded machine the first section is granted late too.
    const wait = entries.findLast(({ activity }) => activity === 'wait');
    assert.ok(first && wait && second);
    assert.deepEqual(others, []);
    assert.ok(lengthOf(first) >= SECTION_MS - 1 && lengthOf(second) >= SECTION_MS - 1);
    assert.ok(first.end <= second.start + ROUNDING_MS, 'two holds of one mutex overlap');
    assert.ok(isSame(wait.end, second.start));
});

test('trace: if a lock is released through another object, the next hold is an entry of its own', (t) => {
    for (const make of [() => new Mutex(), () => new RwLock()]) {
        const lock = make();
        const other = /** @type {any} */ (lock.constructor).from(lock.handle);
        const observer = observe(t);
        const stop = trace(lock, { minimum: 0 });
        lock.lock();
        other.unlock();
        const again = performance.timeOrigin + performance.now();
        lock.lock();
        lock.unlock();
        stop();
        const hold = only(observer.take(), 'hold');
        assert.ok(hold.start >= again);
        observer.stop();
    }
});

test('trace: entries of a KeyedMutex name the key, and the hold of each key ends at its unlock()', (t) => {
    const keyed = new KeyedMutex();
    const observer = observe(t);
    trace(keyed, { name: 'accounts', minimum: 0 });
    keyed.lock('one');
    assert.equal(keyed.tryLock(''), true);
    assert.equal(keyed.tryLock('one'), false);
    keyed.unlock('one');
    keyed.unlock('');
    assert.throws(() => keyed.unlock('two'), errorWith('HF_NOT_OWNER', /'two'/));
    keyed.lock('one'); // again
    keyed.unlock('one');
    const entries = observer.take();
    assert.deepEqual(
        entries.map((entry) => `${entry.key}, ${gist(entry)}`),
        [
            'one, wait tryLock not got',
            'one, wait lock got',
            'one, hold lock',
            ', wait tryLock got',
            ', hold tryLock',
            'one, wait lock got',
            'one, hold lock',
        ],
    );
    assert.equal(entries[2]?.name, "accounts 'one': hold");
    assert.ok(entries.every(({ lock }) => lock === 'accounts'));
});

test('trace: a section that throws has an entry for its hold, and its error is passed on', async (t) => {
    const mutex = new Mutex();
    const observer = observe(t);
    const stop = trace(mutex, { minimum: 0 });
    const reason = new Error('a reason');
    const fail = () => {
        throw reason;
    };
    assert.equal(await reasonOf(mutex.execAsync(fail)), reason);
    assert.equal(await reasonOf(mutex.execAsync(async () => fail())), reason);
    assert.throws(() => mutex.exec(fail), reason);
    assert.equal(observer.take().filter(({ activity }) => activity === 'hold').length, 3);
    stop();
    assertFree(mutex);
});

test('trace: methods return the same with and without trace(), and callbacks run as often', async () => {
    const mutex = new Mutex();
    const stop = trace(mutex);
    let calls = 0;
    const thenable = {
        /** @param {(value: string) => void} resolve */
        then(resolve) {
            calls += 1;
            resolve('value');
        },
        next: assert.fail,
        throw: assert.fail,
    };
    assert.equal(await mutex.execAsync(() => /** @type {any} */ (thenable)), 'value');
    assert.equal(calls, 1);
    assert.equal(
        mutex.exec(() => 'value'),
        'value',
    );
    assert.equal(
        mutex.exec(() => false),
        false,
    );
    const guard = mutex.acquire();
    assert.equal(mutex.tryLock(), false);
    assert.equal(guard.released, false);
    guard.release();
    assert.equal(guard.released, true);
    assert.throws(() => guard.release(), errorWith('HF_NOT_OWNER', /is already released/));
    (await mutex.acquireAsync())[Symbol.dispose]();
    assert.equal(mutex.tryLock(), true);
    mutex.unlock();
    const nested = mutex.execAsync(() => mutex.execAsync(() => {}));
    await assert.rejects(
        within(nested, 'a request that waits for itself', [mutex]),
        errorWith('HF_DEADLOCK', /, which it holds/),
    );
    assert.throws(
        () => mutex.exec(/** @type {any} */ (async () => {})),
        errorWith('HF_BAD_CALLBACK', /promise/),
    );
    stop();
    await jobEnds();
    assertFree(mutex);
});

test('trace: an unhandled rejection stays unhandled, and causes no second one', async () => {
    const { code, stdout, stderr } = await runChild('traced-rejections');
    assert.equal(code, 0, stderr);
    assert.equal(stdout, 'Error: nobody handles this; Error: nor this\n');
});

test('trace: entries shorter than the minimum are left out', (t) => {
    const mutex = new Mutex();
    const observer = observe(t);
    trace(mutex);
    mutex.exec(() => {});
    assert.ok(observer.take().every((entry) => lengthOf(entry) >= 0.05));
    mutex.exec(() => work(2));
    assert.equal(only(observer.take(), 'hold').method, 'exec');
    trace(mutex, { minimum: 1e6 });
    mutex.exec(() => work(2));
    assert.deepEqual(observer.take(), []);
});

test('trace: entries are removed from the timeline unless keep is given', () => {
    const mutex = new Mutex();
    trace(mutex, { minimum: 0, name: 'seen' });
    mutex.exec(() => {});
    assert.deepEqual(performance.getEntriesByType('measure'), []);
    const stop = trace(mutex, { minimum: 0, name: 'kept', keep: true });
    mutex.exec(() => {});
    stop();
    const names = performance.getEntriesByType('measure').map(({ name }) => name);
    performance.clearMeasures();
    assert.deepEqual(names, ['kept: wait', 'kept: hold']);
});

test('trace: entries have the fields of a track in the performance panel of Chromium', (t) => {
    const lock = new RwLock();
    const seen = /** @type {any[]} */ ([]);
    const measure = t.mock.method(performance, 'measure');
    const stop = trace(lock, { minimum: 0, name: 'table', thread: 'reader' });
    lock.exec(() => {}, { mode: 'shared' });
    assert.equal(lock.tryLock(), true);
    assert.equal(lock.tryLock(), false);
    stop();
    seen.push(...measure.mock.calls.map((call) => /** @type {any[]} */ (call.arguments)));
    assert.deepEqual(
        seen.map(([name, { detail }]) => [name, detail.devtools.color]),
        [
            ['table: wait shared', 'tertiary-light'],
            ['table: hold shared', 'primary-light'],
            ['table: wait', 'error'],
        ],
    );
    assert.deepEqual(seen[1][1].detail.devtools, {
        dataType: 'track-entry',
        trackGroup: 'table',
        track: 'reader',
        color: 'primary-light',
        tooltipText: 'hold of reader by exec()',
        properties: [
            ['lock', 'table'],
            ['thread', 'reader'],
            ['activity', 'hold'],
            ['method', 'exec'],
            ['mode', 'shared'],
        ],
    });
    lock.unlock();
});

test('trace: entries name the lock by its class and address, and the thread by its own name', (t) => {
    const mutex = new Mutex();
    const observer = observe(t);
    const stop = trace(mutex, { minimum: 0 });
    mutex.exec(() => {});
    const { lock, thread, name } = only(observer.take(), 'hold');
    assert.equal(lock, `Mutex at ${mutex.byteOffset}`);
    assert.equal(thread, 'main');
    assert.equal(name, `${lock}: hold`);
    stop();
});

/** @type {Record<string, object>} */
const OPTIONS = { CountingSemaphore: { max: 1 }, Latch: { count: 1 }, Barrier: { parties: 1 } };

/** @returns {Placed[]} one of each class */
function oneOfEach() {
    return [...new Set(Object.values(holdfast))] // SharedEvent is Event
        .filter((value) => value.prototype instanceof Placed)
        .map((Class) => new /** @type {any} */ (Class)(OPTIONS[Class.name]));
}

test('trace: every class can be traced, and stop() restores the object', () => {
    const objects = [...oneOfEach(), new KeyedMutex()];
    assert.equal(objects.length, 11);
    for (const object of objects) {
        const prototype = Object.getPrototypeOf(object);
        const stop = trace(object);
        const traced = Object.getPrototypeOf(object);
        assert.notDeepEqual(
            Reflect.ownKeys(traced),
            [],
            `${prototype.constructor.name} has no traced method`,
        );
        assert.equal(Object.getPrototypeOf(traced), prototype);
        assert.ok(object instanceof prototype.constructor);
        stop();
        assert.equal(Object.getPrototypeOf(object), prototype);
        assert.deepEqual(Reflect.ownKeys(object), []);
    }
});

class Counted extends Mutex {
    locks = 0;

    lock() {
        this.locks += 1;
        super.lock();
    }
}

class CountedWithKind extends Counted {
    static KIND = 'Counted';
}

for (const Class of [Counted, CountedWithKind]) {
    test(`trace: a user-defined class, ${Class.name}, keeps its methods and its state`, async (t) => {
        const mutex = new Class();
        const observer = observe(t);
        const stop = trace(mutex, { minimum: 0 });
        mutex.lock();
        mutex.unlock();
        assert.deepEqual(observer.take().map(gist), ['wait lock got', 'hold lock']);
        await mutex.execAsync(() => {});
        assert.deepEqual(observer.take().map(gist), ['wait execAsync got', 'hold execAsync']);
        stop();
        assert.equal(mutex.locks, 1);
    });
}

test('trace: a second trace() replaces the first, whose stop() then does nothing', (t) => {
    const mutex = new Mutex();
    const observer = observe(t);
    const stopFirst = trace(mutex, { minimum: 0, name: 'first' });
    const stopSecond = trace(mutex, { minimum: 0, name: 'second' });
    stopFirst();
    mutex.exec(() => {});
    assert.deepEqual([...new Set(observer.take().map(({ lock }) => lock))], ['second']);
    stopSecond();
    stopSecond();
    assert.equal(Object.getPrototypeOf(mutex), Mutex.prototype);
});

test('trace: waits and holds that are open when tracing stops continue without an entry', async (t) => {
    const mutex = new Mutex();
    const observer = observe(t);
    const stop = trace(mutex, { minimum: 0 });
    const guard = mutex.acquire();
    const request = mutex.execAsync(() => 'value');
    stop();
    guard.release();
    assert.equal(await within(request, 'the request', [mutex]), 'value');
    assert.deepEqual(observer.take(), []);
    assertFree(mutex);
});

test('trace: objects that are no lock, and invalid options, are refused', (t) => {
    const mutex = new Mutex();
    for (const lock of /** @type {any[]} */ ([undefined, null, {}, Mutex, mutex.handle])) {
        assert.throws(() => trace(lock), errorWith('HF_BAD_OPTION', /takes a lock/));
    }
    const isNoLock = errorWith(
        'HF_BAD_OPTION',
        /cannot be traced: it is not a lock\. inspect\(\) of holdfast\/debug shows/,
    );
    const answerer = new Answerer();
    for (const object of [new Channel({ bytes: 64 }), answerer, Caller.from(answerer.handle)]) {
        assert.throws(() => trace(object), isNoLock);
    }
    for (const options of /** @type {any[]} */ ([
        null,
        'table',
        { name: '' },
        { name: 5 },
        { thread: {} },
        { minimum: -1 },
        { minimum: NaN },
        { minimum: '1' },
    ])) {
        assert.throws(() => trace(mutex, options), errorWith('HF_BAD_OPTION', /Pass \{|string|number/));
    }
    Object.defineProperty(performance, 'measure', { value: undefined, configurable: true });
    t.after(() => Reflect.deleteProperty(performance, 'measure'));
    assert.throws(() => trace(mutex), errorWith('HF_NO_TIMELINE', /other threads/));
    assert.equal(Object.getPrototypeOf(mutex), Mutex.prototype);
});

/**
 * The glue's files that a program loads with this import.
 * @param {string} entry
 */
async function filesBehind(entry) {
    const { metafile } = await build({
        entryPoints: [fileURLToPath(new URL(`../../js-glue/${entry}`, import.meta.url))],
        bundle: true,
        format: 'esm',
        write: false,
        metafile: true,
    });
    return Object.keys(metafile.inputs).map((path) => path.replace(/^.*\//, ''));
}

test('trace: only programs that import holdfast/trace load its code', async () => {
    const own = ['trace.js', 'traced-methods.js', 'span.js', 'lock-timeline.js'];
    const withIt = await filesBehind('trace.js');
    const without = await filesBehind('index.js');
    assert.deepEqual(
        own.filter((file) => !withIt.includes(file) || without.includes(file)),
        [],
    );
    const classes = ['mutex.js', 'rwlock.js', 'semaphore.js', 'condition.js', 'once.js', 'barrier.js'];
    assert.deepEqual(
        classes.filter((file) => withIt.includes(file)),
        [],
    );
});
