/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* The mistakes of models/ fit the sources: the text that each changes stands in its file exactly once. Whether they are
 * noticed is for `npm run mutants`. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { AGENTS_MUTANTS } from '../../models/mutants/agents-mutants.js';
import { mutatedText } from '../../models/mutants/project-copy.js';
import { GLUE_MUTANTS, SOURCE_MUTANTS } from '../../models/mutants/mutants.js';
import { FOUND_IN_SCENARIO, NATIVE_MUTANTS, PHASE_MUTANTS } from '../../models/mutants/phase-mutants.js';
import {
    DEPTH_MUTANTS,
    RECURSIVE_GLUE_MUTANTS,
    RECURSIVE_NATIVE_MUTANTS,
} from '../../models/mutants/recursive-mutants.js';
import { PUT_BACK } from '../../models/mutants/put-back.js';
import { NOTICING_TESTS } from '../../models/mutants/shell-checks.js';
import { FUZZER, SHELL_MUTANTS } from '../../models/mutants/shell-mutants.js';
import { ALL_SCENARIOS } from '../../models/programs/scenarios.js';
import { textOf } from '../support/documents.js';

/** @typedef {import('../../models/mutants/mutants.js').SourceMutant} SourceMutant */

const LEAST_SHELL_MUTANTS = 60;

/**
 * @param {SourceMutant[][]} mutants the edits of each, one after the other
 * @returns {string[]} why some do not fit
 */
function misfits(mutants) {
    return mutants.flatMap((edits) => {
        /** @type {Map<string, string>} */
        const texts = new Map();
        try {
            for (const edit of edits) {
                const text = texts.get(edit.file) ?? textOf(edit.file);
                assert.notEqual(edit.from, edit.to, `${edit.name}: nothing is changed`);
                texts.set(edit.file, mutatedText(edit, text));
            }
            return [];
        } catch (error) {
            return [`${edits[0]?.file}: ${/** @type {Error} */ (error).message}`];
        }
    });
}

test('mutants: the edit of each mutant fits the sources', () => {
    const ofC = [...SOURCE_MUTANTS, ...PHASE_MUTANTS, ...NATIVE_MUTANTS, ...AGENTS_MUTANTS];
    const ofRecursive = [...DEPTH_MUTANTS, ...RECURSIVE_GLUE_MUTANTS, ...RECURSIVE_NATIVE_MUTANTS];
    const all = [...ofRecursive, ...SHELL_MUTANTS, ...GLUE_MUTANTS, ...ofC];
    assert.deepEqual(misfits(all.map((mutant) => [mutant])), []);
    assert.ok(SHELL_MUTANTS.length >= LEAST_SHELL_MUTANTS, `there are only ${SHELL_MUTANTS.length}`);
});

test('mutants: the names of shell mutants are unique in their file', () => {
    const names = SHELL_MUTANTS.map(({ file, name }) => `${file}: ${name}`);
    assert.equal(new Set(names).size, names.length);
});

test('mutants: each scenario that is to find a mutant exists', () => {
    const names = new Set(ALL_SCENARIOS.map(({ name }) => name));
    const ofRecursive = [...DEPTH_MUTANTS, ...RECURSIVE_GLUE_MUTANTS];
    const ofOthers = [...SOURCE_MUTANTS, ...GLUE_MUTANTS, ...PHASE_MUTANTS, ...AGENTS_MUTANTS];
    const missing = [...ofRecursive, ...ofOthers].filter(
        ({ foundIn }) => foundIn !== undefined && !names.has(foundIn),
    );
    assert.deepEqual(
        missing.map(({ name, foundIn }) => `${name}: ${foundIn}`),
        [],
    );
    const natives = new Set(NATIVE_MUTANTS.map(({ name }) => name));
    const wrong = Object.entries(FOUND_IN_SCENARIO).filter(
        ([name, scenario]) => !natives.has(name) || !names.has(scenario),
    );
    assert.deepEqual(wrong, []);
});

test('mutants: each fixed defect can be put back', () => {
    assert.deepEqual(misfits(PUT_BACK.map(({ edits }) => edits)), []);
});

test('mutants: each test that is to notice a mutant exists', () => {
    const ofShell = SHELL_MUTANTS.flatMap(({ foundIn }) =>
        foundIn === FUZZER ? [] : `tests/glue/${foundIn}.test.js`,
    );
    const files = new Set([...NOTICING_TESTS, ...ofShell, ...PUT_BACK.flatMap(({ tests }) => tests)]);
    assert.deepEqual(
        [...files].filter((file) => !existsSync(new URL(`../../${file}`, import.meta.url))),
        [],
    );
});
