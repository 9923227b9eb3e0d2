/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* A thread that runs out of memory. In Node alone: elsewhere nothing limits the memory of a worker. */
import { test } from 'node:test';
import { assertTold } from '../support/mortal.js';

test('abandoned: a waiter gets HF_ABANDONED when the holder dies: it runs out of memory', (t) =>
    assertTold(t, 'runs out of memory'));
