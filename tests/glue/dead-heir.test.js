/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CountingSemaphore, LockSpace, RwLock } from '../../js-glue/index.js';
import { jobEnds } from '../support/event-loop.js';
import { startThread } from '../support/thread.js';
import { within } from '../support/watchdog.js';
import { heirOf } from '../support/words.js';

/* A thread asks for a free permit, while the heir waits for more permits. The thread waits behind a living
 * heir, and overtakes a dead one. Values are typed `any` where several classes are used alike. */

const PERMITS = 5;

/** Many times the usual duration, for slow machines. */
const LIMIT_MS = 3000;

/** Longer than the detection of a dead heir takes. */
const A_WHILE_MS = 200;

const MOST_ATTEMPTS = 10;

/**
 * @typedef {object} Kind of object that several threads can hold together
 * @property {string} kind for the other thread, which asks for all of it
 * @property {() => any} make an object of which this thread holds a part
 * @property {(object: any) => void} release that part
 * @property {Record<string, (object: any, limit: number) => unknown>} asks for one more part, and releases it
 *     at once; the result: whether it was granted
 */

/** @type {Kind[]} */
const KINDS = [
    {
        kind: 'semaphore',
        make() {
            const semaphore = new CountingSemaphore({ space: new LockSpace(), max: PERMITS });
            semaphore.enter();
            return semaphore;
        },
        release: (semaphore) => semaphore.leave(),
        asks: {
            tryEnter: (semaphore, limit) =>
                semaphore.tryEnter({ timeout: limit }) && (semaphore.leave(), true),
            execAsync: (semaphore, limit) =>
                semaphore.execAsync(() => true, { timeout: limit }).catch(() => false),
            'tryEnter without a wait': (semaphore, limit) =>
                again(() => semaphore.tryEnter() && (semaphore.leave(), true), limit),
        },
    },
    {
        kind: 'rwlock',
        make() {
            const rwlock = new RwLock({ space: new LockSpace() });
            rwlock.lockShared();
            return rwlock;
        },
        release: (rwlock) => rwlock.unlockShared(),
        asks: {
            tryLockShared: (rwlock, limit) => rwlock.tryLockShared(limit) && (rwlock.unlockShared(), true),
            execAsync: (rwlock, limit) =>
                rwlock.execAsync(() => true, { mode: 'shared', timeout: limit }).catch(() => false),
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
async function untilSucceeded(object) {
    while (heirOf(object) === 0) {
        await jobEnds();
    }
}

/**
 * Asks until a request is refused. On a busy machine a living heir may seem dead for a moment, and be
 * overtaken.
 *
 * @param {any} object
 * @param {() => unknown} ask
 */
async function waitsOnce(object, ask) {
    for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt += 1) {
        await within(untilSucceeded(object), 'the heir', [object]);
        if (!(await within(Promise.resolve(ask()), 'the ask', [object]))) {
            return;
        }
    }
    assert.fail('the heir is passed by each time');
}

for (const { kind, make, release, asks } of KINDS) {
    for (const way of ['blocked', 'idle']) {
        for (const [name, ask] of Object.entries(asks)) {
            test(`dead heir: ${name} of a ${kind} overtakes a dead heir that was ${way}`, async (t) => {
                const object = make();
                const other = startThread(t, 'wants-more', {
                    kind,
                    handle: object.handle,
                    way,
                    permits: PERMITS,
                });
                await within(untilSucceeded(object), 'the heir', [object]);
                await other.terminate();
                const passed = await within(Promise.resolve(ask(object, LIMIT_MS)), name, [object]);
                assert.ok(passed, 'nobody passed by the dead heir');
                release(object);
            });

            test(`live heir: ${name} of a ${kind} waits behind an heir that is ${way}`, async (t) => {
                const object = make();
                startThread(t, 'wants-more', { kind, handle: object.handle, way, permits: PERMITS });
                await within(untilSucceeded(object), 'the heir', [object]);
                await waitsOnce(object, () => ask(object, A_WHILE_MS));
                release(object);
                assert.ok(await again(() => heirOf(object) === 0, LIMIT_MS), 'the heir got no turn');
            });
        }
    }
}
