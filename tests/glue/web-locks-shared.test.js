/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import assert from 'node:assert/strict';
import { AsyncLocalStorage } from 'node:async_hooks';
import { once } from 'node:events';
import { test } from 'node:test';
import { MessageChannel, receiveMessageOnPort } from 'node:worker_threads';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { LockSpace } from '../../js-glue/index.js';
import { LockManager } from '../../js-glue/web-locks.js';
import { makeBoard, reached } from '../support/board.js';
import { runNode } from '../support/child.js';
import { errorWith } from '../support/errors.js';
import { messageOf, startThread } from '../support/thread.js';
import { hold } from '../support/web-locks-cases.js';
import { within } from '../support/watchdog.js';

/* Features of this package's lock manager alone: a handle, a space that may be full, threads that die at any
 * instruction. web-locks.test.js tests the API's promises. */

/** @type {<T>(promise: PromiseLike<T>) => Promise<T>} */
const met = (promise) => within(promise, 'a lock', []);

/** The time within which a death is noticed on a busy machine. */
const SWEEP_MS = 1500;

/** A signal that counts its listeners. */
function listened() {
    const controller = new AbortController();
    const signal = Object.assign(controller.signal, { listeners: 0 });
    const { addEventListener, removeEventListener } = signal;
    signal.addEventListener = (/** @type {any[]} */ ...all) => {
        signal.listeners += 1;
        Reflect.apply(addEventListener, signal, all);
    };
    signal.removeEventListener = (/** @type {any[]} */ ...all) => {
        signal.listeners -= 1;
        Reflect.apply(removeEventListener, signal, all);
    };
    return { signal, abort: () => controller.abort() };
}

const EMPTY = { held: [], pending: [] };

test('web-locks: only managers with the same handle share their locks', async () => {
    const locks = new LockManager();
    const same = LockManager.from(locks.handle);
    const other = new LockManager();
    const holder = hold(locks, 'name');
    await met(holder.granted);
    const isFree = (/** @type {LockManager} */ manager) =>
        met(manager.request('name', { ifAvailable: true }, (lock) => lock !== null));
    assert.equal(await isFree(same), false);
    assert.equal(await isFree(other), true);
    const next = same.request('name', () => 'got');
    holder.release();
    assert.equal(await met(next), 'got');
});

test('web-locks: from() of one handle always returns the same manager, so a thread is one client', async () => {
    const locks = new LockManager();
    const { port1, port2 } = new MessageChannel();
    /** @type {Set<LockManager>} */
    const managers = new Set();
    for (let message = 0; message < 2000; message += 1) {
        port1.postMessage(locks.handle);
        const { message: handle } = receiveMessageOnPort(port2) ?? {};
        const manager = LockManager.from(handle);
        managers.add(manager);
        assert.equal(await met(manager.request('name', () => 'got')), 'got');
    }
    port1.close();
    assert.deepEqual([...managers], [locks]);
});

test('web-locks: a manager can be made in a space that the program has made', async () => {
    const space = new LockSpace();
    const locks = new LockManager({ space });
    assert.equal(locks.handle.space.memory, space.memory);
    assert.equal(await met(locks.request('name', () => 'run')), 'run');
});

test('web-locks: many requests with one signal add one listener, so Node warns of no leak', async (t) => {
    /** @type {string[]} */
    const warnings = [];
    const warn = (/** @type {Error} */ warning) => warnings.push(warning.message);
    process.on('warning', warn);
    t.after(() => process.off('warning', warn));
    const locks = new LockManager();
    const holder = hold(locks, 'name');
    await met(holder.granted);
    const { signal, abort } = listened();
    const shared = { mode: /** @type {const} */ ('shared'), signal };
    const first = locks.request('name', shared, () => 'got');
    const others = Array.from({ length: 20 }, () => locks.request('other name', { signal }, () => 'got'));
    assert.deepEqual(await met(Promise.all(others)), new Array(20).fill('got'));
    holder.release();
    assert.equal(await met(first), 'got');
    assert.equal(signal.listeners, 0);

    const again = hold(locks, 'name');
    await met(again.granted);
    const ended = Array.from({ length: 20 }, () => locks.request('name', { signal }, () => 'got'));
    await sleep(1);
    assert.equal(signal.listeners, 1);
    abort();
    const outcomes = await met(Promise.allSettled(ended));
    assert.deepEqual(outcomes, new Array(20).fill({ status: 'rejected', reason: signal.reason }));
    again.release();
    await met(again.done);
    assert.deepEqual([signal.listeners, warnings], [0, []]);
});

