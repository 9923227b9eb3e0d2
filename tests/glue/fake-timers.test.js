/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Locks in programs whose tests fake the time, with each common tool; and the tests of docs/testing.md, with
 * threads and with faked time. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { ensureNodeModules } from '../../scripts/setup.mjs';
import { copyPackage } from '../support/documents-run.js';
import { filesOf, ROOT } from '../support/documents.js';

const SOURCE = join(ROOT, 'tests', 'glue', 'fake-timers');
const FOLDER = join(ROOT, 'build', 'fake-timers');
const DOCUMENT = 'docs/testing.md';

/** A program that takes longer counts as hung, or as kept alive by something. */
const LIMIT_MS = 60_000;

before(() => {
    mkdirSync(FOLDER, { recursive: true });
    for (const file of readdirSync(SOURCE)) {
        cpSync(join(SOURCE, file), join(FOLDER, file));
    }
    ensureNodeModules(FOLDER);
    const installed = join(FOLDER, 'node_modules', 'holdfast');
    rmSync(installed, { recursive: true, force: true });
    copyPackage(installed);
    for (const [name, text] of filesOf(DOCUMENT)) {
        writeFileSync(join(FOLDER, name), text);
    }
});

/** @param {string[]} commandLine of Node, in the folder */
async function run(commandLine) {
    const child = spawn(process.execPath, commandLine, {
        cwd: FOLDER,
        env: { ...process.env, CI: '1', NODE_TEST_CONTEXT: undefined },
        timeout: LIMIT_MS,
        killSignal: 'SIGKILL',
    });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text) => (output += text));
    child.stderr.setEncoding('utf8').on('data', (text) => (output += text));
    const [code, signal] = await new Promise((resolve) => {
        child.on('close', (...ending) => resolve(ending));
    });
    assert.equal(signal, null, `still there after ${LIMIT_MS} ms:\n${output}`);
    assert.equal(code, 0, output);
    return output;
}

/** @type {Record<string, (file: string) => string[]>} how each tool runs a file */
const TOOLS = {
    'node:test': (file) => [file],
    Jest: (file) => [
        '--experimental-vm-modules',
        'node_modules/jest/bin/jest.js',
        '--runInBand',
        '--transform={}',
        `--testRegex=${file}`,
    ],
    Vitest: (file) => ['node_modules/vitest/vitest.mjs', 'run', '--config=vitest.config.js', file],
    sinon: (file) => [file],
};

for (const [tool, program, documented] of /** @type {const} */ ([
    ['node:test', 'scenario.node.js', ['counter.test.mjs', 'read-or-give-up.test.mjs']],
    ['Jest', 'scenario.jest.js', ['counter.jest.test.mjs', 'give-up.jest.test.mjs']],
    ['Vitest', 'scenario.vitest.js', ['counter.vitest.test.js', 'give-up.vitest.test.js']],
    ['sinon', 'scenario.sinon.js', ['give-up.sinon.mjs']],
])) {
    for (const file of [program, ...documented]) {
        test(`fake timers: ${file} passes by ${tool}, and the process ends`, async () => {
            const output = await run(/** @type {any} */ (TOOLS[tool])(file));
            assert.doesNotMatch(output, /did not exit|close timed out/i);
        });
    }
}
