/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* docs/examples/sqlite in Node; tests/browser/sqlite.test.js has its page. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { FOLDER, link, MUTEXES } from '../../docs/examples/sqlite/build.mjs';
import { runNode } from '../support/child.js';
import { checkRounds, isBuilt, parse } from '../support/sqlite-example.js';

const SECONDS = 1.5;

/** A program that takes longer counts as hung. */
const LIMIT_MS = 60_000;

/** @param {string[]} commandLine the program and its arguments */
async function run(...commandLine) {
    const result = await runNode(['--no-experimental-fetch', ...commandLine], LIMIT_MS);
    const output = result.stdout + result.stderr;
    assert.notEqual(result.code, null, `${commandLine[0]} did not end in ${LIMIT_MS} ms:\n${output}`);
    return { ...result, output };
}

/** @param {string} mutexes */
async function resultOf(mutexes) {
    const { code, stdout, output } = await run(join(FOLDER, `${mutexes}.js`), String(SECONDS));
    assert.equal(code, 0, output);
    return parse(stdout);
}

test('sqlite: the main thread keeps querying while four threads write', async (t) => {
    if (!isBuilt(t)) {
        return;
    }
    await checkRounds(async () => {
        const results = [];
        for (const mutexes of MUTEXES) {
            results.push(await resultOf(mutexes));
        }
        return results;
    });
});

test('sqlite: each call keeps the promises of its header, and the main thread never waits for a connection', async (t) => {
    if (!isBuilt(t)) {
        return;
    }
    const program = link('contract', 'tests/docs/sqlite/contract.c', 'holdfast');
    const { code, output } = await run(program);
    assert.equal(code, 0, output);
    assert.match(output, /^0 failures$/m);

    const refused = await run(program, 'enter');
    assert.notEqual(refused.code, 0);
    assert.match(refused.stderr, /the main thread called SQLite while another thread was inside/);
});
