/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { testProbes } from './probed.js';

testProbes('chromium');
