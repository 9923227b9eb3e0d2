/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import AsyncLock from 'async-lock';

const KEY = 'key';

/** https://www.npmjs.com/package/async-lock @type {import('../contestants.js').Contestant} */
export const asyncLock = {
    title: 'async-lock',
    blocks: 'it is async only',
    shares: 'it locks within one thread',
    open() {
        // It refuses more than 1,000 pending requests unless told otherwise.
        const lock = new AsyncLock({ maxPending: Infinity });
        return { executeLocked: (callback) => lock.acquire(KEY, callback) };
    },
};
