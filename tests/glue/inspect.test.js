/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { inspect as shownInConsole } from 'node:util';
import { Answerer, Caller, Channel } from '../../js-glue/channel.js';
import { debug, inspect } from '../../js-glue/debug.js';
import {
    Barrier,
    BinarySemaphore,
    Condition,
    CountingSemaphore,
    Event,
    Latch,
    LockSpace,
    Mutex,
    Once,
    RecursiveMutex,
    RwLock,
} from '../../js-glue/index.js';
import { attach } from '../../js-glue/memory/attachment.js';
import {
    AGENT_ASKED_OFFSET,
    AGENT_BLOCKED_OFFSET,
    AGENT_NAME_OFFSET,
    AGENTS_BYTES,
    AGENTS_MAGIC,
    AT_MUTEX,
    RWLOCK_MOST,
    THREAD_JS,
    THREAD_MARK,
    THREAD_RANDOM,
} from '../../js-glue/memory/layout.js';
import { environment } from '../../js-glue/thread/environment.js';
import { WATCH_MS } from '../../js-glue/thread/times.js';
import { makeBoard, reach, reached } from '../support/board.js';
import { replaceInEnvironment } from '../support/environment.js';
import { reasonOf } from '../support/event-loop.js';
import { joinMember } from '../support/member.js';
import { LIMIT_MS, startMortal } from '../support/mortal.js';
import { messageOf, startThread } from '../support/thread.js';
import { until, within } from '../support/watchdog.js';

/* Names in a space, and what inspect() shows of it. */

debug();

const READY = 0;
const GO = 1;

/** @param {() => unknown} ask @param {RegExp} message */
function assertBadName(ask, message) {
    assert.throws(ask, { code: 'HF_BAD_NAME', message });
}

/** @type {[any, object?][]} */
const CLASSES = [
    [Mutex],
    [RecursiveMutex],
    [RwLock],
    [Once],
    [Condition],
    [Event],
    [Latch, { count: 1 }],
    [BinarySemaphore],
    [CountingSemaphore, { initial: 2 }],
    [Barrier, { parties: 2 }],
];

/**
 * A thread that blocks for `stock` and holds `orders`.
 *
 * @param {import('node:test').TestContext} t
 * @param {LockSpace} space
 */
async function startClerk(t, space) {
    const board = makeBoard(2);
    reach(board, GO);
    const worker = startThread(t, 'namer', {
        ...{ handle: space.handle, board, ready: READY, go: GO },
        ...{ names: [], holds: 'orders', blocksFor: 'stock' },
    });
    await messageOf(worker, 'a thread that holds a lock', []);
    return worker;
}

/**
 * @param {() => boolean} isSo
 * @param {() => string} what
 */
async function eventually(isSo, what) {
    const end = performance.now() + LIMIT_MS;
    while (!isSo()) {
        assert.ok(performance.now() < end, what());
        await sleep(20);
    }
}

for (const [Class, options] of CLASSES) {
    test(`names: ${Class.KIND}: a name belongs to one object, and an object has one name`, () => {
        const space = new LockSpace();
        const one = Class.named(space, 'one', options);
        assert.equal(one.name, 'one');
        assert.equal(Class.named(LockSpace.from(space.handle), 'one').byteOffset, one.byteOffset);
        const other = new Class({ space, ...options, name: 'other' });
        assert.equal(other.name, 'other');
        assert.equal(Class.named(space, 'other').byteOffset, other.byteOffset);
        assert.notEqual(one.byteOffset, other.byteOffset);
        assert.equal(new Class({ space, ...options }).name, '');
        assertBadName(() => new Class({ space, ...options, name: 'one' }), /'one' is taken/);
        const Other = /** @type {any} */ (Class === Mutex ? RwLock : Mutex);
        assertBadName(() => Other.named(space, 'one'), new RegExp(`'one' is a ${Class.KIND}`));
        assert.match(shownInConsole(one), new RegExp(`^${Class.KIND} 'one'`));
        assert.match(shownInConsole(Class.prototype), /^(Object|Placed|Semaphore)/);
    });
}

