/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { Sema } from 'async-sema';
import { PERMITS } from '../counters.js';

/** https://www.npmjs.com/package/async-sema @param {number} permits @returns {import('../contestants.js').Contestant} */
function contestantOf(permits) {
    return {
        title: 'async-sema',
        blocks: 'it is async only',
        shares: 'it locks within one thread',
        open() {
            const semaphore = new Sema(permits);
            return {
                async executeLocked(callback) {
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
}

export const asyncSema = contestantOf(1);

export const asyncSemaPermits = contestantOf(PERMITS);
