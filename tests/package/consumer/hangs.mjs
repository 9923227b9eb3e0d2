/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Run by tests/package/package.test.js with `--import holdfast/debug/on`: a section that awaits its own lock, in each thread. */
import { isMainThread, Worker } from 'node:worker_threads';
import { Mutex } from 'holdfast';

const mutex = new Mutex();
await mutex
    .execAsync(async () => {
        await mutex.execAsync(() => {}, { timeout: 100 });
    })
    .catch((error) => console.log(error.code));
if (isMainThread) {
    new Worker(new URL(import.meta.url));
}