test('names: an invalid name is refused, and nothing is allocated', () => {
    const space = new LockSpace();
    const first = space.alloc(16);
    space.free(first);
    for (const name of [null, 7, {}, '', 'x'.repeat(33), 'é'.repeat(17), 'a\0b', '\ud800', ['x']]) {
        assertBadName(() => Mutex.named(space, /** @type {any} */ (name)), /UTF-8, none of them 0; this is/);
        assertBadName(
            () => new Mutex({ space, name: /** @type {any} */ (name) }),
            /UTF-8, none of them 0; this is/,
        );
    }
    assertBadName(() => Mutex.named(space, /** @type {any} */ (undefined)), /undefined/);
    assert.throws(() => Mutex.named(space, 'x', /** @type {any} */ (5)), { code: 'HF_BAD_OPTION' });
    assert.equal(space.alloc(16), first);
    for (const name of ['x', 'x'.repeat(32), 'é'.repeat(16), '\u{1f512}', ' ', '\ufeffx', '%41']) {
        assert.equal(Mutex.named(space, name).name, name);
    }
});

test('names: a constructor that fails because the name is taken frees the bytes of the lock', () => {
    const space = new LockSpace();
    Mutex.named(space, 'x');
    const next = space.alloc(16);
    space.free(next);
    assertBadName(() => new Mutex({ space, name: 'x' }), /is taken/);
    assert.equal(space.alloc(16), next);
});

test('names: if a name does not fit into the space, no bytes stay allocated', () => {
    const space = new LockSpace();
    let last = 0;
    assert.throws(
        () => {
            for (;;) {
                last = space.alloc(16);
            }
        },
        { code: 'HF_NO_SPACE' },
    );
    for (const make of [() => new Mutex({ space, name: 'x' }), () => Mutex.named(space, 'x')]) {
        space.free(last);
        assert.throws(make, { code: 'HF_NO_SPACE' });
        assert.equal(space.alloc(16), last);
    }
});

test('names: named(), and at() with a name, are refused outside a LockSpace', () => {
    const name = 'x';
    const memory = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true });
    const foreign = LockSpace.attach(memory);
    for (const ask of [
        () => Mutex.named(/** @type {any} */ (undefined), name),
        () => Mutex.named(/** @type {any} */ (memory), name),
        () => Mutex.at(memory, 64, /** @type {any} */ ({ name })),
    ]) {
        assert.throws(ask, { code: 'HF_BAD_OPTION' });
    }
    assert.throws(() => Mutex.named(foreign, name), { code: 'HF_NO_ALLOCATOR' });
    assert.throws(() => new Mutex({ space: foreign, name }), { code: 'HF_NO_ALLOCATOR' });
    assert.deepEqual(new Uint8Array(memory.buffer), new Uint8Array(65536));
    assert.deepEqual({ ...inspect(foreign) }, { threads: [], objects: [] });
});

test('names: free() removes the name, and another lock may take it', () => {
    const space = new LockSpace();
    const latch = Latch.named(space, 'x', { count: 1 });
    space.free(latch);
    assert.deepEqual(inspect(space).objects, []);
    const mutex = Mutex.named(space, 'x');
    assert.equal(mutex.name, 'x');
    space.free(mutex.byteOffset);
    new RwLock({ space, name: 'x' });
    assert.deepEqual(
        inspect(space).objects.map(({ kind, name }) => ({ kind, name })),
        [{ kind: 'RwLock', name: 'x' }],
    );
});

test('names: threads that ask for a name at the same time get the same object', async (t) => {
    const THREADS = 4;
    const space = new LockSpace();
    const board = makeBoard(2);
    const names = Array.from({ length: 100 }, (_, at) => `lock ${at}`);
    const workers = Array.from({ length: THREADS }, () =>
        startThread(t, 'namer', { handle: space.handle, board, ready: READY, go: GO, names }),
    );
    const answers = workers.map((worker) => messageOf(worker, 'the places', []));
    await within(reached(board, READY, THREADS), 'all threads', []);
    reach(board, GO);
    const [first = [], ...others] = await Promise.all(answers);
    others.forEach((places) => assert.deepEqual(places, first));
    assert.equal(new Set(first).size, names.length);
    assert.deepEqual(
        first,
        names.map((name) => Mutex.named(space, name).byteOffset),
    );
});

