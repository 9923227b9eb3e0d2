/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { Event, LockSpace } from '../../js-glue/index.js';
import { startWorker } from './page-threads.js';
import { HELD, RELEASED, Shared, STOP } from './shared-words.js';
import { sleepInside } from './sleeper.js';

/** How long a section of some threads lasts. */
const PAUSE_MS = 0.05;

/**
 * Locks in a loop until STOP.
 *
 * @param {Shared} shared
 * @param {number} index
 */
function hammer(shared, index) {
    while (shared.read(STOP) === 0) {
        shared.mutex.lock();
        shared.countedSection(index);
        shared.mutex.unlock();
    }
}

/** @type {Record<string, (shared: Shared, index: number) => unknown>} */
const ROLES = {
    hammer,

    /** Hammers once it is told to. */
    async toldHammer(shared, index) {
        await new Promise((resolve) => (self.onmessage = resolve));
        hammer(shared, index);
    },

    /** Hammers, and so do two workers of its own, which it cannot serve meanwhile. */
    async parent(shared, index) {
        // Wait until both have started: in Firefox a start may take as long as another thread hammers. Both
        // start at one time, since each may need further tries.
        const children = await Promise.all([
            startWorker(shared, 'toldHammer', index + 1),
            startWorker(shared, 'toldHammer', index + 2),
        ]);
        children.forEach(({ worker }) => worker.postMessage('hammer'));
        hammer(shared, index);
        await Promise.all(children.map(({ ended }) => ended()));
    },

    /** Locks again and again until STOP, with pauses for others. */
    visitor(shared, index) {
        while (Atomics.wait(shared.words, STOP, 0, PAUSE_MS) === 'timed-out') {
            shared.mutex.exec(() => shared.countedSection(index));
        }
    },

    sleeper: sleepInside,

    /** Counts in the page's data, and sets the page's event. It finds both by name. */
    stopper(shared) {
        const space = LockSpace.attach(shared.mutex.memory);
        const counter = space.named('counter', Int32Array, 1);
        shared.mutex.exec(() => (counter[0] = Number(counter[0]) + 1));
        Event.named(space, 'stop').set();
    },

    /** Holds the mutex from HELD to STOP. */
    holder(shared) {
        shared.mutex.lock();
        shared.publish(HELD, 1);
        Atomics.wait(shared.words, STOP, 0);
        shared.mutex.unlock();
        shared.publish(RELEASED, 1);
    },

    /** Locks once. */
    waiter(shared, index) {
        shared.mutex.exec(() => shared.countedSection(index));
    },

    /** Asks once, and waits by its event loop. */
    asker(shared, index) {
        return shared.mutex.execAsync(() => shared.countedSection(index));
    },
};

/**
 * Takes a Web Lock and keeps it. The browser frees it when this thread is really gone, which may be long
 * after terminate() has returned.
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
    await ROLES[role]?.(shared, index);
    postMessage('done');
};
