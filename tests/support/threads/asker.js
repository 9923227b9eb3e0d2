/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { parentPort, workerData } from 'node:worker_threads';
import { askAndCount } from '../retaking.js';

/* Asks for something again and again, in the way it is told, and posts how many rounds of others each ask saw. */

parentPort?.postMessage(await askAndCount(workerData));
