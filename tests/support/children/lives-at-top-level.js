/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { heldByWorker } from '../held-by-worker.js';

/* As lives-while-waiting.js, awaited at the top level, where Node ends with code 13 when nothing keeps it alive. */

const mutex = await heldByWorker();
await mutex.execAsync(() => console.log('ran'));
const guard = await mutex.acquireAsync();
guard.release();
console.log('released');
