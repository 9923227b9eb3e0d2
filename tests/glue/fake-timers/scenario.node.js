/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { mock } from 'node:test';
import { locksWork } from './scenario.js';

mock.timers.enable();
await locksWork((milliseconds) => mock.timers.tick(milliseconds));
