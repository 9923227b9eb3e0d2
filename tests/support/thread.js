/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { inOneFile } from './one-file.js';
import { within } from './watchdog.js';

/**
 * Starts a program of threads/ in a thread that ends with the test, or with the file if `t` is the module node:test.
 *
 * @param {{ after: (callback: () => unknown) => void }} t
 * @param {string} program the file's name, without its ending
 * @param {unknown} workerData
 */
export function startThread(t, program, workerData) {
    const worker = new Worker(inOneFile(new URL(`threads/${program}.js`, import.meta.url)), { workerData });
    t.after(() => worker.terminate());
    return worker;
}

/**
 * The next message of the thread. Rejects with an uncaught error of the thread.
 *
 * @param {Worker} worker
 * @param {string} what it tells
 * @param {import('../../js-glue/memory/placed.js').Placed[]} locks that it may hang on
 * @param {number} [limit] milliseconds
 * @returns {Promise<any>}
 */
export async function messageOf(worker, what, locks, limit) {
    const answered = new AbortController();
    const ended = once(worker, 'exit', { signal: answered.signal }).then(([code]) => {
        throw new Error(`${what}: the thread has ended, with code ${code}`);
    });
    ended.catch(() => {}); // no unhandled rejection if nothing awaits the message any more
    try {
        const [message] = await within(Promise.race([once(worker, 'message'), ended]), what, locks, limit);
        return message;
    } finally {
        answered.abort();
    }
}
