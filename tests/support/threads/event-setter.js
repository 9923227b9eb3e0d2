/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { workerData } from 'node:worker_threads';
import { Event } from '../../../js-glue/index.js';

Event.from(workerData).set();
