/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MOST_GZIP_BYTES, MUTEX_ALONE, pageBytes } from '../benchmarks/scenarios/page-bytes.js';

test('package: a page that uses Mutex alone loads at most 11,000 bytes for it, after gzip', async () => {
    const { gzip = NaN } = (await pageBytes(MUTEX_ALONE)) ?? {};
    assert.ok(gzip <= MOST_GZIP_BYTES, `${gzip} bytes`);
});
