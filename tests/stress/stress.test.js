/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runStress, testStress } from './played.js';

testStress('node', 0.03, 3);

test('stress: an invalid argument is refused, and the message lists the valid ones', async () => {
    for (const words of [
        ['--in', 'lynx'],
        ['--minutes', 'long'],
        ['--deaths', 'many'],
        ['--seed', '-1'],
    ]) {
        const { code, stderr } = await runStress(...words);
        assert.equal(code, 1);
        assert.match(stderr, /npm run stress/);
    }
});
