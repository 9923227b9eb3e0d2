/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* The mistakes of models/ fit the sources: the text that each changes stands in its file exactly once. Whether they are
 * noticed is for `npm run mutants`. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { AGENTS_MUTANTS } from '../../models/mutants/agents-mutants.js';
import { placesIn } from '../../models/mutants/operators.js';
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

/** @param {string} file @param {string} text */
function madeOf(file, text) {
    return placesIn(file, text).map(({ operator, start, end, to }) => [
        operator,
        `${text.slice(0, start)}${to}${text.slice(end)}`.replace(/\s+/g, ' ').trim(),
    ]);
}

test('mutants: the operators change C', () => {
    const body = (/** @type {string} */ code) => `static int f(int a) { ${code} }`;
    assert.deepEqual(madeOf('f.c', body('if (a & FLAG) { g(a); }')), [
        ['never', body('if (0) { g(a); }')],
        ['always', body('if (1) { g(a); }')],
        ['flag', body('if (a & 0) { g(a); }')],
        ['drop', body('if (a & FLAG) { ; }')],
    ]);
    assert.deepEqual(madeOf('f.c', body('return a == 1 && h(&x, a, 2) ? MOST : c;')), [
        ['result', body('return 0;')],
        ['compare', body('return a != 1 && h(&x, a, 2) ? MOST : c;')],
        ['number', body('return a == (1 + 1) && h(&x, a, 2) ? MOST : c;')],
        ['left', body('return (a == 1) ? MOST : c;')],
        ['right', body('return (h(&x, a, 2)) ? MOST : c;')],
        ['swap', body('return a == 1 && h(&x, 2, a) ? MOST : c;')],
        ['number', body('return a == 1 && h(&x, a, (2 + 1)) ? MOST : c;')],
        ['never', body('return (c);')],
        ['always', body('return (MOST);')],
        ['flag', body('return a == 1 && h(&x, a, 2) ? (MOST + 1) : c;')],
    ]);
    assert.deepEqual(madeOf('f.c', '#define MOST (4 - a) /* 4 - 1 */\n'), [
        ['number', '#define MOST ((4 + 1) - a) /* 4 - 1 */'],
        ['left', '#define MOST ((4)) /* 4 - 1 */'],
    ]);
});

test('mutants: the operators change JavaScript', () => {
    const body = (/** @type {string} */ code) => `class A { async #f(a) { ${code} } }`;
    assert.deepEqual(madeOf('f.js', body("await this.g(`${!a}`, 'b'); /* a */")), [
        ['await', body("this.g(`${!a}`, 'b'); /* a */")],
        ['drop', body('; /* a */')],
        ['swap', body("await this.g('b', `${!a}`); /* a */")],
        ['short', body('await this.g(`${!a}`); /* a */')],
        ['not', body("await this.g(`${a}`, 'b'); /* a */")],
    ]);
    assert.deepEqual(madeOf('f.js', 'export const isOn = (a) => a ?? true;'), [
        ['left', 'export const isOn = (a) => (a);'],
        ['right', 'export const isOn = (a) => (true);'],
        ['number', 'export const isOn = (a) => a ?? false;'],
    ]);
});

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
