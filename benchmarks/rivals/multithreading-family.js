/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { PERMITS } from '../counters.js';
import { multithreading } from './multithreading.js';

/* The classes of https://www.npmjs.com/package/multithreading besides its mutex. Each takes a buffer of shared memory, as when
 * it arrives in a thread of its own pool. */

/** @typedef {import('../contestants.js').Contestant} Contestant */

const title = 'multithreading';
const { Barrier, Condvar, Mutex, RwLock, Semaphore } = /** @type {any} */ (multithreading);

/**
 * Both of its ways, of which each gives a guard.
 *
 * @param {() => Guard} take
 * @param {() => Promise<Guard>} takeAsync
 * @returns {Required<Pick<import('../contestants.js').Lock, 'lock' | 'unlock' | 'executeLocked'>>}
 */
function asLock(take, takeAsync) {
    /** @type {Guard | undefined} */
    let guard;
    return {
        lock() {
            guard = take();
        },
        unlock() {
            guard?.dispose();
        },
        async executeLocked(callback) {
            const own = await takeAsync();
            try {
                return await callback();
            } finally {
                own.dispose();
            }
        },
    };
}

/** @typedef {{ dispose(): void }} Guard */

/** @param {number} permits @returns {Contestant} */
function semaphoreOf(permits) {
    return {
        title,
        prepare: ({ words }) => new Int32Array(words).fill(permits, 0, 1),
        open({ words }) {
            const semaphore = new Semaphore(0, words);
            return asLock(
                () => semaphore.blockingAcquire(),
                () => semaphore.acquire(),
            );
        },
    };
}

export const binarySemaphore = semaphoreOf(1);

export const semaphore = semaphoreOf(PERMITS);

/** @type {Contestant} */
export const rwLock = {
    title,
    open({ words }) {
        const lock = new RwLock(undefined, words);
        const { lock: lockShared, unlock: unlockShared } = asLock(
            () => lock.blockingRead(),
            () => lock.read(),
        );
        const exclusive = asLock(
            () => lock.blockingWrite(),
            () => lock.write(),
        );
        return { ...exclusive, lockShared, unlockShared };
    },
};

/** @type {Contestant} */
export const rwLockShared = {
    title,
    open({ words }) {
        const lock = new RwLock(undefined, words);
        return asLock(
            () => lock.blockingRead(),
            () => lock.read(),
        );
    },
};

/** A lock whose workers write while its event loop reads. @type {Contestant} */
export const rwLockReader = {
    title,
    open(arena) {
        const { lock, unlock } = rwLock.open(arena);
        const { executeLocked } = rwLockShared.open(arena);
        return { lock, unlock, executeLocked };
    },
};

/** @type {Contestant} */
export const condition = {
    title,
    open({ words, moreWords }) {
        const mutex = new Mutex(undefined, words);
        const changed = new Condvar(moreWords);
        return {
            takeTurn(isMine, section) {
                const guard = mutex.blockingLock();
                while (!isMine()) {
                    changed.blockingWait(guard);
                }
                section();
                changed.notifyAll();
                guard.dispose();
            },
            async takeTurnAsync(isMine, section) {
                const guard = await mutex.lock();
                while (!isMine()) {
                    await changed.wait(guard);
                }
                section();
                changed.notifyAll();
                guard.dispose();
            },
        };
    },
};

/** @type {Contestant} */
export const barrier = {
    title,
    // Its lock, how many it takes, how many are missing, and the round.
    prepare: ({ words }, parties) => new Int32Array(words).set([0, parties, parties, 0]),
    open({ words }) {
        const barrier = new Barrier(undefined, words);
        return { arrive: () => void barrier.blockingWait() };
    },
};
