/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';

/* Terminates a busy thread and a blocked one: the busy one continues to count, and the blocked one continues
 * after its wait. Otherwise fails with the reason. */

const [STOP, COUNT, WAKE, WOKEN] = [0, 1, 2, 3];
const LIMIT_MS = 1000;

/** @type {Record<string, (words: Int32Array) => void>} */
const WAYS = {
    busy(words) {
        while (Atomics.load(words, STOP) === 0) {
            Atomics.add(words, COUNT, 1);
        }
    },
    blocked(words) {
        Atomics.wait(words, WAKE, 0);
        Atomics.store(words, WOKEN, 1);
        Atomics.notify(words, WOKEN);
    },
};

/** @param {Int32Array} words @param {string} way */
async function startAndEnd(words, way) {
    const worker = new Worker(new URL(import.meta.url), { workerData: { words, way } });
    await once(worker, 'message');
    await worker.terminate();
}

/** @param {Int32Array} words */
async function busyGoesOn(words) {
    await startAndEnd(words, 'busy');
    const count = Atomics.load(words, COUNT);
    const end = performance.now() + LIMIT_MS;
    while (Atomics.load(words, COUNT) === count && performance.now() < end) {
        // The thread may not have had a core yet.
    }
    Atomics.store(words, STOP, 1);
    return Atomics.load(words, COUNT) > count;
}

/** @param {Int32Array} words */
async function blockedGoesOn(words) {
    await startAndEnd(words, 'blocked');
    Atomics.store(words, WAKE, 1);
    Atomics.notify(words, WAKE);
    return Atomics.wait(words, WOKEN, 0, LIMIT_MS) !== 'timed-out';
}

async function main() {
    const words = new Int32Array(new SharedArrayBuffer(16));
    const goOn = [(await busyGoesOn(words)) && 'busy', (await blockedGoesOn(words)) && 'blocked'];
    const which = goOn.filter(Boolean).join(' and ') || 'none';
    assert.equal(which, 'busy and blocked', `of threads that were ended these go on: ${which}`);
}

if (isMainThread) {
    await main();
} else {
    parentPort?.postMessage('started');
    WAYS[workerData.way]?.(workerData.words);
}
