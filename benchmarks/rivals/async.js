/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { IOMutex } from 'asymmetric-io-mutex';
import AsyncLock from 'async-lock';
import { Mutex } from 'async-mutex';
import { Sema } from 'async-sema';

/* Locks that are async only. */

/** @typedef {import('../contestants.js').Contestant} Contestant */

const CANNOT = { blocks: 'it is async only', shares: 'it locks within one thread' };

/** https://www.npmjs.com/package/async-mutex @type {Contestant} */
export const asyncMutex = {
    ...CANNOT,
    title: 'async-mutex',
    open() {
        const mutex = new Mutex();
        return { execAsync: (callback) => mutex.runExclusive(callback) };
    },
};

/** https://www.npmjs.com/package/async-lock @type {Contestant} */
export const asyncLock = {
    ...CANNOT,
    title: 'async-lock',
    open() {
        // By default async-lock refuses more than 1,000 pending requests.
        const lock = new AsyncLock({ maxPending: Infinity });
        return { execAsync: (callback) => lock.acquire('key', callback) };
    },
};

/** https://www.npmjs.com/package/async-sema @type {Contestant} */
export const asyncSema = {
    ...CANNOT,
    title: 'async-sema',
    open() {
        const semaphore = new Sema(1);
        return {
            async execAsync(callback) {
                await semaphore.acquire();
                try {
                    return await callback();
                } finally {
                    semaphore.release();
                }
            },
        };
    },
};

const { INPUT } = IOMutex.MUTEX_SCOPE;
const { WRITE } = IOMutex.OPERATION_MODE;

/** How often a lock call checks before it gives up, at least 10 ms apart. */
const TRIES = 1_000_000;

/** https://www.npmjs.com/package/asymmetric-io-mutex, whose write lock excludes all others. @type {Contestant} */
export const asymmetric = {
    title: 'asymmetric-io-mutex',
    blocks: 'its lock() is async, and blocks meanwhile',
    waits: 'it blocks the event loop that waits',
    open({ words: buffer }) {
        // All threads are coupled to one buffer: initialize() would unlock what another thread has locked.
        const meta = { buffer: null, fields: [], length: 0, position: 1, view: null };
        const mutex = new IOMutex(undefined, undefined, { buffer, bufferStart: 0, data: null, meta });
        return {
            async execAsync(callback) {
                await mutex.lock(INPUT, WRITE, TRIES);
                try {
                    return callback();
                } finally {
                    mutex.unlock(INPUT, WRITE);
                }
            },
        };
    },
};

/** @type {{ request<T>(name: string, callback: () => T): Promise<T> } | undefined} */
const locks = /** @type {any} */ (globalThis.navigator)?.locks;

/** https://www.w3.org/TR/web-locks/ @type {Contestant} */
export const webLocks = {
    title: 'Web Locks',
    missing: locks ? undefined : 'this runtime has none; Node has from version 24 on',
    blocks: 'they are async only',
    open: ({ name }) => ({ execAsync: (callback) => /** @type {any} */ (locks).request(name, callback) }),
};

/** @typedef {{ callback: () => any, resolve: (value: any) => void, reject: (reason: unknown) => void, next?: Waiting }} Waiting */

/**
 * The limit for any lock's pending requests: a list with a promise for each, and a job for each callback. It
 * serves one thread, and has no signals, time limits, contexts or owner.
 * @type {Contestant}
 */
export const listOfPromises = {
    title: 'a list of promises',
    blocks: 'it is what pending requests cost at least',
    shares: 'it is for one thread',
    open() {
        let isHeld = false;
        /** @type {Waiting | undefined} */
        let first;
        /** @type {Waiting | undefined} */
        let last;
        const run = async () => {
            for (isHeld = true; first !== undefined;) {
                const { callback, resolve, reject, next } = first;
                first = next;
                if (next === undefined) {
                    last = undefined;
                }
                try {
                    const value = callback();
                    resolve(value);
                    await value;
                } catch (error) {
                    reject(error);
                }
            }
            isHeld = false;
        };
        return {
            execAsync: (callback) =>
                new Promise((resolve, reject) => {
                    const waiting = { callback, resolve, reject, next: undefined };
                    if (last === undefined) {
                        first = waiting;
                    } else {
                        last.next = waiting;
                    }
                    last = waiting;
                    if (!isHeld) {
                        void run();
                    }
                }),
        };
    },
};
