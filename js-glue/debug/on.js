/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { debug } from '../debug.js';

/* An entry that switches `debug()` on when it is loaded, and reports to the console: `node --import
 * holdfast/debug/on`, which Node's workers inherit. It is the only entry whose import has an effect
 * (`sideEffects` in package.json). */

debug();
