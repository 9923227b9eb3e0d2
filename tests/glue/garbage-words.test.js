/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runChild } from '../support/child.js';

/* In a process of its own: one that never comes to its end is ended. */

for (const preludes of [[], ['no-wait-async']]) {
    const where = preludes.length > 0 ? ', without waitAsync too' : '';
    test(`waits on words that are no lock's end in time, and other jobs have their turns${where}`, async () => {
        const { code, stdout, stderr } = await runChild('garbage-words', preludes);
        assert.equal(code, 0, `code ${code}: ${stdout} ${stderr}`);
        assert.match(stdout, / \d{3,} settled$/);
    });
}
