/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import assert from 'node:assert/strict';

const timer = setInterval(() => {}, 1000);
assert.ok(!process.getActiveResourcesInfo().includes('Timeout'), 'timers are listed');
clearInterval(timer);
