/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { workerData } from 'node:worker_threads';
import { BinarySemaphore } from '../../../js-glue/index.js';

BinarySemaphore.from(workerData).release();
