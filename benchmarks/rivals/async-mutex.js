/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { Mutex } from 'async-mutex';

/** https://www.npmjs.com/package/async-mutex @type {import('../contestants.js').Contestant} */
export const contestant = {
    title: 'async-mutex',
    blocks: 'it is async only',
    shares: 'it locks within one thread',
    open() {
        const mutex = new Mutex();
        return { executeLocked: (callback) => mutex.runExclusive(callback) };
    },
};
