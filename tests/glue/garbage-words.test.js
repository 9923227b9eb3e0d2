/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runChild } from '../support/child.js';

/* Waits on words that are not a lock's: they end in time, with any result. Each runs in a process of its own,
 * which is ended if it hangs. */

/** Its thousand waits take five seconds, and much longer beside other work. */
const LIMIT_MS = 120_000;

for (const preludes of [[], ['no-wait-async']]) {
    const where = preludes.length > 0 ? ', without waitAsync too' : '';
    test(`garbage words: waits on arbitrary words end in time, and other jobs get turns${where}`, async () => {
        const { code, stdout, stderr } = await runChild('garbage-words', preludes, LIMIT_MS);
        assert.equal(code, 0, `code ${code}: ${stdout} ${stderr}`);
        assert.match(stdout, / \d{3,} settled$/);
    });
}
