/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import AsyncLock from 'async-lock';
import { Mutex } from 'async-mutex';
import { Sema } from 'async-sema';

/* Packages of npm whose locks are for one thread. */

const CANNOT = { blocks: 'it is async only', shares: 'it locks within one thread' };

/** https://www.npmjs.com/package/async-mutex @type {import('../contestants.js').Contestant} */
export const asyncMutex = {
    ...CANNOT,
    title: 'async-mutex',
    open() {
        const mutex = new Mutex();
        return { execAsync: (callback) => mutex.runExclusive(callback) };
    },
};

/** https://www.npmjs.com/package/async-lock @type {import('../contestants.js').Contestant} */
export const asyncLock = {
    ...CANNOT,
    title: 'async-lock',
    open() {
        // By default async-lock refuses more than 1,000 pending requests.
        const lock = new AsyncLock({ maxPending: Infinity });
        return { execAsync: (callback) => lock.acquire('key', callback) };
    },
};

/** https://www.npmjs.com/package/async-sema @type {import('../contestants.js').Contestant} */
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
