/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { Worker } from 'node:worker_threads';

/** @type {import('./member.js').StartThread} */
export function startNodeThread(onReply, onError) {
    const worker = new Worker(new URL('./node-thread.js', import.meta.url));
    worker.on('message', onReply);
    worker.on('error', onError);
    return {
        post: (message) => worker.postMessage(message),
        terminate: () => worker.terminate(),
    };
}
