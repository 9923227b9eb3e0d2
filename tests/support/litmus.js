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
    RecursiveMutex,
    RwLock,
} from '../../js-glue/index.js';

/* Litmus tests, like those of tests/native/litmus.c: two threads do their parts at once, round after round. They write and read
 * elements of a typed array, without Atomics. The verdict at the end of a round says which data one of them has missed. */

/**
 * @typedef {import('../../models/random.js').Random} Random
 *
 * @typedef {object} Table that the two threads share
 * @property {Int32Array} data the values that each thread has written, in cache lines of their own
 * @property {Int32Array} seen the values that each thread has seen of the other
 * @property {any} object
 *
 * @typedef {object} Seat
 * @property {number} own the index of the thread's words in the arrays
 * @property {number} other
 * @property {number} round
 * @property {Random} random
 * @property {() => void} stall makes the next writes wait
 *
 * @typedef {(table: Table, seat: Seat) => void | Promise<void>} Part
 *
 * @typedef {object} Litmus
 * @property {() => any} make
 * @property {(handle: any) => any} from
 * @property {(object: any) => void} [prepare] before each round
 * @property {Part[]} parts
 * @property {Part} [awaiting] in place of the second part, in an event loop
 * @property {number} rounds
 * @property {(table: Table, round: number) => string} verdict or ''
 */

const ROUNDS = 1000;
/** The number of rounds of cases that may lose a signal, which hardly ever happens before all code is
 * compiled. */
const MANY_ROUNDS = 5000;

/** The length of a cache line, in elements. */
export const LINE = 16;

/** @type {Part} */
function write({ data }, { own, round, stall }) {
    stall();
    data[own] = round;
}

/** @type {Part} */
function look({ data, seen }, { own, other }) {
    seen[own] = /** @type {number} */ (data[other]);
}

/** @type {Part} */
function writeAndLook(table, seat) {
    write(table, seat);
    look(table, seat);
}

/** @param {Table} table @param {number} round */
const eachCameFirst = ({ seen }, round) =>
    seen[0] !== round && seen[LINE] !== round ? 'neither section has seen the other' : '';

/** @param {Table} table @param {number} round */
const isUnseen = ({ seen }, round) =>
    seen[LINE] === round ? '' : 'what came before the signal was not seen';

/** @param {Table} table @param {number} round */
const oneIsUnseen = ({ seen }, round) =>
    seen[0] === round && seen[LINE] === round ? '' : 'one has not seen what the other wrote';

/** @param {(object: any) => boolean} isThere @returns {(table: Table, round: number) => string} */
const isLost =
    (isThere) =>
    ({ seen, object }, round) =>
        seen[LINE] !== round && !isThere(object) ? 'the data was not seen, and no signal is left' : '';

/** @param {{ random: Random }} seat @param {(() => void)[]} ways */
function inOneOf({ random }, ...ways) {
    ways[random.below(ways.length)]?.();
}

/** @param {() => boolean} tried */
function until(tried) {
    while (!tried()) {
        // The other thread has the lock.
    }
}

/** @type {Part} For classes with lock, tryLock, unlock and exec. */
function useLock(table, seat) {
    const { object } = table;
    const use = () => writeAndLook(table, seat);
    inOneOf(
        seat,
        () => object.exec(use),
        () => {
            object.lock();
            use();
            object.unlock();
        },
        () => {
            until(() => object.tryLock());
            use();
            object.unlock();
        },
    );
}

/** @type {Part} */
const useLockAsync = (table, seat) => table.object.execAsync(() => writeAndLook(table, seat));

/** @type {Part} */
function useShared(table, seat) {
    const { object } = table;
    inOneOf(
        seat,
        () => object.lockShared(),
        () => until(() => object.tryLockShared()),
    );
    writeAndLook(table, seat);
    object.unlockShared();
}

/** @type {Part} */
const useSharedAsync = (table, seat) =>
    table.object.execAsync(() => writeAndLook(table, seat), { mode: 'shared' });

