/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* The functions of the page that driver.js calls. */

export { runContended } from '../contended-run.js';
export { admit } from '../contestants.js';
export { exchange } from '../messages-run.js';
