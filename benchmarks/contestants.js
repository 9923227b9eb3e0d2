/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* The locks that are compared, and the other primitives, by a key, so that a worker can be told which one to use. Each is
 * loaded only where it takes part. */

/**
 * Waits until it is, runs the section, and wakes those that wait; all that with the mutex held.
 *
 * @template R
 * @typedef {(isMine: () => boolean, section: () => void) => R} TakeTurn
 */

/**
 * A lock as the harnesses use it: how it blocks, as two calls or with a callback, and how it waits.
 *
 * @typedef {object} Lock
 * @property {() => void} [lock]
 * @property {() => void} [unlock]
 * @property {(callback: () => void) => void} [exec] where a lock has no two calls
 * @property {<T>(callback: () => T) => Promise<T>} [executeLocked]
 * @property {() => void} [lockShared] of a reader-writer lock
 * @property {() => void} [unlockShared]
 * @property {TakeTurn<void>} [takeTurn] of a mutex with a condition
 * @property {TakeTurn<Promise<void>>} [takeTurnAsync]
 * @property {() => void} [arrive] of a barrier: and waits for the others
 *
 * @typedef {object} Contestant
 * @property {string} title
 * @property {string} [missing] why it is not there in this runtime
 * @property {string} [blocks] why it cannot block
 * @property {string} [waits] why it cannot wait through an event loop
 * @property {string} [shares] why it cannot lock between threads
 * @property {string} [many] why there are not many of it here
 * @property {(arena: import('./arena.js').Arena, parties: number) => unknown} [prepare] makes a new one, where zero bytes
 *     are none; before any thread opens it
 * @property {(arena: import('./arena.js').Arena) => Lock} open in any thread
 */

/** @type {Record<string, () => Promise<Contestant>>} */
export const LOADERS = {
    holdfast: async () => (await import('./holdfast.js')).contestant,
    textbook: async () => (await import('./rivals/textbook-lock.js')).contestant,
    settling: async () => (await import('./rivals/textbook-lock.js')).settlingContestant,
    threeState: async () => (await import('./rivals/three-state-futex.js')).contestant,
    bare: async () => (await import('./rivals/bare.js')).contestant,
    bareAwaited: async () => (await import('./rivals/bare.js')).awaitedContestant,
    atomicsMutex: async () => (await import('./rivals/atomics-mutex.js')).contestant,
    webLocks: async () => (await import('./rivals/web-locks.js')).contestant,
    multithreading: async () => (await import('./rivals/multithreading.js')).contestant,
    asymmetric: async () => (await import('./rivals/asymmetric-io-mutex.js')).contestant,
    asyncMutex: async () => (await import('./rivals/async-mutex.js')).contestant,
    asyncLock: async () => (await import('./rivals/async-lock.js')).contestant,
    listOfPromises: async () => (await import('./rivals/list-of-promises.js')).contestant,
    noLock: async () => (await import('./rivals/no-lock.js')).contestant,
    asyncSema: async () => (await import('./rivals/async-sema.js')).contestant,

    traceLoaded: async () => (await import('./traced.js')).traceLoaded,
    besideTraced: async () => (await import('./traced.js')).besideTraced,
    tracedBefore: async () => (await import('./traced.js')).tracedBefore,
    traced: async () => (await import('./traced.js')).traced,
    tracedInFull: async () => (await import('./traced.js')).tracedInFull,

    binarySemaphore: async () => (await import('./holdfast.js')).binarySemaphore,
    semaphore: async () => (await import('./holdfast.js')).semaphore,
    rwLock: async () => (await import('./holdfast.js')).rwLock,
    rwLockShared: async () => (await import('./holdfast.js')).rwLockShared,
    rwLockReader: async () => (await import('./holdfast.js')).rwLockReader,
    condition: async () => (await import('./holdfast.js')).condition,
    barrier: async () => (await import('./holdfast.js')).barrier,
    multithreadingBinarySemaphore: async () =>
        (await import('./rivals/multithreading-family.js')).binarySemaphore,
    multithreadingSemaphore: async () => (await import('./rivals/multithreading-family.js')).semaphore,
    multithreadingRwLock: async () => (await import('./rivals/multithreading-family.js')).rwLock,
    multithreadingRwLockShared: async () => (await import('./rivals/multithreading-family.js')).rwLockShared,
    multithreadingRwLockReader: async () => (await import('./rivals/multithreading-family.js')).rwLockReader,
    multithreadingCondition: async () => (await import('./rivals/multithreading-family.js')).condition,
    multithreadingBarrier: async () => (await import('./rivals/multithreading-family.js')).barrier,
    asyncMutexSemaphore: async () => (await import('./rivals/async-mutex.js')).semaphore,
    asyncSemaPermits: async () => (await import('./rivals/async-sema.js')).semaphore,
};

/** @param {string} key */
export function contestantOf(key) {
    const load = LOADERS[key];
    if (load === undefined) {
        throw new Error(`there is no contestant ${key}`);
    }
    return load();
}

/**
 * @param {string} key
 * @param {import('./arena.js').Arena} arena
 */
export async function openLock(key, arena) {
    return (await contestantOf(key)).open(arena);
}

/** @typedef {'blocks' | 'waits' | 'shares' | 'many'} Ability */

/**
 * The contestants that can take part in something, and why the others cannot.
 *
 * @param {readonly string[]} keys
 * @param {readonly Ability[]} abilities
 */
export async function admit(keys, abilities) {
    /** @type {{ key: string, title: string }[]} */
    const admitted = [];
    /** @type {{ name: string, cannot: string }[]} */
    const refused = [];
    for (const key of keys) {
        const contestant = await contestantOf(key);
        const { title } = contestant;
        const [cannot] = [...abilities.map((ability) => contestant[ability]), contestant.missing].filter(
            Boolean,
        );
        if (cannot === undefined) {
            admitted.push({ key, title });
        } else {
            refused.push({ name: title, cannot });
        }
    }
    return { admitted, refused };
}