test('web-locks: an invalid handle is a TypeError', () => {
    const { space } = new LockManager().handle;
    const withoutPlace = { holdfast: 'LockManager', space };
    for (const wrong of [undefined, null, {}, space, 'LockManager', withoutPlace]) {
        assert.throws(() => LockManager.from(/** @type {any} */ (wrong)), TypeError);
    }
});

test('web-locks: the constructor takes an object of options or nothing, and the error says so', () => {
    const { handle } = new LockManager();
    for (const wrong of [
        handle,
        handle.space,
        { space: handle.space },
        { spaces: 1 },
        { space: {} },
        new LockSpace(),
        null,
        5,
        'x',
    ]) {
        assert.throws(
            () => new LockManager(/** @type {any} */ (wrong)),
            errorWith('HF_BAD_OPTION', /new LockManager\(\{ space \}\) takes one object of options/),
        );
    }
    for (const none of [undefined, {}, { space: undefined }, { space: null }]) {
        assert.ok(new LockManager(/** @type {any} */ (none)));
    }
});

test('web-locks: a name is converted to a string once, and a symbol is refused', async () => {
    const locks = new LockManager();
    const request = (/** @type {any} */ name) => met(locks.request(name, (lock) => lock.name));
    let asked = 0;
    const turning = { toString: () => ['name', '-name'][(asked += 1) - 1] };
    assert.equal(await request(turning), 'name');
    assert.equal(asked, 1);
    await assert.rejects(request(Symbol('name')), TypeError);
});

test('web-locks: in a full space a new request is rejected, and all earlier ones continue', async () => {
    const space = new LockSpace();
    const locks = new LockManager({ space });
    const holder = hold(locks, 'name');
    await met(holder.granted);
    /** @type {Promise<unknown>[]} */
    const waiting = [];
    /** @type {any} */
    let refused;
    while (refused === undefined && waiting.length < 5000) {
        const request = locks.request('name', () => waiting.length);
        request.catch((error) => {
            refused = error;
        });
        waiting.push(request);
        await sleep(0);
    }
    assert.ok(errorWith('HF_NO_SPACE', /LockSpace is full/)(refused));
    await assert.rejects(
        met(locks.request('x'.repeat(100_000), () => {})),
        errorWith('HF_NO_SPACE', /LockSpace is full/),
    );
    holder.release();
    await met(Promise.all(waiting.slice(0, -1)));
    assert.deepEqual(await met(locks.query()), EMPTY);
});

/** Makes a space with one free block of the given bytes. @param {LockSpace} space @param {number} bytes */
function fillBut(space, bytes) {
    const rest = space.alloc(bytes);
    let size = space.buffer.byteLength;
    while (size >= 16) {
        try {
            space.alloc(size);
        } catch {
            size /= 2;
        }
    }
    space.free(rest);
}

/** @param {LockSpace} space @param {number} bytes */
function fits(space, bytes) {
    try {
        space.free(space.alloc(bytes));
        return true;
    } catch {
        return false;
    }
}

