/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* The programs of docs/examples in Node, as its README says; tests/browser/examples.test.js has them as pages. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { runFile } from '../support/child.js';
import { EXAMPLES } from '../support/examples.js';

const FOLDER = new URL('../../docs/examples/', import.meta.url);

for (const [name, words] of Object.entries(EXAMPLES)) {
    test(`examples: ${name} works as documented`, async () => {
        const program = fileURLToPath(new URL(`${name}/main.js`, FOLDER));
        const { code, stdout, stderr } = await runFile(program, ['words-when-late']);
        assert.equal(code, 0, stdout + stderr);
        assert.equal(stderr, '');
        assert.match(stdout, words);
    });
}

test('examples: each example has a test, is named in the README, and runs on the page', () => {
    // The example sqlite is an Emscripten program, and has tests of its own.
    const folders = readdirSync(FOLDER, { withFileTypes: true }).filter(
        (entry) => entry.isDirectory() && entry.name !== 'sqlite',
    );
    assert.deepEqual(folders.map(({ name }) => name).sort(), Object.keys(EXAMPLES).sort());
    const readme = readFileSync(new URL('README.md', FOLDER), 'utf8');
    const page = readFileSync(new URL('index.html', FOLDER), 'utf8');
    for (const { name } of folders) {
        assert.ok(readme.includes(`[\`${name}\`](${name}/main.js)`), `README.md: ${name}`);
        assert.ok(page.includes(`href="?${name}"`), `index.html: ${name}`);
    }
});
