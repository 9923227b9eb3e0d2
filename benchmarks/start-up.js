/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* A program that begins to use a lock, in a process or worker of its own: `node benchmarks/start-up.js holdfast worker`. It
 * prints how many milliseconds passed from the import to the end of the first section. */
import { fileURLToPath } from 'node:url';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { STARTS } from './starts.js';

/** @param {string} name */
async function begin(name) {
    const { from, before, start } = STARTS[/** @type {keyof typeof STARTS} */ (name)];
    before?.();
    const began = performance.now();
    await start(await import(from));
    return performance.now() - began;
}

/** @param {number} milliseconds */
function print(milliseconds) {
    process.stdout.write(String(milliseconds), () => process.exit());
}

const [name = '', worker] = isMainThread ? process.argv.slice(2) : [workerData];
if (worker) {
    new Worker(fileURLToPath(import.meta.url), { workerData: name }).once('message', print);
} else if (isMainThread) {
    print(await begin(name));
} else {
    parentPort?.postMessage(await begin(name));
}
