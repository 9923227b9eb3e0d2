/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* The keys' table as it ships, in every interleaving of a few threads (models/keyed). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { explore } from '../../models/keyed/explore.js';
import { glueOf } from '../../models/keyed/glue.js';
import { KEYED_SCENARIOS } from '../../models/keyed/keyed.scenarios.js';
import { ONLY_IN_ALL } from '../support/tier.js';

/** A module of another compiler may have somewhat fewer states. */
const LEAST_SHARE = 0.9;

const shipped = await glueOf();

for (const scenario of KEYED_SCENARIOS) {
    test(`keyed, explored: ${scenario.name}`, scenario.isLong ? ONLY_IN_ALL : {}, (t) => {
        const { states, failure, schedule } = explore(shipped, scenario);
        t.diagnostic(`${states} states`);
        assert.equal(failure, '', schedule.join('\n'));
        assert.ok(states >= LEAST_SHARE * scenario.states, `${states} states, but ${scenario.states} before`);
    });
}
