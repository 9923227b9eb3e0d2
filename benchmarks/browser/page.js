/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* What the page can do for driver.js. */

export { runContended } from '../contended-run.js';
export { admit } from '../contestants.js';
export { exchange } from '../messages-run.js';
