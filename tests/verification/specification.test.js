/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* The module as built against the specification of its calls (models/specification/gate-specification.js), and that this notices
 * a single changed operation. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { byteMutants } from '../../models/mutants/byte-mutants.js';
import { ModuleChecks } from '../../models/mutants/mutant-checks.js';
import { MODULE_FILE } from '../../models/wasm/shipped-module.js';
import { isQuick, ONLY_IN_ALL } from '../support/tier.js';

/** `npm run mutants -- bytes` runs them all. */
const ONE_IN = 400;
/** About one in 20 is equivalent. */
const MOST_SURVIVORS = 2;

const original = readFileSync(MODULE_FILE);
/** `npm run test:all` compares every call. */
const checks = new ModuleChecks(isQuick ? 23 : 1);

test('specification: each call of the module does what is specified, alone and interleaved', (t) => {
    t.diagnostic(`${checks.specifiedCalls} calls`);
    assert.equal(checks.differenceIn(original), '');
});

test('specification: nearly every module with one changed operation is noticed', ONLY_IN_ALL, (t) => {
    // The same ones for each build, so that a failure does not depend on luck.
    const sample = [...byteMutants(original)].filter((_, at) => at % ONE_IN === 0);
    const survivors = sample.filter(({ bytes }) => checks.verdictOn(bytes).check === 'survives');
    t.diagnostic(`${sample.length - survivors.length} of ${sample.length} are noticed`);
    assert.ok(survivors.length <= MOST_SURVIVORS, survivors.map(({ name }) => name).join('\n'));
});
