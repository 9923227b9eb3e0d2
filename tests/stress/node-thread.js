/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import './ledger.js';
import { parentPort } from 'node:worker_threads';
import { perform } from './tasks.js';

parentPort?.on('message', async (message) => parentPort?.postMessage(await perform(message)));
