/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { parentPort, workerData } from 'node:worker_threads';
import { LockSpace, Mutex } from '../../../js-glue/index.js';
import { attach } from '../../../js-glue/memory/attachment.js';
import { drawAlways } from '../program-memory.js';

/* Uses a mutex in another program's memory, and draws the given number as its identity. Posts its identity there, and the outcome
 * of a call. */

/** @type {{ memory: WebAssembly.Memory, byteOffset: number, threads?: number, drawn: number, calls: 'tryLock' | 'unlock' }} */
const { memory, byteOffset, threads, drawn, calls } = workerData;

/** @param {() => unknown} call */
function resultOf(call) {
    try {
        call();
        return 'done';
    } catch (error) {
        return /** @type {{ code?: string }} */ (error).code;
    }
}

const startClock = drawAlways(drawn);
LockSpace.attach(memory, { threads });
const mutex = Mutex.at(memory, byteOffset);
startClock();
const came = resultOf(() => mutex[calls]());
parentPort?.postMessage({ self: attach(memory).self, came });
// Stays alive until it is terminated, since an identity is for one thread at a time.
parentPort?.on('message', () => {});
