/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* The model of keyed mutexes finds mistakes in the table of keys. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { explore } from '../../models/keyed/explore.js';
import { glueOf } from '../../models/keyed/glue.js';
import { KEYED_SCENARIOS } from '../../models/keyed/keyed.scenarios.js';
import { GlueCopy } from '../../models/mutants/glue-copy.js';
import { GLUE_MISTAKES } from '../../models/mutants/mistakes.js';
import { isQuick } from '../support/tier.js';

/** The smallest first. */
const short = KEYED_SCENARIOS.filter(({ isLong }) => !isLong).toSorted(
    (one, other) => one.states - other.states,
);

/** The quick tier tries the first mistakes, which were real ones. */
const QUICK_MISTAKES = 3;

test('keyed, explored: for each listed mutant of the table of keys, some short scenario fails', async () => {
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