test('inspect: the result shows the holder and the waiters of each lock', async (t) => {
    const space = new LockSpace();
    const stock = Mutex.named(space, 'stock');
    const orders = Mutex.named(space, 'orders');
    stock.lock();
    await startClerk(t, space);
    const asked = orders.execAsync(() => {}, { timeout: 2 * LIMIT_MS });
    asked.catch(() => {}); // the end of the clerk thread rejects it
    const isSeen = () => inspect(space).objects.every(({ waiting, heldFor }) => waiting === 1 && heldFor);
    await eventually(isSeen, () => String(inspect(space)));
    const { threads, objects } = inspect(space);
    const [main, worker] = threads;
    assert.equal(threads.length, 2);
    assert.deepEqual(
        [main, worker].map((thread) => [thread?.isThis, thread?.isAlive]),
        [
            [true, true],
            [false, true],
        ],
    );
    const waits = threads.map(({ waitsFor }) =>
        waitsFor.map(({ name, kind, blocks }) => [name, kind, blocks]),
    );
    assert.deepEqual(waits, [[['orders', 'Mutex', false]], [['stock', 'Mutex', true]]]);
    const milliseconds = threads.map(({ waitsFor }) => waitsFor[0]?.milliseconds ?? -1);
    assert.ok(
        milliseconds.every((each) => each >= 0 && each < LIMIT_MS),
        String(milliseconds),
    );
    const holders = Object.fromEntries(objects.map(({ name, holder }) => [name, holder]));
    assert.deepEqual(holders, { stock: main?.name, orders: worker?.name });
    assert.match(String(inspect(space)), /worker \d+, blocked for Mutex 'stock' \([\d.]+ s\)/);
    assert.match(
        String(inspect(space)),
        /Mutex 'orders', held by worker \d+, for at least [\d.]+ s, .*1 waiting/,
    );
    assert.match(shownInConsole({ stock }), /Mutex 'stock', held by main/);
    stock.unlock();
    await eventually(
        () => !inspect(space).threads[1]?.waitsFor.length,
        () => String(inspect(space)),
    );
});

/**
 * The objects that other threads, or this one, wait for.
 * @param {Channel | Answerer} channel
 * @param {boolean} isThis
 */
const waitsFor = (channel, isThis = false) =>
    inspect(channel)
        .threads.filter((thread) => thread.isThis === isThis && thread.isAlive)
        .flatMap((thread) => thread.waitsFor);

test('inspect: the result shows the channel for which a thread waits, and whether it sends or receives', async (t) => {
    const space = new LockSpace({ pages: 4 });
    for (const [way, to, options] of /** @type {const} */ ([
        ['a wait for a message', 'receive', { name: 'log' }],
        ['a wait for room', 'send', {}],
    ])) {
        const channel = new Channel({ space, bytes: 64, ...options });
        const board = makeBoard(1);
        startThread(t, 'channel-victim', { handle: channel.handle, way, board, stage: 0, isShown: true });
        await within(reached(board, 0), 'the thread', [channel]);
        await until(() => waitsFor(channel).some((wait) => wait.to === to), 'its wait', [channel]);
        const wait = waitsFor(channel).find((one) => one.to === to);
        const { byteOffset, name } = channel;
        assert.deepEqual(wait, { ...wait, kind: 'Channel', name, byteOffset, blocks: true });
        const title = name ? `Channel '${name}'` : `Channel at ${byteOffset}`;
        const text = to === 'send' ? `blocked to send to ${title} (` : `blocked to receive from ${title} (`;
        assert.ok(String(inspect(channel)).includes(text), String(inspect(channel)));
        const shown = inspect(channel).objects.find((object) => object.byteOffset === byteOffset);
        assert.deepEqual([shown?.kind, shown?.holder, shown?.waiting], ['Channel', undefined, 1]);
    }
});