test('web-locks: if a manager or a request does not fit, no bytes stay allocated', async () => {
    let refused = 0;
    for (let isMade = false, bytes = 16; !isMade; bytes += 16) {
        const space = new LockSpace();
        fillBut(space, bytes);
        try {
            isMade = Boolean(new LockManager({ space }));
        } catch (error) {
            assert.ok(errorWith('HF_NO_SPACE', /LockSpace is full/)(error));
            assert.ok(fits(space, bytes), `a manager that did not fit into ${bytes} bytes`);
            refused += 1;
        }
    }
    for (let isGranted = false, bytes = 16; !isGranted; bytes += 16) {
        const space = new LockSpace();
        const locks = new LockManager({ space });
        fillBut(space, bytes);
        try {
            isGranted = await met(locks.request('name', () => true));
        } catch (error) {
            assert.ok(errorWith('HF_NO_SPACE', /LockSpace is full/)(error));
            const isThere = await met(
                locks.query().then(
                    () => true,
                    () => false,
                ),
            );
            assert.ok(isThere || fits(space, bytes), `a thread that did not fit into ${bytes} bytes`);
            refused += 1;
        }
    }
    assert.ok(refused > 50, `${refused} attempts`);
});

test('web-locks: if a request with steal does not fit, the holder keeps the lock', async () => {
    const space = new LockSpace();
    const name = 'a name that needs a block of its own';
    const [locks, thief] = [new LockManager({ space })].flatMap((one) => [one, LockManager.from(one.handle)]);
    await met(/** @type {LockManager} */ (thief).query());
    const holder = hold(locks, name);
    await met(holder.granted);
    const next = /** @type {LockManager} */ (locks).request(name, () => 'got');
    await met(/** @type {LockManager} */ (locks).query()); // makes the manager's own entry, so the next failure is about the request
    for (let bytes = space.buffer.byteLength; bytes > 4;) {
        try {
            space.alloc(bytes);
        } catch {
            bytes /= 2;
        }
    }
    await assert.rejects(
        met(/** @type {LockManager} */ (thief).request(name, { steal: true }, () => {})),
        errorWith('HF_NO_SPACE', /LockSpace is full/),
    );
    holder.release('kept');
    assert.equal(await met(holder.done), 'kept');
    assert.equal(await met(next), 'got');
});

test('web-locks: a signal may belong to another realm, or to a polyfill', async () => {
    const locks = new LockManager();
    const holder = hold(locks, 'name');
    await met(holder.granted);
    const signal = Object.assign(new EventTarget(), { aborted: false, reason: new Error('enough') });
    const waiting = locks.request('name', { signal: /** @type {any} */ (signal) }, () => 'run');
    signal.aborted = true;
    signal.dispatchEvent(new Event('abort'));
    await assert.rejects(met(waiting), signal.reason);
    holder.release();
    await assert.rejects(
        met(locks.request('name', { signal: /** @type {any} */ (signal) }, () => 'run')),
        signal.reason,
    );
});

test('web-locks: a thread that was notified twice still gets later notifications', async (t) => {
    const copy = new URL('../../js-glue/web-locks.js?other', import.meta.url).href;
    const worker = startThread(t, 'web-locks-overheard', { copy });
    for (const name of ['one', 'two']) {
        const told = await messageOf(worker, `lock ${name} stolen`, []);
        assert.deepEqual(told, { name, what: 'AbortError', rings: false });
    }
});

test('web-locks: a callback runs in the async context of its request', async () => {
    const locks = new LockManager();
    const context = new AsyncLocalStorage();
    const holder = hold(locks, 'name');
    await met(holder.granted);
    const seen = [1, 2].map((id) => context.run(id, () => locks.request('name', () => context.getStore())));
    context.run(3, () => holder.release());
    assert.deepEqual(await met(Promise.all(seen)), [1, 2]);
});

test('web-locks: a thousand requests for many names are granted in order', async () => {
    const locks = new LockManager();
    /** @type {Map<string, number[]>} */
    const orders = new Map();
    const all = Array.from({ length: 1000 }, (_, at) => {
        const name = `name ${at % 90}`;
        orders.set(name, []);
        return locks.request(name, async () => {
            orders.get(name)?.push(at);
            await undefined;
        });
    });
    const { held, pending } = await met(locks.query());
    assert.equal(held.length, 90);
    assert.equal(pending.length, 910);
    await met(Promise.all(all));
    for (const order of orders.values()) {
        assert.deepEqual(
            order,
            [...order].sort((one, other) => one - other),
        );
    }
    assert.deepEqual(await met(locks.query()), EMPTY);
});

