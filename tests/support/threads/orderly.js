/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { parentPort, workerData } from 'node:worker_threads';
import { debug } from '../../../js-glue/debug.js';
import { Mutex } from '../../../js-glue/index.js';
import { randomOf } from '../seed.js';

/* Takes two mutexes at a time, always in the same order, until stage `end`, and counts its sections at stage
 * `sections`. Sometimes holds them so long that waiters show their waits: the larger `rest`, the less often.
 * Posts each report. */

const { handles, board, sections, end, awaits, seed, rest } = workerData;
debug({ onReport: (report) => parentPort?.postMessage({ report }) });
/** @type {Mutex[]} */
const mutexes = handles.map((/** @type {any} */ one) => Mutex.from(one));
const random = randomOf(seed);
/** @type {Int32Array} */
const words = board;
const LONG_MS = 500;
let nextLong = 0;

function hold() {
    const now = performance.now();
    if (now > nextLong) {
        nextLong = now + random.next() * 2 * rest * LONG_MS;
        Atomics.wait(words, end, 0, random.next() * LONG_MS);
    }
    Atomics.add(words, sections, 1);
}

while (Atomics.load(words, end) === 0) {
    const at = random.below(mutexes.length - 1);
    const [first, second] = [mutexes[at], mutexes[at + 1 + random.below(mutexes.length - 1 - at)]];
    if (awaits) {
        await first?.execAsync(() => second?.execAsync(hold));
    } else {
        first?.exec(() => second?.exec(hold));
    }
}
parentPort?.postMessage({ ended: true });
