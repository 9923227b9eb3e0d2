/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { parentPort, workerData } from 'node:worker_threads';
import { runThread } from './engine-thread.js';

parentPort?.postMessage('ready');
runThread(workerData);
