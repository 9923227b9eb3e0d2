/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { parentPort, workerData } from 'node:worker_threads';
import { askAndCount } from '../retaking.js';

/* Asks for an object again and again, and posts how many rounds of other threads overtook each ask. */

parentPort?.postMessage(await askAndCount(workerData));
