/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';

/* A thread that is busy, and one that blocks, both ended: the first goes on to count, and the second to what comes
 * after its wait. */

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

async function main() {
    const words = new Int32Array(new SharedArrayBuffer(16));
    await startAndEnd(words, 'busy');
    const count = Atomics.load(words, COUNT);
    const end = performance.now() + LIMIT_MS;
    while (Atomics.load(words, COUNT) === count) {
        assert.ok(performance.now() < end, `a thread that was ended has not counted on for ${LIMIT_MS} ms`);
    }
    Atomics.store(words, STOP, 1);

    await startAndEnd(words, 'blocked');
    Atomics.store(words, WAKE, 1);
    Atomics.notify(words, WAKE);
    const outcome = Atomics.wait(words, WOKEN, 0, LIMIT_MS);
    assert.notEqual(outcome, 'timed-out', 'a thread that was ended does not go on from its wait');
}

if (isMainThread) {
    await main();
} else {
    parentPort?.postMessage('started');
    WAYS[workerData.way]?.(workerData.words);
}
