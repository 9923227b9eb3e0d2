/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* The mistakes of models/ fit the sources: the text that each changes stands in its file exactly once. Whether they are
 * noticed is for `npm run mutants`. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { mutatedText } from '../../models/mutants/mutant-build.js';
import { GLUE_MUTANTS, SOURCE_MUTANTS } from '../../models/mutants/mutants.js';
import { NATIVE_MUTANTS, PHASE_MUTANTS } from '../../models/mutants/phase-mutants.js';
import { PUT_BACK } from '../../models/mutants/put-back.js';
import { NOTICING_TESTS } from '../../models/mutants/shell-checks.js';
import { FUZZER, SHELL_MUTANTS } from '../../models/mutants/shell-mutants.js';
import { SCENARIOS } from '../../models/programs/scenarios.js';
import { textOf } from '../support/documents.js';

/** @typedef {import('../../models/mutants/mutants.js').SourceMutant} SourceMutant */

const LEAST_SHELL_MUTANTS = 60;

/** @type {SourceMutant[]} */
const shellMutants = Object.entries(SHELL_MUTANTS).flatMap(([file, ofFile]) =>
    ofFile.map(([name, from, to]) => ({ name, file, from, to })),
);

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

test('mutants: all fit the sources', () => {
    const all = [...shellMutants, ...SOURCE_MUTANTS, ...GLUE_MUTANTS, ...PHASE_MUTANTS, ...NATIVE_MUTANTS];
    assert.deepEqual(misfits(all.map((mutant) => [mutant])), []);
    assert.ok(shellMutants.length >= LEAST_SHELL_MUTANTS, `there are only ${shellMutants.length}`);
});

test('mutants: each of the shell has a name of its own in its file', () => {
    const names = shellMutants.map(({ file, name }) => `${file}: ${name}`);
    assert.equal(new Set(names).size, names.length);
});

test('mutants: the scenarios that are to find them are there', () => {
    const names = new Set(SCENARIOS.map(({ name }) => name));
    const missing = [...SOURCE_MUTANTS, ...GLUE_MUTANTS, ...PHASE_MUTANTS].filter(
        ({ foundIn }) => foundIn !== undefined && !names.has(foundIn),
    );
    assert.deepEqual(
        missing.map(({ name, foundIn }) => `${name}: ${foundIn}`),
        [],
    );
});

test('mutants: the mended defects can be put back', () => {
    const edits = PUT_BACK.map((defect) => defect.edits.map((edit) => ({ name: defect.name, ...edit })));
    assert.deepEqual(misfits(edits), []);
});

test('mutants: the tests that are to notice them are there', () => {
    const ofShell = Object.values(SHELL_MUTANTS)
        .flat()
        .flatMap(([, , , foundBy]) =>
            foundBy === FUZZER || foundBy === '' ? [] : `tests/glue/${foundBy}.test.js`,
        );
    const files = new Set([...NOTICING_TESTS, ...ofShell, ...PUT_BACK.flatMap(({ tests }) => tests)]);
    assert.deepEqual(
        [...files].filter((file) => !existsSync(new URL(`../../${file}`, import.meta.url))),
        [],
    );
});
