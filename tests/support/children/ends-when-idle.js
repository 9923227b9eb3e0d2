/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { Mutex } from '../../../js-glue/index.js';
import { startTicks } from '../ticks.js';

/* Every kind of request ends, so the process ends too, and prints how many ticks that took. */

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
const ticks = startTicks();
process.on('exit', () => console.log(ticks()));
