/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ROOT } from '../support/documents.js';

/* An editor shows the comment of a name on hover: its first lines say what it does, and no list of codes hides them. */

/** More error codes than that are a wall: docs/errors.md has them all. */
const MOST_CODES = 5;

/** The longest first sentence. */
const LONGEST = 200;

const COMMENT = /\/\*\*\n((?:(?!\*\/)[^])*?) *\*\/\n *([^\n]+)/g;

/** @param {string} file of types/ */
function hoversOf(file) {
    const text = readFileSync(join(ROOT, 'types', file), 'utf8');
    return Array.from(text.matchAll(COMMENT), ([, comment = '', declaration = '']) => {
        const lines = comment.split('\n').map((line) => line.replace(/^ *\* ?/, ''));
        return { name: `${file}: ${declaration.slice(0, 60)}`, text: lines.join('\n') };
    });
}

const FILES = readdirSync(join(ROOT, 'types'), { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.d.ts'),
);
const HOVERS = FILES.flatMap(hoversOf);

test(`hovers: each hover in an editor lists at most ${MOST_CODES} error codes`, () => {
    assert.ok(HOVERS.length > 150, `${HOVERS.length} comments`);
    const walls = HOVERS.filter(({ text }) => (text.match(/HF_\w+/g) ?? []).length > MOST_CODES)
        .filter(({ text }) => !text.includes('cause of a `HoldfastError`')) // the union of all codes
        .map(({ name }) => name);
    assert.deepEqual(walls, []);
});

test('hovers: each hover in an editor begins with a sentence that says what the name does, without codes', () => {
    const bad = HOVERS.filter(({ name, text }) => !/^@/.test(text) && !/: \w+\??:/.test(name)) // no options
        .map(({ name, text }) => ({ name, first: /^[^]*?[.:](?=\s|$)/.exec(text)?.[0] ?? text }))
        .filter(({ first }) => first.length > LONGEST || /HF_/.test(first));
    assert.deepEqual(bad, []);
});
