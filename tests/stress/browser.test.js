/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { testStress } from './played.js';

testStress('chromium', 0.05, 1);