/** @type {Part} */
function usePermit(table, seat) {
    const { object } = table;
    inOneOf(
        seat,
        () => object.enter(),
        () => until(() => object.tryEnter()),
    );
    writeAndLook(table, seat);
    object.leave();
}

/** @type {Part} */
function leavePermit(table, seat) {
    write(table, seat);
    try {
        table.object.leave();
    } catch {
        // The permit is already free.
    }
}

/** @type {Part} */
function enterAndLook(table, seat) {
    table.object.enter();
    look(table, seat);
}

/** @type {Part} */
async function enterAndLookAsync(table, seat) {
    await table.object.enterAsync();
    look(table, seat);
}

/** @type {Part} */
function set(table, seat) {
    write(table, seat);
    table.object.set();
}

/** @type {Part} */
function waitAndLook(table, seat) {
    table.object.wait();
    look(table, seat);
}

/** @type {Part} */
async function waitAndLookAsync(table, seat) {
    await table.object.waitAsync();
    look(table, seat);
}

/** @type {Part} */
function resetAndLook(table, seat) {
    table.object.reset();
    look(table, seat);
}

/** @type {Part} */
function countDownAndWait(table, seat) {
    write(table, seat);
    table.object.countDown();
    waitAndLook(table, seat);
}

/** @type {Part} */
function countDownAndWaitAsync(table, seat) {
    write(table, seat);
    table.object.countDown();
    return waitAndLookAsync(table, seat);
}

/** @type {Part} */
function arrive(table, seat) {
    write(table, seat);
    table.object.arriveAndWait();
    look(table, seat);
}

/** @type {Part} */
async function arriveAsync(table, seat) {
    write(table, seat);
    await table.object.arriveAndWaitAsync();
    look(table, seat);
}

/** @type {Part} */
function doOnce({ data, seen, object }, { own, round }) {
    if (!object.isDone) {
        object.run(() => (data[0] = round));
    }
    seen[own] = /** @type {number} */ (data[0]);
}

/** @type {Part} */
async function doOnceAsync({ data, seen, object }, { own, round }) {
    await object.runAsync(() => (data[0] = round));
    seen[own] = /** @type {number} */ (data[0]);
}

/** @type {Part} */
function notify(table, seat) {
    const { mutex, condition } = table.object;
    const isInside = seat.random.chance(0.5);
    mutex.exec(() => {
        write(table, seat);
        if (isInside) {
            condition.notify(1);
        }
    });
    if (!isInside) {
        condition.notify(1);
    }
}

/** @type {Part} */
function waitForNotify(table, seat) {
    const { mutex, condition } = table.object;
    mutex.lock();
    for (look(table, seat); table.seen[seat.own] !== seat.round; look(table, seat)) {
        condition.wait(mutex);
    }
    mutex.unlock();
}

/** @type {Part} */
const waitForNotifyAsync = (table, seat) =>
    table.object.mutex.execAsync(async () => {
        const { mutex, condition } = table.object;
        for (look(table, seat); table.seen[seat.own] !== seat.round; look(table, seat)) {
            await condition.waitAsync(mutex);
        }
    });

const automatic = () => new Event({ autoReset: true });
const manual = () => new Event();
/** @param {any} handle */
const eventFrom = (handle) => Event.from(handle);

/** @param {() => Event} make @param {Part} waits @param {Part} [awaiting] @returns {Litmus} each round begins with a set event */
const ofSetOne = (make, waits, awaiting) => ({
    make,
    from: eventFrom,
    prepare: (event) => event.set(),
    parts: [set, waits],
    ...(awaiting && { awaiting }),
    rounds: MANY_ROUNDS,
    verdict: isLost((event) => event.isSet),
});

