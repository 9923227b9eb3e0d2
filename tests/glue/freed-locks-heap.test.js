/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runFile } from '../support/child.js';

test('freed: locks that were used and freed leave nothing on the heap', async () => {
    const { code, stdout, stderr } = await runFile(
        new URL('../support/children/heap-of-freed.js', import.meta.url).pathname,
        [],
        ['--expose-gc'],
    );
    assert.equal(code, 0, stderr);
    const [bytes = Infinity] = stdout.split(' ').map(Number);
    // A queue that is kept takes several hundred bytes.
    assert.ok(bytes < 100, `${bytes} bytes a lock`);
});
