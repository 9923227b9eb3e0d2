/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { BinarySemaphore, CountingSemaphore, Event, RwLock } from '../../js-glue/index.js';

/* Contests for an object: workers and an event loop acquire and release it in turn. */

/**
 * @typedef {object} Contest
 * @property {(space: import('./games.js').LockSpace) => import('./games.js').Placed} make
 * @property {(handle: any) => { take: () => void, giveBack: () => void }} worker
 * @property {(handle: any, section: () => unknown) => Promise<unknown>} loop what an event loop does
 * @property {boolean} excludes whether the event loop then excludes all others
 * @property {boolean} excludesWorkers whether each worker then excludes all others
 */

/** @param {any} handle @param {number} permits @param {() => unknown} section */
const enterAsync = (handle, permits, section) =>
    CountingSemaphore.from(handle).execAsync(section, { permits });

const exclusive = (/** @type {any} */ handle) => {
    const lock = RwLock.from(handle);
    return { take: () => lock.lock(), giveBack: () => lock.unlock() };
};

const shared = (/** @type {any} */ handle) => {
    const lock = RwLock.from(handle);
    return { take: () => lock.lockShared(), giveBack: () => lock.unlockShared() };
};

/** @type {Record<string, Contest>} */
export const CONTESTS = {
    semaphore: {
        make: (space) => new BinarySemaphore({ space }),
        worker(handle) {
            const semaphore = BinarySemaphore.from(handle);
            return { take: () => semaphore.enter(), giveBack: () => semaphore.leave() };
        },
        loop: (handle, section) => BinarySemaphore.from(handle).execAsync(section),
        excludes: true,
        excludesWorkers: true,
    },
    'counting semaphore, all of its permits': {
        make: (space) => new CountingSemaphore({ space, max: 3 }),
        worker(handle) {
            const semaphore = CountingSemaphore.from(handle);
            return { take: () => semaphore.enter(), giveBack: () => semaphore.leave() };
        },
        loop: (handle, section) => enterAsync(handle, 3, section),
        excludes: true,
        excludesWorkers: false,
    },
    'auto-reset event': {
        make(space) {
            const event = new Event({ space, autoReset: true });
            event.set();
            return event;
        },
        worker(handle) {
            const event = Event.from(handle);
            return { take: () => void event.wait(), giveBack: () => event.set() };
        },
        async loop(handle, section) {
            const event = Event.from(handle);
            await event.waitAsync();
            await section();
            event.set();
        },
        excludes: true,
        excludesWorkers: true,
    },
    'rwlock, a writer among writers': {
        make: (space) => new RwLock({ space }),
        worker: exclusive,
        loop: (handle, section) => RwLock.from(handle).execAsync(section),
        excludes: true,
        excludesWorkers: true,
    },
    'rwlock, a writer among readers': {
        make: (space) => new RwLock({ space }),
        worker: shared,
        loop: (handle, section) => RwLock.from(handle).execAsync(section),
        excludes: true,
        excludesWorkers: false,
    },
    'rwlock, a reader among writers': {
        make: (space) => new RwLock({ space }),
        worker: exclusive,
        loop: (handle, section) => RwLock.from(handle).execAsync(section, { mode: 'shared' }),
        excludes: false,
        excludesWorkers: true,
    },
};

/** @param {string} name */
export function contestNamed(name) {
    const contest = CONTESTS[name];
    if (contest === undefined) {
        throw new Error(`there is no contest ${name}`);
    }
    return contest;
}
