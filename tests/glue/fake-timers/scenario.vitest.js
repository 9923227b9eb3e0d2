/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { test, vi } from 'vitest';
import { locksWork } from './scenario.js';

test('locks work', async () => {
    vi.useFakeTimers({
        toFake: [
            'setTimeout',
            'clearTimeout',
            'setInterval',
            'clearInterval',
            'setImmediate',
            'clearImmediate',
            'queueMicrotask',
            'performance',
            'Date',
        ],
    });
    await locksWork((milliseconds) => vi.advanceTimersByTime(milliseconds));
});
