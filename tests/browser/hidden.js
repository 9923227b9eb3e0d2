/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { startWorker, until } from './page-threads.js';
import { HELD, Shared, STOP } from './shared-words.js';

/* Runs on a page that is hidden between the two calls. */

const LIMIT_MS = 20;

const shared = Shared.create();
/** @type {Awaited<ReturnType<typeof startWorker>>} */
let holder;

/** Has a worker hold the lock. */
export async function hold() {
    holder = await startWorker(shared, 'holder');
    await until(shared, 'the holder holds', () => shared.read(HELD) === 1);
}

/**
 * Requests for that lock, each beside a timer of the page that is due when the request's time is up.
 *
 * @param {{ rounds: number }} options
 * @returns {Promise<{ hidden: boolean, times: { timer: number, request: number }[] }>} milliseconds until each had come
 */
export async function lateTimers({ rounds }) {
    const times = [];
    for (let round = 0; round < rounds; round += 1) {
        const start = performance.now();
        const passed = () => performance.now() - start;
        const [timer, request] = await Promise.all([
            new Promise((resolve) => setTimeout(resolve, LIMIT_MS)).then(passed),
            shared.mutex.executeLocked(() => NaN, { timeout: LIMIT_MS }).catch(passed),
        ]);
        times.push({ timer, request });
    }
    shared.publish(STOP, 1);
    await holder.ended();
    return { hidden: document.hidden, times };
}
