/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startThread } from '../support/thread.js';
import { defineCases, hold, met, namesIn } from '../support/web-locks-cases.js';
import { makeLocks, toPost } from '../support/web-locks-shape.js';

/* The Web Locks API on one thread and on several, for any manager: tests/runtimes/engines.test.js runs this
 * file with the engines' own, too. web-locks-shared.test.js has what only this package has. */

const make = () => namesIn(makeLocks());

/** An engine that does not reach this point should not keep the process alive. */
const UNTIL_MS = 4000;

/** A thread that uses the same manager. @param {import('node:test').TestContext} t @param {any} locks */
async function startUser(t, locks) {
    const worker = startThread(t, 'web-locks-user', { locks: toPost(locks) });
    /** @type {Map<unknown, unknown[]>} */
    const told = new Map();
    /** @type {() => void} */
    let tell = () => {};
    worker.on('message', ({ id, what }) => {
        told.set(id, [...(told.get(id) ?? []), what]);
        tell();
    });
    /** @param {unknown} id @returns {Promise<any>} its next message about that request */
    const next = async (id) => {
        while (!told.get(id)?.length) {
            await new Promise((resolve) => {
                tell = () => resolve(undefined);
            });
        }
        return told.get(id)?.shift();
    };
    assert.equal(await met(next('ready')), 'ready');
    let ids = 0;
    return {
        worker,
        /** @param {object} message */
        ask(message) {
            ids += 1;
            const id = ids;
            worker.postMessage({ id, ...message });
            return {
                next: () => met(next(id)),
                release: (/** @type {Int32Array | undefined} */ when = undefined) =>
                    worker.postMessage({ release: id, when }),
            };
        },
    };
}

/** @param {() => Promise<boolean>} isTrue */
async function until(isTrue) {
    const end = performance.now() + UNTIL_MS;
    while (!(await isTrue())) {
        assert.ok(performance.now() < end, 'a state that should come');
        await sleep(1);
    }
}

defineCases(test, makeLocks);

test('web-locks: threads: requests of all threads are granted in the order made', async (t) => {
    const { locks, name, state } = make();
    const user = await startUser(t, locks);
    const theirs = user.ask({ name });
    assert.equal(await theirs.next(), 'granted');
    const mine = hold(locks, name);
    await met(until(async () => (await state()).pending.length === 1));
    const again = user.ask({ name, options: { mode: 'shared' } });
    await met(until(async () => (await state()).pending.length === 2));
    assert.deepEqual(await state(), { held: ['exclusive'], pending: ['exclusive', 'shared'] });
    theirs.release();
    await met(mine.granted);
    assert.equal(await theirs.next(), 'done');
    assert.deepEqual(await state(), { held: ['exclusive'], pending: ['shared'] });
    mine.release();
    assert.equal(await again.next(), 'granted');
    const { held } = await met(/** @type {Promise<any>} */ (locks.query()));
    const beside = hold(locks, name, { mode: 'shared' });
    await met(beside.granted);
    const both = (await met(/** @type {Promise<any>} */ (locks.query()))).held.filter(
        (/** @type {any} */ info) => info.name === name,
    );
    assert.equal(new Set(both.map((/** @type {any} */ info) => info.clientId)).size, 2, JSON.stringify(held));
    again.release();
    beside.release();
    assert.equal(await again.next(), 'done');
    await met(beside.done);
});

test('web-locks: threads: ifAvailable gives null for a lock that another thread holds', async (t) => {
    const { locks, name } = make();
    const user = await startUser(t, locks);
    const mine = hold(locks, name);
    await met(mine.granted);
    assert.equal(await user.ask({ name, options: { ifAvailable: true } }).next(), 'null');
    mine.release();
    await met(mine.done);
    const theirs = user.ask({ name, options: { ifAvailable: true } });
    assert.equal(await theirs.next(), 'granted');
    assert.equal(
        await met(locks.request(name, { ifAvailable: true }, (/** @type {unknown} */ lock) => lock)),
        null,
    );
    theirs.release();
    assert.equal(await theirs.next(), 'done');
});

test('web-locks: threads: a thread whose lock is stolen by another is notified at once', async (t) => {
    const { locks, name, state } = make();
    const user = await startUser(t, locks);
    const theirs = user.ask({ name });
    assert.equal(await theirs.next(), 'granted');
    const waiting = user.ask({ name });
    await met(until(async () => (await state()).pending.length === 1));
    const mine = hold(locks, name, { steal: true });
    await met(mine.granted);
    assert.equal(await theirs.next(), 'AbortError');
    assert.deepEqual(await state(), { held: ['exclusive'], pending: ['exclusive'] });
    mine.release();
    assert.equal(await waiting.next(), 'granted');
    const back = user.ask({ name, options: { steal: true } });
    assert.equal(await waiting.next(), 'AbortError');
    assert.equal(await back.next(), 'granted');
    back.release();
    assert.equal(await back.next(), 'done');
});

test('web-locks: threads: a busy thread may release a lock before it learns that the lock was stolen', async (t) => {
    const { locks, name } = make();
    const user = await startUser(t, locks);
    const theirs = user.ask({ name });
    assert.equal(await theirs.next(), 'granted');
    const when = new Int32Array(new SharedArrayBuffer(4));
    theirs.release(when);
    const mine = hold(locks, name, { steal: true });
    await met(mine.granted);
    Atomics.store(when, 0, 1);
    Atomics.notify(when, 0);
    assert.equal(await theirs.next(), 'AbortError');
    mine.release();
    await met(mine.done);
});

test('web-locks: 2.6 the locks and requests of a terminated thread are removed', async (t) => {
    const { locks, name, other, state } = make();
    const user = await startUser(t, locks);
    const mine = hold(locks, other);
    await met(mine.granted);
    assert.equal(await user.ask({ name }).next(), 'granted');
    user.ask({ name: other });
    await met(until(async () => (await state()).pending.length === 1));
    const next = hold(locks, name);
    const behind = hold(locks, other, { mode: 'shared' });
    await sleep(50);
    await user.worker.terminate();
    await met(next.granted);
    mine.release();
    await met(behind.granted);
    assert.deepEqual((await state()).pending, []);
    [next, behind].forEach(({ release }) => release());
    await met(Promise.all([next.done, behind.done]));
    assert.deepEqual(await state(), { held: [], pending: [] });
});

test('web-locks: threads: sections of one name never overlap', async (t) => {
    const { locks, name } = make();
    const words = new Int32Array(new SharedArrayBuffer(8));
    const times = 300;
    const users = await Promise.all([1, 2, 3].map(() => startUser(t, locks)));
    const counts = users.map((user) => user.ask({ name, count: times, words }));
    for (let time = 0; time < times; time += 1) {
        await met(
            locks.request(name, async () => {
                const before = words[0] ?? 0;
                await undefined;
                assert.equal(words[1], before);
                words.fill(before + 1);
            }),
        );
    }
    for (const { next } of counts) {
        assert.equal(await next(), 0);
    }
    assert.deepEqual([...words], [4 * times, 4 * times]);
});
