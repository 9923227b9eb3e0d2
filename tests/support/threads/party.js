/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { parentPort, workerData } from 'node:worker_threads';
import { Barrier } from '../../../js-glue/index.js';

parentPort?.postMessage(Barrier.from(workerData).arriveAndWait());
