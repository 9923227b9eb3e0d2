/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { heldByWorker } from '../held-by-worker.js';

/* The second wait of a process that has waited before. */

const mutex = await heldByWorker();
await mutex.execAsync(() => {});
const other = await heldByWorker();
void other.execAsync(() => console.log('ran'));
