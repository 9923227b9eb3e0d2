/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { CountingSemaphore, Mutex, RwLock } from 'holdfast';
import { keepBusy } from './busy.js';

/* One of several event loops. The loop either holds an object asleep, again and again, until it is terminated; or it has jobs and
 * pauses, requests the whole object, and posts how long each request waited. */

/**
 * @typedef {object} LoopTask
 * @property {'mutex' | 'semaphore' | 'rwlock'} kind
 * @property {any} handle
 * @property {number} holdMs how long this loop holds the object; 0: it requests it
 * @property {number} permits that a requesting loop asks for
 * @property {number} jobMs
 * @property {number} pauseMs
 * @property {number} seconds
 */

const { kind, handle, holdMs, permits, jobMs, pauseMs, seconds } = /** @type {LoopTask} */ (workerData);

/** @type {Record<LoopTask['kind'], () => (section: () => unknown) => Promise<unknown>>} */
const ASKS = {
    mutex: () => (section) => Mutex.from(handle).execAsync(section),
    semaphore: () => (section) => CountingSemaphore.from(handle).execAsync(section, { permits }),
    rwlock: () => (section) =>
        RwLock.from(handle).execAsync(section, { mode: holdMs > 0 ? 'shared' : 'exclusive' }),
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
