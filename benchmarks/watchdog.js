/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { Worker } from 'node:worker_threads';

/** Extra time before a run counts as hung. Loaded machines start threads slowly. */
export const GRACE_SECONDS = 30;

/** @type {Worker | undefined} */
let thread;

/**
 * Watches a run. If it does not end in time, prints the words of its memory and ends the process. A separate thread
 * does that, since the measuring thread may hang.
 * @template T
 * @param {string} what @param {import('./arena.js').Arena} arena @param {number} seconds that the run takes
 * @param {() => Promise<T>} run @returns {Promise<T>}
 */
export async function watched(what, arena, seconds, run) {
    if (thread === undefined) {
        thread = new Worker(new URL('./watchdog-thread.js', import.meta.url));
    }
    // Keeps the process alive: with a pending Atomics.waitAsync alone it would end silently.
    thread.ref();
    thread.postMessage({ what, arena, seconds: seconds + GRACE_SECONDS });
    try {
        return await run();
    } finally {
        thread.postMessage(undefined);
        thread.unref();
    }
}
