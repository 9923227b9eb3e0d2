/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { IOMutex } from 'asymmetric-io-mutex';

const { INPUT } = IOMutex.MUTEX_SCOPE;
const { WRITE } = IOMutex.OPERATION_MODE;

/** How often a lock call checks before it gives up, at least 10 ms apart. */
const TRIES = 1_000_000;

/**
 * https://www.npmjs.com/package/asymmetric-io-mutex, whose write lock excludes all others.
 * @type {import('../contestants.js').Contestant}
 */
export const asymmetric = {
    title: 'asymmetric-io-mutex',
    blocks: 'its lock() is async, and blocks meanwhile',
    waits: 'it blocks the event loop that waits',
    open({ words }) {
        // All threads are coupled to one buffer: initialize() would unlock what another thread has locked.
        const nothing = { buffer: null, fields: [], length: 0, position: 1, view: null };
        const mutex = new IOMutex(undefined, undefined, {
            buffer: words,
            bufferStart: 0,
            data: null,
            meta: nothing,
        });
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