test('inspect: the result shows requests of an event loop for a channel, and a loop that waits for calls', async () => {
    const space = new LockSpace({ pages: 4 });
    const channel = new Channel({ space, bytes: 64 });
    const stop = new AbortController();
    const { signal } = stop;
    const received = channel.receiveAsync({ signal });
    await until(() => waitsFor(channel, true).length > 0, 'its wait', [channel]);
    const [wait] = waitsFor(channel, true);
    assert.deepEqual([wait?.kind, wait?.to, wait?.blocks], ['Channel', 'receive', false]);
    stop.abort();
    await assert.rejects(received);

    const answerer = new Answerer({ space, bytes: 64, name: 'files' });
    const loop = answerer[Symbol.asyncIterator]().next();
    const isShown = () => String(inspect(space)).includes("asks to receive from Answerer 'files'");
    await until(isShown, 'the loop', [answerer]);
    const call = Caller.from(answerer.handle).callAsync(new Uint8Array(1));
    (await loop).value?.answer(new Uint8Array(1));
    await call;
    answerer.close();
});

test('inspect: a wait that has ended is not shown', async () => {
    const space = new LockSpace();
    const one = Mutex.named(space, 'a');
    const other = Mutex.named(space, 'b');
    const mutexes = [one, other];
    mutexes.forEach((mutex) => mutex.lock());
    const a = one.execAsync(() => {}, { timeout: LIMIT_MS });
    const b = other.execAsync(() => {}, { timeout: LIMIT_MS });
    const waits = () => inspect(space).threads[0]?.waitsFor.map(({ name }) => name);
    await eventually(
        () => waits()?.[0] === 'a',
        () => String(inspect(space)),
    );
    const began = performance.now();
    await sleep(200);
    one.unlock();
    await within(a, 'the first', mutexes);
    await eventually(
        () => waits()?.[0] === 'b',
        () => String(inspect(space)),
    );
    const { milliseconds = 0 } = inspect(space).threads[0]?.waitsFor[0] ?? {};
    assert.ok(
        milliseconds >= performance.now() - began - 100,
        `since it asked, not since it shows: ${milliseconds}`,
    );
    other.unlock();
    await within(b, 'the second', mutexes);
    assert.deepEqual(waits(), []);
});

test('inspect: a thread that blocked and continued is not shown as blocked', async () => {
    const space = new LockSpace();
    const event = new Event({ space, name: 'go' });
    assert.equal(event.wait(300), false);
    assert.deepEqual(inspect(space).threads[0]?.waitsFor, []);
});

test('inspect: an abandoned lock shows its dead owner', async (t) => {
    const space = new LockSpace();
    const mutex = Mutex.named(space, 'orders');
    const worker = await startMortal(t, mutex, { way: 'idle' });
    const name = String(inspect(space).objects[0]?.holder);
    assert.match(name, /^worker \d+$/);
    await worker.terminate();
    await assert.rejects(within(mutex.acquireAsync(), 'news of the death', [mutex]), {
        code: 'HF_ABANDONED',
    });
    const [object] = inspect(space).objects;
    assert.deepEqual([object?.holder, object?.isAbandoned], [name, true]);
    assert.match(String(inspect(space)), new RegExp(`${name}, dead`));
    assert.match(shownInConsole(mutex), new RegExp(`abandoned by ${name}`));
});

test('inspect: a holder with a random identity is not shown as dead', () => {
    const memory = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true });
    const words = new Int32Array(memory.buffer);
    for (const [Class, holder] of /** @type {const} */ ([
        [Mutex, THREAD_RANDOM],
        [RwLock, THREAD_RANDOM],
        [Mutex, 8],
        [RwLock, 8 + RWLOCK_MOST + 1],
    ])) {
        for (const identity of [holder, holder | THREAD_MARK]) {
            words[16] = identity;
            const isOfC = identity < THREAD_JS;
            const isDead = isOfC && identity !== holder;
            const shown = shownInConsole(/** @type {typeof Mutex} */ (Class).at(memory, 64));
            const who = isOfC ? 'a thread of C' : 'an unknown thread';
            assert.equal(shown, `${Class.KIND} at 64, ${isDead ? 'abandoned' : 'held'} by ${who}`);
        }
    }
});

