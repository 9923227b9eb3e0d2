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

self.onmessage = ({ data: { role, handle, index } }) => {
    const shared = Shared.from(handle);
    postMessage('ready');
    ROLES[role]?.(shared, index);
    postMessage('done');
};
