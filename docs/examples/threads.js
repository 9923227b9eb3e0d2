/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Node and browsers start workers in different ways. All of the difference is here, so that an example is one
 * program for both. */

/** undefined on a page and in its workers */
const node = globalThis.process?.getBuiltinModule?.('node:worker_threads');

/**
 * Runs a program in a worker.
 *
 * @param {URL} program that calls `work`
 * @param {object} data for it: handles, shared arrays, whatever may be posted
 * @returns {Promise<any>} what its `work` gives back
 */
export function inWorker(program, data) {
    return new Promise((resolve, reject) => {
        if (node !== undefined) {
            new node.Worker(program, { workerData: data }).once('message', resolve).once('error', reject);
            return;
        }
        const worker = new Worker(program, { type: 'module' });
        worker.onmessage = ({ data: result }) => {
            worker.terminate();
            resolve(result);
        };
        worker.onerror = ({ message }) => reject(new Error(message));
        worker.postMessage(data);
    });
}

/**
 * The work of this worker.
 *
 * @param {(data: any) => unknown} job blocks as it likes
 */
export function work(job) {
    if (node !== undefined) {
        node.parentPort?.postMessage(job(node.workerData));
    } else {
        onmessage = ({ data }) => postMessage(job(data));
    }
}
