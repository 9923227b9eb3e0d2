/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { Mutex, Semaphore } from 'async-mutex';
import { PERMITS } from '../counters.js';

/** https://www.npmjs.com/package/async-mutex @type {import('../contestants.js').Contestant} */
export const asyncMutex = {
    title: 'async-mutex',
    blocks: 'it is async only',
    shares: 'it locks within one thread',
    open() {
        const mutex = new Mutex();
        return { executeLocked: (callback) => mutex.runExclusive(callback) };
    },
};

/** @type {import('../contestants.js').Contestant} */
export const asyncMutexSemaphore = {
    ...asyncMutex,
    open() {
        const semaphore = new Semaphore(PERMITS);
        return { executeLocked: (callback) => semaphore.runExclusive(callback) };
    },
};
