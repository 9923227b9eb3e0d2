/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Run by tests/package/package.test.js in a project that has installed the package: one section in each of two
 * threads. */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { LockSpace, Mutex } from 'holdfast';

const space = new LockSpace();
const mutex = new Mutex({ space });
const counter = new Int32Array(space.buffer, space.alloc(4, 4), 1);

const worker = new Worker(new URL('lock-once-worker.mjs', import.meta.url), {
    workerData: { handle: mutex.handle, byteOffset: counter.byteOffset },
});
const exited = once(worker, 'exit');
await mutex.execAsync(() => {
    counter[0] += 1;
});
const [code] = await exited;
console.log(`the worker exited with ${code}, the sections counted ${counter[0]}`);
