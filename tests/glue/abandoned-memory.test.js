/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* A thread that runs out of memory. Only in Node: other runtimes do not limit a worker's memory. */
import { test } from 'node:test';
import { assertTold } from '../support/mortal.js';

test('abandoned: a waiter gets HF_ABANDONED when the holder dies: out of memory', (t) =>
    assertTold(t, 'runs out of memory'));
