/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { parentPort, workerData } from 'node:worker_threads';
import { LockSpace, Mutex, Once, RecursiveMutex, RwLock } from '../../../js-glue/index.js';
import { RecoverableRwLock, RecoverableSemaphore } from '../../../js-glue/recoverable.js';
import { environment } from '../../../js-glue/thread/environment.js';
import { reach } from '../board.js';

/* Holds a lock, says so on the board, and dies: by itself in the given way, or terminated by its parent while idle, blocked or
 * computing. */

const { handle, board, held, way, holds = 'lock', blockedBy, polyfills = false } = workerData;
if (polyfills) {
    // The thread has no entries in the engine.
    environment.waitAsync = () => ({ async: true, value: new Promise(() => {}) });
}

/** @type {Record<string, () => unknown>} */
const WAYS = {
    idle: () => setInterval(() => {}, 1000),
    blocked: () => Mutex.from(blockedBy).lock(),
    computing() {
        for (;;) {
            Atomics.load(board, held);
        }
    },
    throws() {
        throw new Error('an error that nobody catches');
    },
    exits: () => process.exit(3),
    ends: () => parentPort?.close(),
    'runs out of memory'() {
        const all = [];
        for (;;) {
            all.push(new Array(100_000).fill(all.length));
        }
    },
};

function die() {
    reach(board, held);
    // Dies in a later task: the change of the board has to arrive, and an error here would count as one of the module.
    setTimeout(/** @type {() => void} */ (WAYS[way]), 20);
}

/** @type {Record<string, any>} */
const LOCKS = { Mutex, RecursiveMutex, RwLock, RecoverableRwLock };

/** The lock that this thread holds exclusively. */
const lock = () => LOCKS[handle.holdfast].from(handle);

/** @type {Record<string, () => unknown>} */
const HOLDS = {
    lock() {
        lock().lock();
        die();
    },
    deep() {
        lock().exec(() => lock().exec(() => lock().lock()));
        lock().lock();
        lock().lock();
        die();
    },
    guard() {
        lock().acquire();
        die();
    },
    try() {
        lock().tryLock();
        die();
    },
    shared() {
        lock().lockShared();
        die();
    },
    upgradable() {
        lock().lockUpgradable();
        die();
    },
    async 'upgradable guard'() {
        await lock().acquireAsync({ mode: 'upgradable' });
        die();
    },
    upgrading() {
        lock().lockUpgradable();
        reach(board, held);
        lock().upgrade();
    },
    async 'upgrading guard'() {
        const guard = await lock().acquireAsync({ mode: 'upgradable' });
        void guard.upgradeAsync();
        die();
    },
    upgraded() {
        lock().lockUpgradable();
        lock().upgrade();
        die();
    },
    downgraded() {
        lock().lock();
        lock().downgrade();
        die();
    },
    permits() {
        RecoverableSemaphore.from(handle).enter({ permits: 2 });
        die();
    },
    'permits for a section': () =>
        RecoverableSemaphore.from(handle).execAsync(
            () => {
                die();
                return new Promise(() => {});
            },
            { permits: 2 },
        ),
    section: () =>
        lock().execAsync(() => {
            die();
            return new Promise(() => {});
        }),
    repair: () =>
        lock().recoverAsync(() => {
            die();
            return new Promise(() => {});
        }),
    once: () =>
        Once.from(handle).runAsync(() => {
            die();
            return new Promise(() => {});
        }),
    nothing() {
        LockSpace.from(handle);
        die();
    },
};

HOLDS[holds]?.();
