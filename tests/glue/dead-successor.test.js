/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CountingSemaphore, LockSpace, RwLock } from '../../js-glue/index.js';
import { startThread } from '../support/thread.js';
import { within } from '../support/watchdog.js';
import { wordsOf } from '../support/words.js';

/* One that finds room for itself beside a successor that waits for more: it waits while that lives, and goes on when
 * that is dead. Values are typed `any` where several kinds of things are asked alike. */

const PERMITS = 5;

/** Many times what it takes, for a slow machine, and a small part of for ever. */
const LIMIT_MS = 3000;

/** Longer than it takes to find out that a successor is dead. */
const A_WHILE_MS = 200;

const MOST_ATTEMPTS = 10;

const jobEnds = () => new Promise((resolve) => setImmediate(resolve));

/**
 * @typedef {object} Thing of which this thread has a part
 * @property {string} kind for the other thread, which wants all of it
 * @property {() => any} make
 * @property {(object: any) => void} giveBack
 * @property {Record<string, (object: any, limit: number) => unknown>} asks whether a further part can be had, which is
 *     given back at once
 */

/** @type {Thing[]} */
const THINGS = [
    {
        kind: 'semaphore',
        make() {
            const semaphore = new CountingSemaphore(new LockSpace(), { max: PERMITS });
            semaphore.enter();
            return semaphore;
        },
        giveBack: (semaphore) => semaphore.leave(),
        asks: {
            tryEnter: (semaphore, limit) => semaphore.tryEnter(limit) && (semaphore.leave(), true),
            execAsync: (semaphore, limit) =>
                semaphore.execAsync(() => true, { timeout: limit }).catch(() => false),
            'tryEnter without a wait': (semaphore, limit) =>
                again(() => semaphore.tryEnter() && (semaphore.leave(), true), limit),
        },
    },
    {
        kind: 'rwlock',
        make() {
            const rwlock = new RwLock(new LockSpace());
            rwlock.lockShared();
            return rwlock;
        },
        giveBack: (rwlock) => rwlock.unlockShared(),
        asks: {
            tryLockShared: (rwlock, limit) => rwlock.tryLockShared(limit) && (rwlock.unlockShared(), true),
            executeLocked: (rwlock, limit) =>
                rwlock.executeLocked(() => true, { mode: 'shared', timeout: limit }).catch(() => false),
            'tryLockShared without a wait': (rwlock, limit) =>
                again(() => rwlock.tryLockShared() && (rwlock.unlockShared(), true), limit),
        },
    },
];

/**
 * @param {() => boolean} attempt
 * @param {number} limit milliseconds
 */
async function again(attempt, limit) {
    const end = performance.now() + limit;
    while (performance.now() < end) {
        if (attempt()) {
            return true;
        }
        await jobEnds();
    }
    return false;
}

/** @param {any} object */
const placeOf = (object) => wordsOf(object)[1] ?? 0;

/** @param {any} object */
async function untilSucceeded(object) {
    while (placeOf(object) === 0) {
        await jobEnds();
    }
}

/**
 * Asks until that is in vain: on a machine with much else to do one that lives may be asked in vain, too.
 *
 * @param {any} object
 * @param {() => unknown} ask
 */
async function waitsOnce(object, ask) {
    for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt += 1) {
        await within(untilSucceeded(object), 'the successor', [object]);
        if (!(await within(Promise.resolve(ask()), 'the ask', [object]))) {
            return;
        }
    }
    assert.fail('nobody is waited for');
}

for (const { kind, make, giveBack, asks } of THINGS) {
    for (const way of ['blocked', 'idle']) {
        for (const [name, ask] of Object.entries(asks)) {
            test(`beside: ${name} of a ${kind} passes by a dead successor that was ${way}`, async (t) => {
                const object = make();
                const other = startThread(t, 'wants-more', {
                    kind,
                    handle: object.handle,
                    way,
                    permits: PERMITS,
                });
                await within(untilSucceeded(object), 'the successor', [object]);
                await other.terminate();
                const passed = await within(Promise.resolve(ask(object, LIMIT_MS)), name, [object]);
                assert.ok(passed, 'nobody passed by the dead successor');
                giveBack(object);
            });

            test(`beside: ${name} of a ${kind} waits behind a successor that is ${way}`, async (t) => {
                const object = make();
                startThread(t, 'wants-more', { kind, handle: object.handle, way, permits: PERMITS });
                await within(untilSucceeded(object), 'the successor', [object]);
                await waitsOnce(object, () => ask(object, A_WHILE_MS));
                giveBack(object);
                await within(
                    again(() => placeOf(object) === 0, LIMIT_MS),
                    'the turn of the successor',
                    [object],
                );
            });
        }
    }
}
