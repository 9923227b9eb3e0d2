/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import sinon from 'sinon';
import { locksWork } from './scenario.js';

const clock = sinon.useFakeTimers();
await locksWork((milliseconds) => clock.tick(milliseconds));
