/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { heldByWorker } from '../held-by-worker.js';

/* Nothing is pending but a request for a lock that a worker holds. */

const mutex = await heldByWorker();
void mutex.execAsync(() => console.log('ran'));
