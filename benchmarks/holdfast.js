/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { BinarySemaphore, Condition, CountingSemaphore, Mutex, RwLock } from 'holdfast';

/** @typedef {import('./contestants.js').Contestant} Contestant */

/** The permits of a semaphore: with fewer it would be a mutex. */
export const PERMITS = 2;

const title = 'holdfast';

/** @type {Contestant} */
export const holdfast = {
    title,
    open: ({ memory, lock }) => Mutex.at(memory, lock),
};

/** @param {BinarySemaphore | CountingSemaphore} semaphore @returns {import('./contestants.js').Lock} */
function asLock(semaphore) {
    return {
        lock: () => semaphore.enter(),
        unlock: () => semaphore.leave(),
        execAsync: (callback) => semaphore.execAsync(callback),
    };
}

/** @type {Contestant} */
export const binarySemaphore = {
    title,
    open: ({ memory, lock }) => asLock(BinarySemaphore.at(memory, lock)),
};

/** @type {Contestant} */
export const semaphore = {
    title,
    prepare: ({ memory, lock }) => CountingSemaphore.at(memory, lock, { max: PERMITS }),
    open: ({ memory, lock }) => asLock(CountingSemaphore.at(memory, lock)),
};

/** @type {Contestant} */
export const rwLock = {
    title,
    open: ({ memory, lock }) => RwLock.at(memory, lock),
};

/** @type {Contestant} */
export const condition = {
    title,
    open({ memory, lock, condition }) {
        const mutex = Mutex.at(memory, lock);
        const changed = Condition.at(memory, condition);
        return {
            takeTurn(isMine, section) {
                mutex.lock();
                while (!isMine()) {
                    changed.wait(mutex);
                }
                section();
                changed.notify();
                mutex.unlock();
            },
            async takeTurnAsync(isMine, section) {
                const guard = await mutex.acquireAsync();
                while (!isMine()) {
                    await changed.waitAsync(mutex);
                }
                section();
                changed.notify();
                guard.release();
            },
        };
    },
};
