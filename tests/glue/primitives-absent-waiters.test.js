/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GATE_LINE_OFFSET } from '../../js-glue/memory/layout.js';
import {
    Barrier,
    Condition,
    CountingSemaphore,
    Event,
    Latch,
    LockSpace,
    Mutex,
} from '../../js-glue/index.js';
import { CONTESTS, contestNamed } from '../games/contests.js';
import { Member } from '../stress/member.js';
import { startNodeThread } from '../stress/node-threads.js';
import { makeBoard, reached, work } from '../support/board.js';
import { waitWithLimit, waitWithoutLimit } from '../support/endless.js';
import { jobEnds, reasonOf } from '../support/event-loop.js';
import { randomOf, seedFor } from '../support/seed.js';
import { startThread } from '../support/thread.js';
import { within } from '../support/watchdog.js';
import { assertAtRest, restOf } from '../support/words.js';

/* What runtimes really do to waiters (mutex-absent-waiters.test.js), beside the mutex. */

/** What "the others go on" means, on a slow machine. */
const SOON_MS = 1000;

/** The longest that a blocked thread sleeps before it looks again: as long as a wake may be lost with one that dies. */
const SLICE_MS = 1000;
const SURVIVORS = 2;
const ROUNDS = 20;

/**
 * Takes it through this thread's event loop.
 *
 * @param {string} name of the contest
 * @param {any} handle
 * @returns {Promise<() => Promise<unknown>>} gives it back
 */
function take(name, handle) {
    return new Promise((resolve, reject) => {
        const held = contestNamed(name).loop(
            handle,
            () => new Promise((end) => resolve(() => (end(undefined), held))),
        );
        held.catch(reject);
    });
}

/** @param {import('node:test').TestContext} t @param {LockSpace} space */
async function startMember(t, space) {
    const member = new Member(startNodeThread, true);
    t.after(() => member.terminate());
    await member.ask('begin', { words: member.words.shared, space: space.handle });
    return member;
}

for (const name of Object.keys(CONTESTS)) {
    test(`${name}: waiters that die do not stop the others, and nothing is lost`, async (t) => {
        const random = randomOf(seedFor(t));
        const space = new LockSpace();
        const object = contestNamed(name).make(space);
        const { handle } = object;
        const rest = restOf(object);
        const words = new Int32Array(new SharedArrayBuffer((1 + SURVIVORS) * Int32Array.BYTES_PER_ELEMENT));
        const pair = new SharedArrayBuffer(8);
        t.after(() => Atomics.store(words, 0, 1));
        const survivors = await Promise.all(Array.from({ length: SURVIVORS }, () => startMember(t, space)));
        const hammers = survivors.map((member, index) =>
            member.ask('hammer', { name, handle, words, pair, index }),
        );
        const goOn = async () => {
            const before = words.slice();
            while (
                !words
                    .subarray(1)
                    .every((_, index) => Atomics.load(words, 1 + index) > (before[1 + index] ?? 0))
            ) {
                await jobEnds();
            }
        };

        for (let round = 0; round < ROUNDS; round += 1) {
            const way = /** @type {const} */ (['blocked', 'idle', 'busy'])[random.below(3)];
            const giveBack = await within(take(name, handle), `round ${round}`, [object]);
            const victim = await startMember(t, space);
            const board = makeBoard(1);
            victim.ask('awaitDeath', { name, handle, board, waiting: 0, way }).catch(() => {});
            await within(reached(board, 0), `the ${way} victim of round ${round}`, [object]);
            work(random.below(3));
            // One that is blocked or idle could take it and die with it; that is another matter.
            if (way !== 'busy') {
                await victim.terminate();
            }
            await giveBack();
            await within(goOn(), `round ${round}, ${way}, alive`, [object], SOON_MS + SLICE_MS);
            await victim.terminate();
            await within(goOn(), `round ${round}, ${way}, dead`, [object], SOON_MS + SLICE_MS);
        }
        Atomics.store(words, 0, 1);
        await within(Promise.all(hammers), 'the survivors', [object]);
        // The last one may have left a reservation for a dead thread: whoever comes next takes it.
        const giveBack = await within(take(name, handle), 'a last visit', [object]);
        await giveBack();
        // One that was the first of the event loops in line may be named there, for the next to find out.
        assertAtRest(object, rest, GATE_LINE_OFFSET / Uint32Array.BYTES_PER_ELEMENT);
    });
}

for (const way of /** @type {const} */ (['blocked', 'idle', 'busy'])) {
    for (const survivor of /** @type {const} */ (['blocked', 'idle'])) {
        test(`condition: a waiter that dies (${way}) takes no notify with it from one that waits (${survivor})`, async (t) => {
            const space = new LockSpace();
            const [mutex, condition] = [new Mutex(space), new Condition(space)];
            const board = makeBoard(4);
            const handles = { mutex: mutex.handle, condition: condition.handle, board };
            const victim = startThread(t, 'condition-waiter', { ...handles, waiting: 0, got: 1, way });
            t.after(() => Atomics.store(board, 0, 0));
            await within(reached(board, 0), 'the victim', [mutex, condition]);
            const other = { ...handles, waiting: 2, got: 3, way: survivor };
            startThread(t, 'condition-waiter', other);
            await within(reached(board, 2), 'the survivor', [mutex, condition]);
            // Both wait when the mutex is to be had.
            await within(
                mutex.executeLocked(() => {}),
                'the mutex',
                [mutex, condition],
            );
            if (way !== 'busy') {
                await victim.terminate();
            }
            condition.notify(1);
            await within(reached(board, 3), 'the survivor', [mutex, condition], SOON_MS + SLICE_MS);
            await victim.terminate();
            mutex.lock();
            mutex.unlock();
        });
    }
}

test('a place that is used again by another class has no waiters of its former life', async (t) => {
    waitWithoutLimit();
    t.after(waitWithLimit);
    const space = new LockSpace();
    const mutex = new Mutex(space);
    /** @type {(() => { object: any, ask: (limit: object) => Promise<unknown>, meet: () => unknown })[]} */
    const kinds = [
        () => {
            const object = new CountingSemaphore(space, { initial: 0, max: 3 });
            return { object, ask: (limit) => object.enterAsync(limit), meet: () => object.leave() };
        },
        () => {
            const object = new Event(space);
            return { object, ask: (limit) => object.waitAsync(limit), meet: () => object.set() };
        },
        () => {
            const object = new Event(space, { autoReset: true });
            return { object, ask: (limit) => object.waitAsync(limit), meet: () => object.set() };
        },
        () => {
            const object = new Latch(space);
            return { object, ask: (limit) => object.waitAsync(limit), meet: () => object.countDown() };
        },
        () => {
            const object = new Barrier(space, { parties: 2 });
            return {
                object,
                ask: (limit) => object.arriveAndWaitAsync(limit),
                meet: () => object.arriveAndWait(),
            };
        },
        () => {
            const object = new Condition(space);
            return {
                object,
                ask: (limit) => mutex.executeLocked(() => object.waitAsync(mutex, limit)),
                meet: () => object.notify(1),
            };
        },
    ];
    for (const former of kinds) {
        for (const next of kinds) {
            const old = former();
            await reasonOf(old.ask({ timeout: 0.5 }));
            space.free(old.object);
            const { object, ask, meet } = next();
            assert.equal(object.byteOffset, old.object.byteOffset);
            const request = ask({});
            await jobEnds();
            meet();
            await within(request, 'the next life', [object], SOON_MS);
            space.free(object);
        }
    }
});
