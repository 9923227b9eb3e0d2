/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MOST_OVERTAKEN, overtakenBy, RETAKINGS } from '../support/retaking.js';
import { messageOf, startThread } from '../support/thread.js';

/* How often a waiter is overtaken, counted in rounds of the thread that overtakes it. */

const PATIENCE_MS = 30_000;

for (const retaking of RETAKINGS) {
    for (const ask of retaking.asks) {
        test(`overtaking: a thread that has a request and takes ${retaking.name} overtakes ${ask} a few times only`, async (t) => {
            const overtaken = await overtakenBy(retaking, ask, (task) =>
                messageOf(startThread(t, 'asker', task), 'its asks', [], PATIENCE_MS),
            );
            assert.ok(Math.max(...overtaken) <= MOST_OVERTAKEN, `overtaken ${overtaken} times`);
        });
    }
}
