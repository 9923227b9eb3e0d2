/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { CountingSemaphore, LockSpace, Mutex, RwLock } from '../../js-glue/index.js';
import { makeBoard, reach, reached } from './board.js';
import { within } from './watchdog.js';

/* A thread with a pending request takes the lock again in the job of each release. Another thread asks for the lock, and counts
 * how often it is overtaken, in rounds of the first thread. For Node and browsers. Values are typed `any`, since several classes
 * are used alike. */

const ASKS = 8;

/** A round lasts about a millisecond, the time for which a waiter may be overtaken. */
export const ROUND_MS = 1;
/** Many times the expected number, for slow machines. Without fairness the number would be far larger. */
export const MOST_OVERTAKEN = 60;

/** A loaded machine may suspend the waiter during one ask. @param {number[]} overtaken */
export const mostButOne = (overtaken) =>
    Math.max(...overtaken.toSorted((one, other) => other - one).slice(1));

const MOST_ROUNDS = ASKS * MOST_OVERTAKEN;

const READY = 0;
const ROUNDS = 1;

const timerEnds = () => new Promise((resolve) => setTimeout(resolve, ROUND_MS));

/**
 * @typedef {object} Retaking
 * @property {string} name
 * @property {boolean} blocks whether only a thread that may block can do it
 * @property {string} kind of object, for the other thread
 * @property {() => any} make
 * @property {string[]} asks the calls with which the other thread requests the object
 * @property {(object: any) => Promise<unknown>} request
 * @property {(object: any) => any} take
 * @property {boolean} [overlaps] whether the thread takes the next permit before it releases the last one
 */

/** @type {Retaking[]} */
export const RETAKINGS = [
    ...[
        { kind: 'mutex', words: 'a mutex', Class: Mutex },
        { kind: 'rwlock', words: 'a reader-writer lock', Class: RwLock },
    ].flatMap(({ kind, words, Class }) => {
        const ofLock = {
            kind,
            make: () => new Class({ space: new LockSpace() }),
            asks: ['lock', 'execAsync'],
            request: (/** @type {any} */ lock) => lock.execAsync(() => {}),
        };
        return [
            {
                ...ofLock,
                name: `${words} by acquire()`,
                blocks: true,
                take: (/** @type {any} */ lock) => lock.acquire(),
            },
            {
                ...ofLock,
                name: `${words} by tryLock()`,
                blocks: false,
                take: (/** @type {any} */ lock) => lock.tryLock() && { release: () => lock.unlock() },
            },
        ];
    }),
    {
        name: 'one of two permits by tryEnter(), the next before it returns the last',
        blocks: false,
        kind: 'semaphore',
        make: () => new CountingSemaphore({ space: new LockSpace(), max: 2 }),
        asks: ['lock', 'execAsync'],
        request: (semaphore) => semaphore.execAsync(() => {}, { permits: 2 }),
        take: (semaphore) => semaphore.tryEnter() && { release: () => semaphore.leave() },
        overlaps: true,
    },
];

/**
 * Retakes the object until the other thread is done, and counts the rounds.
 *
 * @param {Retaking} retaking
 * @param {any} object
 * @param {Int32Array} board
 * @param {() => Promise<unknown>} roundEnds
 * @param {() => boolean} isOver
 */
async function takeAgain({ request, take, overlaps }, object, board, roundEnds, isOver) {
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

/**
 * This thread retakes the object while another thread asks for it.
 *
 * @param {Retaking} retaking
 * @param {string} ask
 * @param {(task: AskingTask) => Promise<number[]>} startThread starts the other thread, which asks; resolves with its counts
 * @param {() => Promise<unknown>} [roundEnds] for platforms whose timers take longer than a round
 * @returns {Promise<number[]>} how often each ask was overtaken
 */
export async function overtakenBy(retaking, ask, startThread, roundEnds = timerEnds) {
    const object = retaking.make();
    const board = makeBoard(2);
    const { kind } = retaking;
    const answer = startThread({ kind, handle: object.handle, ask, board });
    let isOver = false;
    const done = answer.finally(() => (isOver = true));
    await within(Promise.race([reached(board, READY), done]), 'the other thread', [object]);
    const requests = await takeAgain(retaking, object, board, roundEnds, () => isOver);
    const overtaken = await within(done, 'its asks', [object]);
    await within(Promise.all(requests), 'its own requests', [object]);
    return overtaken;
}

/**
 * @typedef {object} AskingTask the task of the other thread
 * @property {string} kind of the object
 * @property {any} handle
 * @property {string} ask
 * @property {Int32Array} board
 */

/** @type {Record<string, (handle: any) => any>} */
const OBJECTS = {
    mutex: (handle) => Mutex.from(handle),
    rwlock: (handle) => RwLock.from(handle),
    semaphore: (handle) => CountingSemaphore.from(handle),
};

/** @type {Record<string, (object: any) => unknown>} */
const ASK = {
    lock: (object) => object.exec(() => {}),
    execAsync: (object) => object.execAsync(() => {}),
};

/**
 * The other thread's part: asks again and again, and counts the rounds that overtook it.
 *
 * @param {AskingTask} task
 * @returns {Promise<number[]>} the rounds that overtook each ask
 */
export async function askAndCount({ kind, handle, ask, board }) {
    const object = OBJECTS[kind]?.(handle);
    /** @type {number[]} */
    const overtaken = [];
    reach(board, READY);
    for (let number = 0; number < ASKS; number += 1) {
        const before = Atomics.load(board, ROUNDS);
        await ASK[ask]?.(object);
        overtaken.push(Atomics.load(board, ROUNDS) - before);
        await timerEnds();
    }
    return overtaken;
}
