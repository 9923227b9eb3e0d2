/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { CountingSemaphore, Mutex } from '../../../js-glue/index.js';
import { trace } from '../../../js-glue/trace.js';

/* Counts unhandled rejections: tracing must neither hide nor add one. */

/** @type {unknown[]} */
const reasons = [];
process.on('unhandledRejection', (reason) => reasons.push(reason));

const mutex = new Mutex();
const seats = new CountingSemaphore({ max: 2 });
trace(mutex, { minimum: 0 });
trace(seats, { minimum: 0 });

const fail = (/** @type {string} */ why) => {
    throw new Error(why);
};
void mutex.execAsync(() => fail('nobody handles this'));
void mutex.execAsync(async () => fail('nor this'));
mutex.execAsync(() => fail('handled')).catch(() => {});
mutex.execAsync(async () => fail('handled too')).catch(() => {});
mutex.execAsync(() => mutex.execAsync(() => {})).catch(() => {}); // a request for its own lock, which is refused
seats.execAsync(() => seats.execAsync(async () => fail('handled by the outer one'))).catch(() => {});

process.on('exit', () => console.log(reasons.map((reason) => String(reason)).join('; ')));