test('inspect: the result shows locks beyond 2 GiB, and waits that begin after the clock was read', () => {
    const pages = 32_769;
    const memory = new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true });
    const table = 1024;
    new Uint32Array(memory.buffer, table).set([AGENTS_MAGIC, 0, 0, 0, 2, AGENTS_BYTES]);
    const space = LockSpace.attach(memory, { threads: table });
    const mutex = Mutex.at(memory, 2 ** 31 + 64);
    mutex.lock();
    const { exports, self, words } = attach(memory);
    const wait = (exports.agents_slot(table, self) + AGENT_BLOCKED_OFFSET) / 4;
    const soon = (environment.date() + 60_000) | 0;
    words.set([mutex.byteOffset | AT_MUTEX, soon, soon], wait);
    const { threads, objects } = inspect(space);
    words.fill(0, wait, wait + 3);
    assert.deepEqual(
        threads.map(({ waitsFor }) =>
            waitsFor.map(({ byteOffset, milliseconds }) => [byteOffset, milliseconds]),
        ),
        [[[mutex.byteOffset, 0]]],
    );
    assert.deepEqual(
        objects.map(({ byteOffset, waiting, heldFor }) => [byteOffset, waiting, heldFor]),
        [[mutex.byteOffset, 1, undefined]],
    );
    mutex.unlock();
});

test('inspect: the result shows the number of readers and permits', () => {
    const space = new LockSpace();
    const lock = RwLock.named(space, 'table');
    const permits = new CountingSemaphore({ space, initial: 3, name: 'permits' });
    lock.lockShared();
    permits.enter({ permits: 2 });
    const inUse = Object.fromEntries(inspect(space).objects.map((each) => [each.name, each.inUse]));
    assert.deepEqual(inUse, { table: 1, permits: 2 });
    lock.unlockShared();
    assert.match(shownInConsole(lock), /free/);
});

test('inspect: the result shows the upgradable reader as the holder, beside the number of other readers', () => {
    const space = new LockSpace();
    const lock = RwLock.named(space, 'table');
    lock.lockUpgradable();
    lock.lockShared();
    const [thread] = inspect(space).threads;
    const [object] = inspect(space).objects;
    assert.equal(object?.holder, thread?.name);
    assert.equal(object?.inUse, 1);
    assert.match(String(inspect(space)), /RwLock 'table', held by .*, 1 in use/);
    lock.unlockShared();
    lock.unlockUpgradable();
    assert.match(String(inspect(space)), /RwLock 'table', free/);
});

test('inspect: a thread that waits for its upgrade waits for the reader-writer lock', async () => {
    const space = new LockSpace();
    const lock = new RwLock({ space });
    const [guard, reader] = [lock.acquire({ mode: 'upgradable' }), lock.acquire({ mode: 'shared' })];
    const upgrade = guard.upgradeAsync();
    const waitsFor = () => inspect(space).threads[0]?.waitsFor[0];
    await eventually(
        () => waitsFor() !== undefined,
        () => String(inspect(space)),
    );
    assert.equal(waitsFor()?.kind, 'RwLock');
    reader.release();
    await upgrade;
    guard.release();
});

test('inspect: heldFor does not include time before the lock was last free', async () => {
    const space = new LockSpace();
    const mutex = new Mutex({ space });
    const attachment = attach(space.memory);
    const { exports, table } = attachment;
    const other = joinMember(attachment);
    const slot = exports.agents_slot(table, other);
    new Uint8Array(space.buffer)[slot + AGENT_NAME_OFFSET] = 65; // 'A'
    const isLate = async () => {
        const error = await within(reasonOf(mutex.acquireAsync({ timeout: WATCH_MS })), 'the timeout', [
            mutex,
        ]);
        return /** @type {import('../../js-glue/index.js').TimeoutError} */ (error);
    };
    exports.mutex_lock_for_a_time(mutex.byteOffset, other);
    await isLate();
    exports.mutex_unlock(mutex.byteOffset, other);
    await sleep(2 * WATCH_MS);
    exports.mutex_lock_for_a_time(mutex.byteOffset, other);
    const began = performance.now();
    const { heldFor = NaN } = await isLate();
    assert.ok(heldFor <= performance.now() - began, `${heldFor} ms`);
});

