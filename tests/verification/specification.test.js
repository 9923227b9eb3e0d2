/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* The module as built against the specification of its calls (models/specification/gate-specification.js), and that this notices
 * a single changed operation. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { byteMutants } from '../../models/mutants/byte-mutants.js';
import { ModuleChecks } from '../../models/mutants/mutant-checks.js';
import { EXPLAINED_SURVIVORS, isExplained } from '../../models/mutants/mutant-survivors.js';
import { MODULE_FILE } from '../../models/wasm/shipped-module.js';
import { randomOf, seedFor } from '../support/seed.js';

/** `npm run mutants -- bytes` runs them all. */
const SAMPLE = 8;

const original = readFileSync(MODULE_FILE);
const checks = new ModuleChecks();

test('specification: every call of the module does what is specified, alone and overtaken by another thread', (t) => {
    t.diagnostic(`${checks.specifiedCalls} calls`);
    assert.equal(checks.differenceIn(original), '');
});

test('specification: each survivor that is explained is a mutant of this module', () => {
    const names = new Set([...byteMutants(original)].map(({ name }) => name));
    const explained = EXPLAINED_SURVIVORS.flatMap(({ mutants }) => mutants);
    assert.deepEqual(
        explained.filter((name) => !names.has(name)),
        [],
    );
});

test('specification: a sample of modules with one operation changed does not get past the checks', (t) => {
    const random = randomOf(seedFor(t));
    const mutants = [...byteMutants(original)];
    const sample = Array.from({ length: SAMPLE }, () => mutants[random.below(mutants.length)]);
    const survivors = sample.flatMap((mutant) => {
        if (mutant === undefined || isExplained(mutant.name)) {
            return [];
        }
        return checks.verdictOn(mutant.bytes).check === 'survives' ? [mutant.name] : [];
    });
    assert.deepEqual(survivors, []);
});
