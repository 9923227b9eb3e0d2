/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { availableParallelism } from 'node:os';

// It reads this at once, and Node has it only from version 21 on.
if (globalThis.navigator === undefined) {
    Object.assign(globalThis, { navigator: { hardwareConcurrency: availableParallelism() } });
}
export const multithreading = await import('multithreading');

/** https://www.npmjs.com/package/multithreading @type {import('../contestants.js').Contestant} */
export const contestant = {
    title: 'multithreading',
    many: 'each has a buffer of its own',
    open({ words }) {
        // Its own way to other threads is a task for its thread pool, which ends in this call.
        const mutex = new /** @type {any} */ (multithreading.Mutex)(undefined, words);
        /** @type {{ dispose(): void } | undefined} */
        let guard;
        return {
            lock() {
                guard = mutex.blockingLock();
            },
            unlock() {
                guard?.dispose();
            },
            async executeLocked(callback) {
                const own = await mutex.lock();
                try {
                    return await callback();
                } finally {
                    own.dispose();
                }
            },
        };
    },
};
