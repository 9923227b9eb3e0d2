/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { parentPort, workerData } from 'node:worker_threads';
import { hammer } from './hammer.js';

parentPort?.postMessage('ready');
hammer(workerData);
