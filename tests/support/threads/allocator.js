/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { parentPort, workerData } from 'node:worker_threads';
import { useAllocator } from '../allocator-use.js';

parentPort?.postMessage(useAllocator(workerData));
