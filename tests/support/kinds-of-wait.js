/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import {
    Barrier,
    BinarySemaphore,
    Condition,
    CountingSemaphore,
    Event,
    Latch,
    Mutex,
    Once,
    RwLock,
} from '../../js-glue/index.js';

/* One entry for each kind of wait, so that promises common to all are tested in one place. */

/**
 * @typedef {import('../../js-glue/options.js').TimeLimit} TimeLimit
 * @typedef {import('../../js-glue/options.js').WaitOptions} WaitOptions
 *
 * @typedef {<T>(Class: new (...args: any) => T, options?: object) => T} Create an object somewhere
 *
 * @typedef {object} Wait objects in a state in which a request has to wait
 * @property {import('../../js-glue/memory/placed.js').Placed[]} objects
 * @property {(options?: WaitOptions) => Promise<unknown>} ask
 * @property {() => unknown} meet grants what the requests wait for: to one request or to all
 * @property {() => unknown} reset after all were granted: a new request has to wait again
 * @property {(limit: TimeLimit) => boolean} [block] waits by a method that blocks; returns whether the wait was
 *     granted
 *
 * @typedef {object} Kind
 * @property {string} name
 * @property {(requests: number, create?: Create) => Wait} make for that many requests at once
 * @property {boolean} lasts whether a grant without a waiter is kept for the next request
 * @property {boolean} meetsAll whether one grant is for all waiters
 * @property {boolean} together whether the requests wait for each other
 */

const nothing = () => {};

/** @param {Create} create @returns {Wait} */
function forMutex(create) {
    const mutex = create(Mutex);
    mutex.lock();
    return {
        objects: [mutex],
        ask: (options) => mutex.execAsync(nothing, options),
        meet: () => mutex.unlock(),
        reset: () => mutex.lock(),
    };
}

/** @param {BinarySemaphore | CountingSemaphore} semaphore @returns {Wait} */
const forPermit = (semaphore) => ({
    objects: [semaphore],
    ask: (options) => semaphore.enterAsync(options),
    meet: () => semaphore.leave(),
    reset: nothing,
    block: (limit) => semaphore.tryEnter(limit),
});

/** @param {Create} create @returns {Wait} */
function forRwLock(create) {
    const lock = create(RwLock);
    lock.lockShared();
    return {
        objects: [lock],
        ask: (options) => lock.execAsync(nothing, options),
        meet: () => lock.unlockShared(),
        reset: () => lock.lockShared(),
        block: (limit) => lock.tryLock(limit) && (lock.unlock(), true),
    };
}

/** @param {Create} create @returns {Wait} */
function forSharedRwLock(create) {
    const lock = create(RwLock);
    lock.lock();
    return {
        objects: [lock],
        ask: (options) => lock.execAsync(nothing, { ...options, mode: 'shared' }),
        meet: () => lock.unlock(),
        reset: () => lock.lock(),
    };
}

/** @param {Create} create @returns {Wait} */
function forNotify(create) {
    const mutex = create(Mutex);
    const condition = create(Condition);
    return {
        objects: [mutex, condition],
        ask: (options) => mutex.execAsync(() => condition.waitAsync(mutex, options)),
        meet: () => condition.notify(1),
        reset: nothing,
        block: (limit) => mutex.exec(() => condition.waitFor(mutex, limit)),
    };
}

/** @param {Create} create @param {boolean} autoReset @returns {Wait} */
function forEvent(create, autoReset) {
    const event = create(Event, { autoReset });
    return {
        objects: [event],
        ask: (options) => event.waitAsync(options),
        meet: () => event.set(),
        reset: () => event.reset(),
        block: (limit) => event.wait(limit),
    };
}

/** @param {Create} create @returns {Wait} */
function forLatch(create) {
    const latch = create(Latch, { count: 1 });
    return {
        objects: [latch],
        ask: (options) => latch.waitAsync(options),
        meet: () => latch.countDown(),
        reset: () => Latch.at(latch.memory, latch.byteOffset, { count: 1 }),
        block: (limit) => latch.wait(limit),
    };
}

/** @param {Create} create @param {number} requests @returns {Wait} */
function forParties(create, requests) {
    const barrier = create(Barrier, { parties: requests + 1 });
    return {
        objects: [barrier],
        ask: (options) => barrier.arriveAndWaitAsync(options),
        meet: () => barrier.arriveAndWait(),
        reset: nothing,
        block: (limit) => barrier.arriveAndWait(limit) !== null,
    };
}

/** @param {Create} create @returns {Wait} */
function forOnce(create) {
    const once = create(Once);
    let end = nothing;
    const begin = () => {
        // The callback throws, so the once stays undone.
        const done = once.runAsync(
            () => new Promise((_, reject) => (end = () => reject(new Error('not done')))),
        );
        done.catch(nothing);
    };
    begin();
    const refuse = () => {
        throw new Error('ran');
    };
    return {
        objects: [once],
        async ask(options) {
            const reason = await once.runAsync(refuse, options).catch((error) => error);
            if (reason?.message !== 'ran') {
                throw reason;
            }
        },
        meet: () => end(),
        reset: begin,
    };
}

/** @type {Create} */
const inThreadsSpace = (Class, options) => new Class(options);

/** @type {(Omit<Kind, 'make'> & { make: (create: Create, requests: number) => Wait })[]} */
const KINDS = [
    { name: 'mutex', make: forMutex, lasts: true, meetsAll: true, together: false },
    {
        name: 'binary semaphore',
        make: (create) => forPermit(create(BinarySemaphore, { initial: 0 })),
        lasts: true,
        meetsAll: false,
        together: false,
    },
    {
        name: 'counting semaphore',
        make: (create) => forPermit(create(CountingSemaphore, { initial: 0, max: 2000 })),
        lasts: true,
        meetsAll: false,
        together: false,
    },
    { name: 'rwlock', make: forRwLock, lasts: true, meetsAll: true, together: false },
    { name: 'rwlock, shared', make: forSharedRwLock, lasts: true, meetsAll: true, together: false },
    { name: 'condition', make: forNotify, lasts: false, meetsAll: false, together: false },
    {
        name: 'event',
        make: (create) => forEvent(create, false),
        lasts: true,
        meetsAll: true,
        together: false,
    },
    {
        name: 'auto-reset event',
        make: (create) => forEvent(create, true),
        lasts: true,
        meetsAll: false,
        together: false,
    },
    { name: 'latch', make: forLatch, lasts: true, meetsAll: true, together: false },
    { name: 'barrier', make: forParties, lasts: false, meetsAll: true, together: true },
    { name: 'once', make: forOnce, lasts: true, meetsAll: true, together: false },
];

/** @type {Kind[]} */
export const KINDS_OF_WAIT = KINDS.map(({ make, ...kind }) => ({
    ...kind,
    make: (requests, create = inThreadsSpace) => make(create, requests),
}));
