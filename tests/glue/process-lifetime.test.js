/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runChild } from '../support/child.js';
import { PATIENCE_MS } from '../support/watchdog.js';

/* A process lives while a request waits, and ends by itself when none does. primitives-waits.test.js has the other
 * classes. */

for (const program of ['lives-while-waiting', 'lives-at-top-level', 'lives-while-waiting-again']) {
    test(`mutex: the process lives while a request waits (${program})`, async () => {
        const { code, stdout, stderr } = await runChild(program);
        assert.equal(code, 0, `code ${code}: ${stderr}`);
        assert.match(stdout, /^ran\n/);
    });
}

test('mutex: the process ends by itself if nothing is pending', async () => {
    const { code, stdout, stderr } = await runChild('ends-when-idle');
    assert.equal(code, 0, stderr);
    assert.ok(Number(stdout) < PATIENCE_MS, `it ended ${stdout.trim()} ms later`);
});
