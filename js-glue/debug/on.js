/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { debug } from '../debug.js';

/* An entry that switches diagnosis on when it is loaded, and reports to the console: `node --import holdfast/debug/on`, which
 * Node's workers inherit. Of the entries, this alone has an effect when it is imported (`sideEffects` in package.json). */

debug();
