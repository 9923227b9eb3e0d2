/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* The keys' table as it ships, in every interleaving of a few threads (models/keyed). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { explore } from '../../models/keyed/explore.js';
import { glueOf } from '../../models/keyed/glue.js';
import { KEYED_SCENARIOS } from '../../models/keyed/keyed.scenarios.js';
import { GlueCopy } from '../../models/mutants/glue-copy.js';
import { GLUE_MISTAKES } from '../../models/mutants/mistakes.js';
import { isQuick, ONLY_IN_ALL } from '../support/tier.js';

/** A module of another compiler may have a few states less. */
const LEAST_SHARE = 0.9;

/** The first ones were made once. */
const QUICK_MISTAKES = 3;

const shipped = await glueOf();

/** The smallest first. */
const short = KEYED_SCENARIOS.filter(({ isLong }) => !isLong).toSorted(
    (one, other) => one.states - other.states,
);

for (const scenario of KEYED_SCENARIOS) {
    test(`keyed, explored: ${scenario.name}`, scenario.isLong ? ONLY_IN_ALL : {}, (t) => {
        const { states, failure, schedule } = explore(shipped, scenario);
        t.diagnostic(`${states} states`);
        assert.equal(failure, '', schedule.join('\n'));
        assert.ok(states >= LEAST_SHARE * scenario.states, `${states} states, but ${scenario.states} before`);
    });
}

test('keyed, explored: a short scenario finds each mistake in the table', async () => {
    const copy = new GlueCopy();
    try {
        const mistakes = GLUE_MISTAKES.filter(({ checks }) => checks.includes('keyed-model'));
        assert.ok(mistakes.length >= QUICK_MISTAKES);
        for (const { name, edits } of mistakes.slice(0, isQuick ? QUICK_MISTAKES : undefined)) {
            const glue = await glueOf(copy.sourcesWith(edits));
            const isFound = short.some((one) => explore(glue, one, 10 * one.states).failure !== '');
            assert.ok(isFound, name);
        }
    } finally {
        copy.remove();
    }
});
