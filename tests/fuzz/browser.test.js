/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { testPrograms } from './played.js';

testPrograms('chromium', 35);
