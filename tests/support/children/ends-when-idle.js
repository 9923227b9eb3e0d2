/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { Mutex } from '../../../js-glue/index.js';

/* Every kind of request ends, so the process ends too, and prints how long that took. */

const mutex = new Mutex();
const controller = new AbortController();
mutex.lock();
const requests = [
    mutex.execAsync(() => {}, { signal: controller.signal }),
    mutex.execAsync(() => {}, { timeout: 5 }),
    mutex.execAsync(() => {}, { timeout: 1e9 }),
    mutex.acquireAsync().then((guard) => guard.release()),
];
setImmediate(() => controller.abort());
setTimeout(() => mutex.unlock(), 20);
await Promise.allSettled(requests);
const done = performance.now();
process.on('exit', () => console.log(performance.now() - done));
