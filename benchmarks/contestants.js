/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* The locks and other primitives that are compared, by a key that can be posted to workers. Each is loaded only where it takes
 * part. */

/**
 * A lock as the harnesses use it: by two calls that block, and waiting through the event loop.
 * @typedef {object} Lock
 * @property {() => void} [lock]
 * @property {() => void} [unlock]
 * @property {<T>(callback: () => T, options?: object) => Promise<T>} [execAsync]
 * @property {() => void} [lockShared] of a reader-writer lock
 * @property {() => void} [unlockShared]
 * @property {() => void} [wait] of a mutex with a condition, while it is locked
 * @property {() => void} [notify]
 * @property {() => Promise<void>} [lockAsync]
 * @property {() => Promise<unknown>} [waitAsync]
 * @property {() => void} [unlockAsync] after lockAsync()
 *
 * @typedef {object} Contestant
 * @property {string} title
 * @property {string} [missing] why this runtime does not have it
 * @property {string} [blocks] why it cannot block
 * @property {string} [waits] why it cannot wait through an event loop
 * @property {string} [shares] why it cannot lock between threads
 * @property {(arena: import('./arena.js').Arena) => unknown} [prepare] makes a new one before any thread opens it, if zero bytes
 *     are not one
 * @property {(arena: import('./arena.js').Arena) => Lock} open in any thread
 */

/**
 * @param {() => Promise<any>} load a file whose exports are contestants @param {string[]} keys of them
 * @returns {Record<string, () => Promise<Contestant>>}
 */
function from(load, ...keys) {
    return Object.fromEntries(keys.map((key) => [key, async () => (await load())[key]]));
}

const LOADERS = {
    ...from(
        () => import('./holdfast.js'),
        ...['holdfast', 'binarySemaphore', 'semaphore', 'rwLock', 'condition'],
        ...['channel', 'channelBatches', 'channelInPlace', 'channelJoined', 'calls'],
    ),
    ...from(() => import('./rivals/textbook-lock.js'), 'textbook'),
    ...from(() => import('./rivals/three-state-futex.js'), 'threeState'),
    ...from(() => import('./rivals/bare.js'), 'bare', 'bareAwaited'),
    ...from(
        () => import('./rivals/multithreading.js'),
        ...['', 'Semaphore', 'RwLock', 'Condition', 'Channel'].map((name) => `multithreading${name}`),
    ),
    ...from(
        () => import('./rivals/async.js'),
        ...['asyncMutex', 'asyncLock', 'asyncSema', 'asymmetric', 'webLocks', 'listOfPromises'],
    ),
    ...from(() => import('./traced.js'), 'traceLoaded', 'besideTraced', 'tracedBefore', 'tracedInFull'),
    // Messengers (jobs/messages.js), which are not locks.
    ...from(() => import('./rivals/messages.js'), 'postMessage', 'ring', 'postAndWait'),
};

/** @param {string} key */
export function contestantOf(key) {
    const load = LOADERS[key];
    if (load === undefined) {
        throw new Error(`there is no contestant ${key}`);
    }
    return load();
}

/** @param {string} key @param {import('./arena.js').Arena} arena */
export async function openLock(key, arena) {
    return (await contestantOf(key)).open(arena);
}

/** Before any thread opens it. @param {string} key @param {import('./arena.js').Arena} arena */
export async function prepareLock(key, arena) {
    (await contestantOf(key)).prepare?.(arena);
}

/** @typedef {'blocks' | 'waits' | 'shares'} Ability */

/**
 * The contestants that have all these abilities, and why the others cannot take part.
 * @param {readonly string[]} keys @param {readonly Ability[]} abilities
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
