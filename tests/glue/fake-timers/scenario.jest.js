/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { jest, test } from '@jest/globals';
import { locksWork } from './scenario.js';

test('locks work', async () => {
    jest.useFakeTimers();
    await locksWork((milliseconds) => jest.advanceTimersByTime(milliseconds));
});
