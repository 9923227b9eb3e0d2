/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* tests/promises.md has each promise of a public header, and the test that fails if it is broken. These tests
 * check the table against the headers and the tests. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ROOT } from '../support/documents.js';

const TABLE = 'tests/promises.md';
const FOLDER = 'c-src/include/holdfast';
const HEADERS = readdirSync(join(ROOT, FOLDER)).sort();

/** @param {string} path */
const read = (path) => readFileSync(join(ROOT, path), 'utf8');

/**
 * A row: its functions, the promise as quoted from the header, and tests as `file: case`.
 *
 * @typedef {{ of: string[], promise: string, tests: string[] }} Row
 */

/** @type {Map<string, Row[]>} by header */
const sections = new Map();
for (const section of read(TABLE).split(/^## /m).slice(1)) {
    const [header = '', ...lines] = section.split('\n');
    const rows = lines.filter((line) => line.startsWith('| ')).slice(1);
    sections.set(
        header.trim(),
        rows.map((line) => {
            const [, of = '', promise = '', tests = ''] = line.split('|').map((cell) => cell.trim());
            return { of: of.split(', '), promise, tests: tests.split('; ') };
        }),
    );
}

/** The words of a header's comments, in one line. @param {string} header */
const wordsOf = (header) =>
    [...read(join(FOLDER, header)).matchAll(/\/\*.*?\*\/|\/\/[^\n]*/gs)]
        .map(([comment]) => comment.replace(/^\s*(\/\*|\*\/|\*|\/\/) ?/gm, '').replace(/\*\/$/, ''))
        .join(' ')
        .replace(/\s+/g, ' ');

/** @param {string} text */
const withoutComments = (text) => text.replace(/\/\*.*?\*\/|\/\/[^\n]*/gs, '');

/** @param {string} header of C */
const functionsOf = (header) =>
    [...withoutComments(read(join(FOLDER, header))).matchAll(/^\w[\w ]*[ *](hf_(?!_)\w+)\(/gm)].map(
        ([, name = '']) => name,
    );

/** Members that users call, and functions beside the classes. @param {string} header of C++ */
function membersOf(header) {
    const ofUsers = read(join(FOLDER, header)).replace(
        /^namespace detail.*?^\} \/\/ namespace detail$/gms,
        '',
    );
    /** @type {Set<string>} */
    const names = new Set();
    let isPublic = false;
    for (const line of withoutComments(ofUsers).split('\n')) {
        isPublic = /^ {2}public:/.test(line) || (isPublic && !/^(}| {2}private:)/.test(line));
        const isDeclaration = isPublic ? /^ {4}[~\w[]/.test(line) : /^[\w[]/.test(line);
        const isOther = /\b(operator|static_assert|return)\b/.test(line);
        const [, name] = (isDeclaration && !isOther && /(~?\b(?!noexcept\b)\w+)\(/.exec(line)) || [];
        if (name) {
            names.add(name);
        }
    }
    return [...names];
}

/**
 * @param {string} file
 * @param {string} name
 */
function hasCase(file, name) {
    const text = read(file);
    if (/\W/.test(name)) {
        return [`'${name}'`, `"${name}"`, `\`${name}\``].some((title) => text.includes(title));
    }
    // The name of a test in C occurs twice: in its definition, and in a call or a list of tests.
    return (text.match(new RegExp(`\\b${name}\\b`, 'g')) ?? []).length > 1;
}

test(`promises: each public header has rows in ${TABLE}`, () => {
    assert.deepEqual([...sections.keys()].sort(), HEADERS);
    for (const [header, rows] of sections) {
        assert.ok(rows.length > 0, header);
    }
});

test('promises: each public function has a row in the table', () => {
    for (const header of HEADERS) {
        const names = header.endsWith('.h') ? functionsOf(header) : membersOf(header);
        const inTable = new Set(sections.get(header)?.flatMap(({ of }) => of));
        assert.deepEqual(
            names.filter((name) => !inTable.has(name)),
            [],
            `${header} promises something of them`,
        );
    }
});

test('promises: each promise in the table is quoted from its header', () => {
    for (const [header, rows] of sections) {
        const words = wordsOf(header);
        const missing = rows.filter(({ promise }) => promise === '' || !words.includes(promise));
        assert.deepEqual(missing, [], `${header} does not say so`);
    }
});

test('promises: each test in the table exists', () => {
    const named = new Set([...sections.values()].flat().flatMap(({ tests }) => tests));
    const missing = [...named].filter((each) => {
        const [, file = '', name = ''] = /^([^:]*): (.*)$/.exec(each) ?? [];
        const path = join('tests', file.includes('/') ? file : join('native', file));
        return !existsSync(join(ROOT, path)) || !hasCase(path, name);
    });
    assert.deepEqual(missing, []);
});
