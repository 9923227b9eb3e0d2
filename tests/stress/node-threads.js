/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { Worker } from 'node:worker_threads';
import { inOneFile } from '../support/one-file.js';

/** @type {import('./member.js').StartThread} */
export function startNodeThread(onReply, onError) {
    return startLimitedThread({}, onReply, onError);
}

/**
 * @param {import('node:worker_threads').ResourceLimits} resourceLimits
 * @param {Parameters<import('./member.js').StartThread>[0]} onReply
 * @param {Parameters<import('./member.js').StartThread>[1]} onError
 * @returns {ReturnType<import('./member.js').StartThread>}
 */
export function startLimitedThread(resourceLimits, onReply, onError) {
    const worker = new Worker(inOneFile(new URL('./node-thread.js', import.meta.url)), { resourceLimits });
    worker.on('message', onReply);
    worker.on('error', onError);
    return {
        post: (message) => worker.postMessage(message),
        terminate: () => worker.terminate(),
    };
}
