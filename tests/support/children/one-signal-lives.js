/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { CountingSemaphore } from '../../../js-glue/index.js';

/* One signal ends two requests, and a third request, without the signal, is granted later. The top level awaits the third one: a
 * process that does not stay alive ends with code 13. */

const semaphore = new CountingSemaphore({ initial: 0, max: 3 });
const controller = new AbortController();
const { signal } = controller;
const ended = [2, 1].map((permits) => semaphore.enterAsync({ permits, signal }).catch(() => {}));
const met = semaphore.enterAsync({ permits: 1 });
await new Promise((resolve) => setImmediate(resolve));
controller.abort();
await Promise.all(ended);
setTimeout(() => semaphore.leave(), 20).unref();
await met;
process.stdout.write('met');
