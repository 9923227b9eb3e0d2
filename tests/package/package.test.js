/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* The package as its users get it: packed, installed without a network, imported, and compiled against. */
import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { initProject, installInto, outputOf, pack } from '../support/packed-package.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** @type {string} */
let scratch;
/** @type {string} */
let tarball;
/** @type {string} */
let project;

/**
 * Compares with what was agreed on. `HOLDFAST_UPDATE_SNAPSHOTS=1` agrees on what is there now.
 * @param {string} name
 * @param {string} actual
 */
function assertSnapshot(name, actual) {
    const file = join(ROOT, 'tests', 'package', 'snapshots', name);
    if (process.env.HOLDFAST_UPDATE_SNAPSHOTS === '1') {
        writeFileSync(file, `${actual}\n`);
    }
    const agreed = readFileSync(file, 'utf8').trimEnd().split('\n');
    const lines = actual.split('\n');
    const more = lines.filter((line) => !agreed.includes(line)).map((line) => `+ ${line}`);
    const less = agreed.filter((line) => !lines.includes(line)).map((line) => `- ${line}`);
    const advice = `If that is meant, set ${name} again with HOLDFAST_UPDATE_SNAPSHOTS=1.`;
    assert.equal(more.length + less.length, 0, `\n${[...more, ...less, advice].join('\n')}`);
}

before(() => {
    scratch = mkdtempSync(join(tmpdir(), 'holdfast-package-'));
    tarball = pack(scratch);
    project = join(scratch, 'project');
    initProject(project);
    outputOf(['npm', 'pkg', 'set', 'type=module'], project);
    installInto(tarball, project);
    cpSync(join(ROOT, 'tests', 'package', 'consumer'), project, { recursive: true });
});

after(() => rmSync(scratch, { recursive: true, force: true }));

test('package: holds the agreed files', () => {
    const files = outputOf(['tar', '-tzf', tarball], scratch).split('\n').sort();
    assertSnapshot('packed-files.txt', files.map((file) => file.replace(/^package\//, '')).join('\n'));
});

test('package: brings no other package', () => {
    const installed = readdirSync(join(project, 'node_modules')).filter((name) => !name.startsWith('.'));
    assert.deepEqual(installed, ['holdfast']);
});

test('package: a worker and the main thread share a mutex once it is installed', () => {
    const output = outputOf([process.execPath, 'lock-once.mjs'], project);
    assert.equal(output, 'the worker exited with 0, the sections counted 2');
});

test('package: the module is exported as a file, and is the one in the repository', () => {
    const print =
        "import { fileURLToPath } from 'node:url';console.log(fileURLToPath(import.meta.resolve('holdfast/holdfast.wasm')))";
    const file = outputOf([process.execPath, '--input-type=module', '--eval', print], project);
    assert.deepEqual(readFileSync(file), readFileSync(join(ROOT, 'wasm', 'holdfast.wasm')));
});

test('package: the public API has the agreed names', () => {
    assertSnapshot('public-api.txt', outputOf([process.execPath, 'print-api.mjs'], project));
});

test('package: its types name no typed array by a parameter, which TypeScript before 5.7 does not know', () => {
    const folder = join(project, 'node_modules', 'holdfast', 'types');
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
        file.endsWith('.d.ts'),
    );
    assert.notEqual(files.length, 0);
    assert.deepEqual(
        files.filter((file) => /(Array|DataView)<ArrayBuffer/.test(readFileSync(join(folder, file), 'utf8'))),
        [],
    );
});

for (const { module, resolution } of [
    { module: 'nodenext', resolution: 'nodenext' },
    { module: 'esnext', resolution: 'bundler' },
]) {
    test(`package: its types serve a strict TypeScript program that resolves as ${resolution} does`, () => {
        const compiler = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
        const options = [
            '--strict',
            '--noEmit',
            '--skipLibCheck',
            'false',
            '--noUncheckedIndexedAccess',
            '--exactOptionalPropertyTypes',
        ];
        const place = ['--target', 'es2022', '--lib', 'es2022,dom', '--types', ''];
        const resolve = ['--module', module, '--moduleResolution', resolution];
        outputOf([process.execPath, compiler, ...options, ...place, ...resolve, 'consumer.ts'], project);
    });
}
