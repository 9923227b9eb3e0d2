/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { Sema } from 'async-sema';

/** https://www.npmjs.com/package/async-sema @type {import('../contestants.js').Contestant} */
export const contestant = {
    title: 'async-sema',
    blocks: 'it is async only',
    shares: 'it locks within one thread',
    open() {
        const semaphore = new Sema(1);
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