test('inspect: a timeout error says which thread holds the lock, and for how long', async (t) => {
    const space = new LockSpace();
    const orders = Mutex.named(space, 'orders');
    Mutex.named(space, 'stock').lock();
    await startClerk(t, space);
    const late = async (/** @type {number} */ timeout) => {
        try {
            await within(orders.acquireAsync({ timeout }), 'the timeout', [orders]);
        } catch (error) {
            return /** @type {import('../../js-glue/index.js').TimeoutError} */ (error);
        }
        return assert.fail('it got the lock');
    };
    const soon = await late(1);
    assert.match(soon.message, /, held by worker \d+\.$/);
    assert.equal(soon.heldFor, undefined);
    const error = await late(700);
    assert.match(String(error.holder), /^worker \d+$/);
    assert.ok(Number(error.heldFor) > 100 && Number(error.heldFor) < LIMIT_MS, String(error.heldFor));
    assert.match(error.message, /held by worker \d+ for 0\.\d s\.$/);
});

test('inspect: a timeout error of a reader-writer lock has the holder only if one thread holds the lock', async () => {
    const lock = new RwLock();
    const late = () => reasonOf(lock.acquireAsync({ mode: 'shared', timeout: 1 }));
    lock.lock();
    assert.match(String(await late()), /, held by this thread\.$/);
    lock.unlock();
    lock.lockShared();
    const error = await reasonOf(lock.acquireAsync({ timeout: 1 }));
    assert.equal(/** @type {import('../../js-glue/index.js').TimeoutError} */ (error).holder, undefined);
    lock.unlockShared();
});

test('inspect: a thread that blocks for a lock, and also has a request for it, shows one wait', () => {
    const space = new LockSpace();
    const mutex = new Mutex({ space });
    const attachment = attach(space.memory);
    const { exports, table, words } = attachment;
    const slot = exports.agents_slot(table, joinMember(attachment));
    for (const offset of [AGENT_BLOCKED_OFFSET, AGENT_ASKED_OFFSET]) {
        words[(slot + offset) / 4] = mutex.byteOffset | AT_MUTEX;
        words[(slot + offset) / 4 + 1] = environment.date() - 1000;
    }
    const { threads, objects } = inspect(space);
    assert.equal(threads[1]?.waitsFor.length, 2);
    assert.equal(objects[0]?.waiting, 1);
});

test('inspect: a dead holder is shown as dead even if a later thread has its slot', () => {
    const space = new LockSpace({ threads: 2 });
    const mutex = Mutex.named(space, 'orders');
    const attachment = attach(space.memory);
    const { exports, table } = attachment;
    const holder = joinMember(attachment);
    exports.mutex_lock_for_a_time(mutex.byteOffset, holder);
    assert.equal(inspect(space).objects[0]?.isAbandoned, false);
    exports.agent_leave(exports.agents_slot(table, holder), holder);
    assert.notEqual(joinMember(attachment), 0);
    const [object] = inspect(space).objects;
    assert.deepEqual([object?.holder, object?.isAbandoned], ['a thread that died', true]);
    assert.match(shownInConsole(mutex), /, abandoned by a thread that died/);
});

test('inspect: a Once shows as done or not done', () => {
    const space = new LockSpace();
    const once = Once.named(space, 'config');
    assert.equal(inspect(space).objects[0]?.isDone, false);
    assert.match(shownInConsole(once), /free$/);
    once.run(() => 'read');
    assert.equal(inspect(space).objects[0]?.isDone, true);
    assert.match(shownInConsole(once), /^Once 'config', done$/);
});

test('inspect: if another thread takes a slot while it is read, the slot is read again', async (t) => {
    const space = new LockSpace();
    await startMortal(t, space, { way: 'idle', holds: 'nothing' });
    const attachment = attach(space.memory);
    const [place = 0] = [1, 2]
        .map((number) => attachment.exports.agents_slot(attachment.table, THREAD_JS | number))
        .filter((at) => at !== attachment.exports.agents_slot(attachment.table, attachment.self));
    const { load } = environment;
    const isOtherState = (/** @type {any} */ words, /** @type {number} */ at) =>
        words.buffer === space.buffer && words.byteOffset === place && at === 0;
    const ONE_LIFE_MORE = 1 << 12;
    let changes = 0;
    t.after(
        replaceInEnvironment({
            load(/** @type {any} */ words, /** @type {number} */ at) {
                const value = load(words, at);
                if (isOtherState(words, at) && changes === 0) {
                    changes = 1;
                    words[0] += ONE_LIFE_MORE;
                    words.fill(0x7478656e, AGENT_NAME_OFFSET / 4, AGENT_NAME_OFFSET / 4 + 1);
                    words.fill(0, AGENT_NAME_OFFSET / 4 + 1);
                }
                return value;
            },
        }),
    );
    assert.deepEqual(
        inspect(space)
            .threads.filter(({ isThis }) => !isThis)
            .map(({ name, isAlive }) => [name, isAlive]),
        [['next', true]],
    );
    assert.equal(changes, 1);
});

