/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CountingSemaphore, LockSpace, Mutex, RwLock } from '../../js-glue/index.js';
import { makeBoard, reached } from '../support/board.js';
import { messageOf, startThread } from '../support/thread.js';
import { within } from '../support/watchdog.js';

/* How often a waiter is overtaken, counted in rounds of the thread that overtakes it. Values are typed `any` where several
 * classes are asked alike. */

const ASKS = 8;

/** A round of this thread lasts about a millisecond, which is as long as a waiter may be overtaken. */
const ROUND_MS = 1;
/** Many times what it should be, so that a slow machine has room. Without a bound it is many times more. */
const MOST_OVERTAKEN = 60;
const MOST_ROUNDS = ASKS * MOST_OVERTAKEN;

const READY = 0;
const ROUNDS = 1;

const roundEnds = () => new Promise((resolve) => setTimeout(resolve, ROUND_MS));

/**
 * @typedef {object} Rival this thread: it has a pending request, and takes the lock again in the job of each release
 * @property {string} name
 * @property {string} kind of object, for the other thread
 * @property {() => any} make
 * @property {string[]} asks of the other thread
 * @property {(object: any) => Promise<unknown>} request
 * @property {(object: any) => any} take
 * @property {boolean} [overlaps] whether it takes the next permit before it releases the last one
 */

/** @type {Rival[]} */
const RIVALS = [
    {
        name: 'a mutex by acquire()',
        kind: 'mutex',
        make: () => new Mutex(new LockSpace()),
        asks: ['lock', 'executeLocked'],
        request: (mutex) => mutex.executeLocked(() => {}),
        take: (mutex) => mutex.acquire(),
    },
    {
        name: 'a mutex by tryLock()',
        kind: 'mutex',
        make: () => new Mutex(new LockSpace()),
        asks: ['lock', 'executeLocked'],
        request: (mutex) => mutex.executeLocked(() => {}),
        take: (mutex) => mutex.tryLock() && { release: () => mutex.unlock() },
    },
    {
        name: 'a reader-writer lock by acquire()',
        kind: 'rwlock',
        make: () => new RwLock(new LockSpace()),
        asks: ['lock', 'executeLocked'],
        request: (rwlock) => rwlock.executeLocked(() => {}),
        take: (rwlock) => rwlock.acquire(),
    },
    {
        name: 'one of two permits by tryEnter(), and the next before it is given back',
        kind: 'semaphore',
        make: () => new CountingSemaphore(new LockSpace(), { max: 2 }),
        asks: ['lock', 'execAsync'],
        request: (semaphore) => semaphore.execAsync(() => {}, { permits: 2 }),
        take: (semaphore) => semaphore.tryEnter() && { release: () => semaphore.leave() },
        overlaps: true,
    },
];

/**
 * Takes again and again until the other thread is done, and counts how often.
 *
 * @param {Rival} rival
 * @param {any} object
 * @param {Int32Array} board
 * @param {() => boolean} isOver
 */
async function rivalRounds({ request, take, overlaps }, object, board, isOver) {
    let held = take(object);
    /** @type {Promise<unknown>[]} */
    const requests = [];
    let pending = false;
    for (let round = 0; !isOver() && round < MOST_ROUNDS; round += 1) {
        if (!pending) {
            pending = true;
            requests.push(request(object).then(() => (pending = false)));
        }
        await roundEnds();
        const next = overlaps ? take(object) : undefined;
        if (held) {
            held.release();
        }
        held = overlaps ? next : take(object);
        Atomics.add(board, ROUNDS, held ? 1 : 0);
    }
    if (held) {
        held.release();
    }
    return requests;
}

for (const rival of RIVALS) {
    for (const ask of rival.asks) {
        test(`overtaking: a thread that has a request and takes ${rival.name} overtakes ${ask} a few times only`, async (t) => {
            const object = rival.make();
            const board = makeBoard(2);
            const other = startThread(t, 'asker', {
                kind: rival.kind,
                handle: object.handle,
                ask,
                board,
                ready: READY,
                rounds: ROUNDS,
                asks: ASKS,
            });
            await within(reached(board, READY), 'the other thread', [object]);
            /** @type {number[] | undefined} */
            let overtaken;
            const answer = messageOf(other, 'its asks', [object], 30_000).then((each) => (overtaken = each));
            const requests = await rivalRounds(rival, object, board, () => overtaken !== undefined);
            await answer;
            await within(Promise.all(requests), 'its own requests', [object]);
            const worst = Math.max(...(overtaken ?? []));
            assert.ok(worst <= MOST_OVERTAKEN, `overtaken ${overtaken} times`);
        });
    }
}