test('web-locks: when a thread dies at any instruction, all its locks and requests are removed', async (t) => {
    const locks = new LockManager();
    for (let death = 0; death < 12; death += 1) {
        const board = makeBoard(1);
        const workers = [1, 2].map(() => startThread(t, 'web-locks-hammer', { handle: locks.handle, board }));
        await met(reached(board, 0));
        await sleep(death % 4);
        await Promise.all(workers.map((worker) => worker.terminate()));
        for (const name of ['one', 'two', `long ${'name '.repeat(20)}`]) {
            assert.equal(await met(locks.request(name, (lock) => lock.name)), name);
        }
    }
    const { held, pending } = await met(locks.query());
    assert.deepEqual({ held, pending }, EMPTY);
});

test('web-locks: a request is granted when the thread ahead of it dies, even among other waiters', async (t) => {
    const locks = new LockManager();
    const start = async (/** @type {string} */ name) => {
        const worker = startThread(t, 'web-locks-user', { locks: locks.handle });
        await messageOf(worker, 'start', []);
        worker.postMessage({ id: 1, name });
        assert.equal((await messageOf(worker, 'lock', [])).what, 'granted');
        return worker;
    };
    const other = await start('other');
    const waiting = locks.request('other', () => 'other');
    for (let death = 0; death < 3; death += 1) {
        const worker = await start('name'); // from the second on, the worker reuses the number of the one before
        const next = locks.request('name', () => 'got');
        await met(locks.query());
        await worker.terminate();
        assert.equal(await met(next), 'got');
    }
    await other.terminate();
    assert.equal(await met(waiting), 'other');
});

test('web-locks: a grant stays valid if the granting thread dies before it announces the grant', async (t) => {
    const locks = new LockManager();
    const worker = startThread(t, 'web-locks-user', { locks: locks.handle });
    await messageOf(worker, 'start', []);
    worker.postMessage({ id: 1, name: 'name' });
    assert.equal((await messageOf(worker, 'lock', [])).what, 'granted');
    const next = locks.request('name', () => 'got');
    await met(locks.query());
    worker.postMessage({ release: 1, stuck: true });
    assert.equal((await messageOf(worker, 'release', [])).what, 'stuck');
    await worker.terminate();
    assert.equal(await met(next), 'got');
});

test('web-locks: threads that end without a lock leave only a bounded number of clients', async (t) => {
    const locks = new LockManager();
    for (let round = 0; round < 6; round += 1) {
        const board = makeBoard(1);
        const workers = Array.from({ length: 8 }, () =>
            startThread(t, 'web-locks-hammer', { handle: locks.handle, board, times: 1 }),
        );
        await met(Promise.all(workers.map((worker) => once(worker, 'exit'))));
        await sleep(round < 2 ? 0 : SWEEP_MS);
    }
    const holder = hold(LockManager.from(locks.handle), 'name');
    await met(holder.granted);
    const [{ clientId } = { clientId: '' }] = (await met(locks.query())).held;
    const [, number = '', generation = ''] = clientId.split('-');
    assert.ok(Number(number) < 40, `of 48 threads: ${clientId}`);
    assert.notEqual(generation, '');
    holder.release();
});

for (const [what, program, lives] of /** @type {const} */ ([
    ['a held lock does not keep it alive', 'hold', false],
    ['a request that waits for another thread keeps it alive', 'wait', true],
])) {
    test(`web-locks: the process: ${what}`, async () => {
        const child = fileURLToPath(new URL('../support/children/web-locks-lives.js', import.meta.url));
        const { code, stdout, stderr } = await runNode([child, program]);
        assert.equal(code, 0, stderr);
        assert.equal(stdout, lives ? 'asked\ngranted\n' : 'asked\n');
    });
}