test('inspect: its text escapes invisible characters of names', () => {
    const space = new LockSpace();
    const name = 'a\n\u001b[31m\u202e\u200b';
    const mutex = new Mutex({ space, name });
    for (const text of [String(inspect(space)), shownInConsole(mutex)]) {
        assert.match(text, /Mutex 'a\\u\{a\}\\u\{1b\}\[31m\\u\{202e\}\\u\{200b\}', free/);
    }
    assert.equal(inspect(space).objects[0]?.name, name);
});

test('inspect: a subclass with its own KIND cannot have names in a space', () => {
    const space = new LockSpace();
    class Ticket extends Mutex {
        static KIND = 'Ticket';
    }
    assertBadName(() => new Ticket({ space, name: 'a' }), /KIND/);
    assertBadName(() => Ticket.named(space, 'a'), /KIND/);
    Mutex.named(space, 'a');
    assert.deepEqual(
        inspect(space).objects.map(({ kind, name }) => [kind, name]),
        [['Mutex', 'a']],
    );
});

test('inspect: the console shows a proxy or a prototype of a lock as a plain object', () => {
    const mutex = new Mutex({ space: new LockSpace() });
    for (const other of [new Proxy(mutex, {}), Object.create(mutex), Mutex.prototype]) {
        assert.equal(typeof shownInConsole({ other }), 'string');
    }
});

test('debug: strings and the console show each lock, guard and space with its holders', async () => {
    const space = new LockSpace();
    const mutex = new Mutex({ space, name: 'orders' });
    const guard = await mutex.acquireAsync();
    const { name: main = '' } = inspect(space).threads[0] ?? {};
    for (const show of [String, shownInConsole]) {
        assert.equal(show(mutex), `Mutex 'orders', held by ${main}`);
        assert.equal(show(guard), `Guard of Mutex 'orders', held by ${main}`);
        assert.match(show(space), /^LockSpace of 65536 bytes\nthreads\n[^]*Mutex 'orders', held by /);
    }
    guard.release();
    assert.equal(String(mutex), "Mutex 'orders', free");
    assert.equal(String(guard), "Guard of Mutex 'orders', free, released");
    assert.match(String(Object.create(mutex)), /^\[object/);
});

test('inspect: a slot that is half written, or has an address outside the memory, shows no wait', () => {
    const space = new LockSpace();
    const { exports, table, words, self } = attach(space.memory);
    const at = (exports.agents_slot(table, self) + AGENT_BLOCKED_OFFSET) / 4;
    const place = new Mutex({ space }).byteOffset | AT_MUTEX;
    for (const [where, since, count] of /** @type {const} */ ([
        [place, 4, 1],
        [place, 0, 0],
        [0, 4, 0],
        [space.buffer.byteLength, 4, 0],
        [-8, 4, 0],
    ])) {
        words[at] = where;
        words[at + 1] = since;
        assert.equal(inspect(space).threads[0]?.waitsFor.length, count, `${where} since ${since}`);
    }
});

test('inspect: heldFor is the shortest time for which a waiter has seen the holder', () => {
    const space = new LockSpace();
    const mutex = new Mutex({ space });
    mutex.lock();
    const attachment = attach(space.memory);
    const { exports, table, words } = attachment;
    const before = environment.date();
    for (const ago of [7000, 400, 3000]) {
        const identity = joinMember(attachment);
        const at = (exports.agents_slot(table, identity) + AGENT_BLOCKED_OFFSET) / 4;
        words[at] = mutex.byteOffset | AT_MUTEX;
        words[at + 1] = environment.date() - 8000;
        words[at + 2] = environment.date() - ago;
    }
    const { heldFor = NaN } = inspect(space).objects[0] ?? {};
    const most = 400 + environment.date() - before + 2; // words have whole milliseconds
    assert.ok(heldFor >= 400 && heldFor <= most, `${heldFor} ms, at most ${most}`);
});