/** @type {Record<string, Litmus>} */
export const LITMUS = {
    mutex: {
        make: () => new Mutex(),
        from: (handle) => Mutex.from(handle),
        parts: [useLock, useLock],
        awaiting: useLockAsync,
        rounds: ROUNDS,
        verdict: eachCameFirst,
    },
    'recursive mutex': {
        make: () => new RecursiveMutex(),
        from: (handle) => RecursiveMutex.from(handle),
        parts: [useLock, (table, seat) => table.object.exec(() => useLock(table, seat))],
        rounds: ROUNDS,
        verdict: eachCameFirst,
    },
    'rwlock, exclusive': {
        make: () => new RwLock(),
        from: (handle) => RwLock.from(handle),
        parts: [useLock, useLock],
        awaiting: useLockAsync,
        rounds: ROUNDS,
        verdict: eachCameFirst,
    },
    'rwlock, exclusive and shared': {
        make: () => new RwLock(),
        from: (handle) => RwLock.from(handle),
        parts: [useLock, useShared],
        awaiting: useSharedAsync,
        rounds: ROUNDS,
        verdict: eachCameFirst,
    },
    'semaphore of 1': {
        make: () => new BinarySemaphore({ initial: 1 }),
        from: (handle) => BinarySemaphore.from(handle),
        parts: [usePermit, usePermit],
        awaiting: useLockAsync,
        rounds: ROUNDS,
        verdict: eachCameFirst,
    },
    'semaphore, leave and enter': {
        make: () => new CountingSemaphore({ max: 1, initial: 0 }),
        from: (handle) => CountingSemaphore.from(handle),
        parts: [leavePermit, enterAndLook],
        awaiting: enterAndLookAsync,
        rounds: ROUNDS,
        verdict: isUnseen,
    },
    'semaphore, leave of a free permit': {
        make: () => new CountingSemaphore({ max: 1 }),
        from: (handle) => CountingSemaphore.from(handle),
        prepare: (semaphore) => semaphore.value === 0 && semaphore.leave(),
        parts: [leavePermit, enterAndLook],
        awaiting: enterAndLookAsync,
        rounds: MANY_ROUNDS,
        verdict: isLost((semaphore) => semaphore.value > 0),
    },
    'condition, notify': {
        make: () => ({ mutex: new Mutex(), condition: new Condition() }),
        from: ({ mutex, condition }) => ({ mutex: Mutex.from(mutex), condition: Condition.from(condition) }),
        parts: [notify, waitForNotify],
        awaiting: waitForNotifyAsync,
        rounds: ROUNDS,
        verdict: isUnseen,
    },
    'event, automatic, set and wait': {
        make: automatic,
        from: eventFrom,
        parts: [set, waitAndLook],
        awaiting: waitAndLookAsync,
        rounds: ROUNDS,
        verdict: isUnseen,
    },
    'event, automatic, set of a set one and wait': ofSetOne(automatic, waitAndLook, waitAndLookAsync),
    'event, automatic, set of a set one and reset': ofSetOne(automatic, resetAndLook),
    'event, manual, set and wait': {
        make: manual,
        from: eventFrom,
        prepare: (event) => event.reset(),
        parts: [set, waitAndLook],
        awaiting: waitAndLookAsync,
        rounds: ROUNDS,
        verdict: isUnseen,
    },
    'event, manual, set of a set one and reset': ofSetOne(manual, resetAndLook),
    latch: {
        make: () => new Latch({ count: 2 }),
        from: (handle) => Latch.from(handle),
        prepare: ({ memory, byteOffset }) => Latch.at(memory, byteOffset, { count: 2 }),
        parts: [countDownAndWait, countDownAndWait],
        awaiting: countDownAndWaitAsync,
        rounds: ROUNDS,
        verdict: oneIsUnseen,
    },
    barrier: {
        make: () => new Barrier({ parties: 2 }),
        from: (handle) => Barrier.from(handle),
        parts: [arrive, arrive],
        awaiting: arriveAsync,
        rounds: ROUNDS,
        verdict: oneIsUnseen,
    },
    once: {
        make: () => new Once(),
        from: (handle) => Once.from(handle),
        prepare: ({ memory, byteOffset }) =>
            new Int32Array(memory.buffer, byteOffset, Once.BYTES / 4).fill(0),
        parts: [doOnce, doOnce],
        awaiting: doOnceAsync,
        rounds: ROUNDS,
        verdict: oneIsUnseen,
    },
};
