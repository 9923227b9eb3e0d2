/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/** @type {import('./engine.js').Starter} */
export async function startNodeThread(data) {
    const worker = new Worker(new URL('./node-thread.js', import.meta.url), { workerData: data });
    await once(worker, 'message');
    return { end: () => worker.terminate() };
}
