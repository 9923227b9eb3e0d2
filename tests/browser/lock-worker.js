/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { HELD, SECTIONS, Shared, STOP } from './shared-words.js';

/** @type {Record<string, (shared: Shared, index: number) => void>} */
const ROLES = {
    /** Locks in a loop until STOP. */
    hammer(shared, index) {
        while (shared.read(STOP) === 0) {
            shared.mutex.lock();
            shared.section();
            shared.mutex.unlock();
            Atomics.add(shared.words, SECTIONS + index, 1);
        }
    },

    /** Holds the mutex from HELD to STOP. */
    holder(shared) {
        shared.mutex.lock();
        shared.publish(HELD, 1);
        Atomics.wait(shared.words, STOP, 0);
        shared.mutex.unlock();
    },

    /** Locks once. */
    waiter(shared, index) {
        shared.mutex.lock();
        shared.section();
        shared.mutex.unlock();
        Atomics.add(shared.words, SECTIONS + index, 1);
    },
};

/**
 * Takes a Web Lock and keeps it. The browser frees it when this thread is really gone, which can be long after
 * terminate() has returned.
 * @param {string} name
 */
function holdForLife(name) {
    return new Promise((resolve) => {
        void navigator.locks.request(name, () => {
            resolve(undefined);
            return new Promise(() => {});
        });
    });
}

self.onmessage = async ({ data: { role, handle, index, lifeLock } }) => {
    const shared = Shared.from(handle);
    await holdForLife(lifeLock);
    postMessage('ready');
    ROLES[role]?.(shared, index);
    postMessage('done');
};
