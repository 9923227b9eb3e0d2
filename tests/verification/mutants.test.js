/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* The lists of models/mutants fit the sources: each function that they name is there, and each mistake fits
 * it once. `npm run mutants` tests that a check notices each. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { testsOf } from '../../models/mutants/checks.js';
import * as functions from '../../models/mutants/functions.js';

import * as mistakes from '../../models/mutants/mistakes.js';
import { mutantsOf } from '../../models/mutants/mutants.js';
import { placesIn } from '../../models/mutants/operators.js';
import { textOf } from '../support/documents.js';

/** @param {string} file @param {string} text */
function madeOf(file, text) {
    return placesIn(file, text).map(({ operator, start, end, to }) => [
        operator,
        `${text.slice(0, start)}${to}${text.slice(end)}`.replace(/\s+/g, ' ').trim(),
    ]);
}

test('mutants: the operators change C code as documented', () => {
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

test('mutants: the operators change JavaScript code as documented', () => {
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

for (const [kind, list] of Object.entries(functions)) {
    test(`mutants: each function of the list ${kind} has at least one mutant`, () => {
        list.forEach((listed) => assert.notEqual(mutantsOf(listed).length, 0, listed.unit));
    });
}

test('mutants: each listed mistake has a name of its own and changes the source', () => {
    for (const list of Object.values(mistakes)) {
        assert.ok(list.every(({ edits }) => edits.length > 0));
        assert.equal(new Set(list.map(({ name }) => name)).size, list.length);
    }
});

test('mutants: each check that is listed for a mistake exists', () => {
    const all = [...Object.values(functions), ...Object.values(mistakes)].flat();
    const files = all.flatMap(({ checks }) => checks.flatMap((check) => testsOf(check)?.file ?? []));
    assert.ok(all.every(({ checks }) => checks.length > 0));
    assert.deepEqual(
        [...new Set(files)].filter((file) => !existsSync(new URL(`../../${file}`, import.meta.url))),
        [],
    );
});

test('mutants: each mistake that docs/verification.md names is in the list', () => {
    const table =
        /^\| mistake in another lock .*\n(?:\|.*\n)+/m.exec(textOf('docs/verification.md'))?.[0] ?? '';
    const named = [...table.matchAll(/^\|.*\|.*\|(.*)\|$/gm)].flatMap(([, cell = '']) =>
        [...cell.matchAll(/"(.*?)"/g)].map(([, name]) => name),
    );
    const known = Object.values(mistakes).flatMap((list) => list.map(({ name }) => name));
    assert.ok(named.length > 0);
    assert.deepEqual(
        named.filter((name = '') => !known.includes(name)),
        [],
    );
});
