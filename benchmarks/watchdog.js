/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { Worker } from 'node:worker_threads';

/** Beyond what a run takes anyway, before it counts as hung. Loaded machines start threads slowly. */
export const GRACE_SECONDS = 30;

/** @type {Worker | undefined} */
let thread;

/**
 * Watches a run. If it does not end in time, the words of its memory are printed and the process ends; by a
 * thread of its own, since the thread that measures may be the one that hangs.
 *
 * @template T
 * @param {string} what
 * @param {import('./arena.js').Arena} arena
 * @param {number} seconds that the run takes
 * @param {() => Promise<T>} run
 * @returns {Promise<T>}
 */
export async function watched(what, arena, seconds, run) {
    if (thread === undefined) {
        thread = new Worker(new URL('./watchdog-thread.js', import.meta.url));
    }
    // A pending Atomics.waitAsync alone does not keep the process alive, and would end it without a word.
    thread.ref();
    thread.postMessage({ what, arena, seconds: seconds + GRACE_SECONDS });
    try {
        return await run();
    } finally {
        thread.postMessage(undefined);
        thread.unref();
    }
}
