/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { CountingSemaphore, Mutex, RwLock } from 'holdfast';
import { keepBusy } from './busy.js';

/* An event loop among others: it holds something asleep again and again until it is ended, or asks for all of it while it
 * has jobs and pauses, and posts how long it waited. */

/**
 * @typedef {object} LoopTask
 * @property {'mutex' | 'semaphore' | 'rwlock'} kind
 * @property {any} handle
 * @property {number} holdMs of those that hold it; 0: this one asks
 * @property {number} permits that one asks for that asks
 * @property {number} jobMs
 * @property {number} pauseMs
 * @property {number} seconds
 */

const { kind, handle, holdMs, permits, jobMs, pauseMs, seconds } = /** @type {LoopTask} */ (workerData);

/** @type {Record<LoopTask['kind'], () => (section: () => unknown) => Promise<unknown>>} */
const ASKS = {
    mutex: () => (section) => Mutex.from(handle).executeLocked(section),
    semaphore: () => (section) => CountingSemaphore.from(handle).execAsync(section, { permits }),
    rwlock: () => (section) =>
        RwLock.from(handle).executeLocked(section, { mode: holdMs > 0 ? 'shared' : 'exclusive' }),
};
const ask = ASKS[kind]();

async function holdAgainAndAgain() {
    for (;;) {
        await ask(() => sleep(holdMs));
    }
}

async function askAgainAndAgain() {
    /** @type {number[]} */
    const waits = [];
    let isAnswered = true;
    const end = performance.now() + seconds * 1000;
    while (performance.now() < end || !isAnswered) {
        if (isAnswered) {
            isAnswered = false;
            const asked = performance.now();
            void ask(() => waits.push(performance.now() - asked)).then(() => (isAnswered = true));
        }
        keepBusy(jobMs);
        await sleep(pauseMs);
    }
    parentPort?.postMessage(waits);
}

await (holdMs > 0 ? holdAgainAndAgain() : askAgainAndAgain());
