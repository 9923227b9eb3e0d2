/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { inspect } from '../../js-glue/debug.js';
import { LockSpace } from '../../js-glue/index.js';
import { RecoverableRwLock, RecoverableSemaphore } from '../../js-glue/recoverable.js';
import { within } from './page-threads.js';

/* Runs on the page: workers die while they take and give back permits, and no permit is lost. */

const PERMITS = 5;
const WORKERS = 4;

/** The longest time that the workers run. */
const LIFE_MS = 30;

/** In Chromium a terminated worker that is busy lives for two seconds more. */
const GOES_ON_MS = 3000;

/** @param {object} task */
function startTaker(task) {
    const worker = new Worker(new URL('./taker-worker.js', import.meta.url), { type: 'module' });
    const begins = new Promise((resolve) => (worker.onmessage = resolve));
    worker.postMessage(task);
    return { worker, begins };
}

/** @param {{ rounds: number }} options */
export async function deathsOfTakers({ rounds }) {
    const space = new LockSpace();
    const permits = new RecoverableSemaphore({ space, max: PERMITS });
    const lock = new RecoverableRwLock({ space });
    const shared = { description: () => `${inspect(space)}, ${permits.value} free` };
    for (let round = 0; round < rounds; round += 1) {
        const takers = Array.from({ length: WORKERS }, () =>
            startTaker({ permits: permits.handle, lock: lock.handle }),
        );
        await within(shared, 'workers that take', Promise.all(takers.map(({ begins }) => begins)));
        await new Promise((resolve) => setTimeout(resolve, Math.random() * LIFE_MS));
        takers.forEach(({ worker }) => worker.terminate());
        // The permits may return before the workers have ended.
        await within(shared, `the permits of round ${round}`, permits.enterAsync({ permits: PERMITS }));
        permits.leave(PERMITS);
        await within(
            shared,
            `the lock in round ${round}`,
            lock.execAsync(() => {}),
        );
    }
    await new Promise((resolve) => setTimeout(resolve, GOES_ON_MS));
    await within(shared, 'all permits', permits.enterAsync({ permits: PERMITS }));
    permits.leave(PERMITS);
    await within(
        shared,
        'the lock',
        lock.execAsync(() => {}),
    );
    return { deaths: rounds * WORKERS, free: permits.value, isFree: lock.tryLock() };
}
