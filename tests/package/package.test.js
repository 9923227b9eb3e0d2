/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* The package as its users get it: packed, installed without a network, imported, and compiled against. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { wrongLinks } from '../support/links.js';
import { prepareFor, SETTINGS } from './compilers/settings.js';
import { installInto, outputOf, pack } from '../support/packed-package.js';
import { isQuick, ONLY_IN_ALL } from '../support/tier.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** @type {string} */
let scratch;
/** @type {string} */
let tarball;
/** @type {string} */
let project;

/**
 * Compares with the snapshot. `HOLDFAST_UPDATE_SNAPSHOTS=1` writes a new one.
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
    mkdirSync(project);
    // As `npm init` would, which takes a second and a half of a processor.
    writeFileSync(join(project, 'package.json'), '{ "type": "module" }\n');
    installInto(tarball, project);
    cpSync(join(ROOT, 'tests', 'package', 'consumer'), project, { recursive: true });
    prepareFor(project);
});

after(() => rmSync(scratch, { recursive: true, force: true }));

test('package: the package contains exactly the files of the snapshot', () => {
    const files = outputOf(['tar', '-tzf', tarball], scratch).split('\n').sort();
    assertSnapshot('packed-files.txt', files.map((file) => file.replace(/^package\//, '')).join('\n'));
});

test('package: each link of the shipped documents leads to a shipped file', () => {
    const root = join(project, 'node_modules', 'holdfast');
    const documents = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) =>
        file.endsWith('.md'),
    );
    assert.ok(documents.includes('README.md'));
    assert.deepEqual(
        documents.flatMap((document) => wrongLinks(root, document)),
        [],
    );
});

test('package: the package has no dependencies', () => {
    const installed = readdirSync(join(project, 'node_modules')).filter((name) => !name.startsWith('.'));
    assert.deepEqual(installed, ['holdfast']);
});

test('package: holdfast/debug/on reports to the console, in started threads too', () => {
    const run = [process.execPath, '--import', 'holdfast/debug/on', 'hangs.mjs'];
    const { stdout, stderr } = spawnSync(run[0] ?? '', run.slice(1), { cwd: project, encoding: 'utf8' });
    assert.equal(stdout, 'HF_TIMEOUT\nHF_TIMEOUT\n');
    assert.match(stderr, /^holdfast: Perhaps a deadlock in main: a section holds /m);
    assert.match(stderr, /^holdfast: Perhaps a deadlock in worker 1: a section holds /m);
});

test('package: CommonJS programs can require each entry', () => {
    assert.equal(
        outputOf([process.execPath, 'by-require.cjs'], project),
        'ran, waited, traced, by key, given back',
    );
});

test('package: a thread that loads the package by require() and by import is one owner', () => {
    assert.equal(
        outputOf([process.execPath, 'by-both.cjs'], project),
        'two copies, HF_DEADLOCK both ways, in turn',
    );
});

test('package: holdfast/external loads a module file of the same version, in workers too', () => {
    assert.equal(
        outputOf([process.execPath, 'external.mjs'], project),
        'HF_NOT_LOADED, HF_NOT_LOADED, HF_NOT_LOADED, HF_BAD_OPTION, HF_NOT_LOADED, HF_NOT_LOADED, HF_NOT_LOADED another version, HF_NOT_LOADED another version, HF_NOT_LOADED another version, in every class, 2 in two threads, HF_DEADLOCK of the other copy',
    );
});

test('package: with source maps, stacks of built files name the sources', () => {
    const source = "require('holdfast').Mutex.from({})";
    const words = [
        process.execPath,
        '--enable-source-maps',
        '--eval',
        `try { ${source} } catch (error) { console.log(error.stack) }`,
    ];
    assert.match(outputOf(words, project), /js-glue\/memory\/handle\.js:\d+/);
});

test('package: a worker and the main thread share a mutex of the installed package', () => {
    const output = outputOf([process.execPath, 'lock-once.mjs'], project);
    assert.equal(output, 'the worker exited with 0, the sections counted 2');
});

test('package: the module is exported as a file, identical to the file of the repository', () => {
    const print =
        "import { fileURLToPath } from 'node:url';console.log(fileURLToPath(import.meta.resolve('holdfast/holdfast.wasm')))";
    const file = outputOf([process.execPath, '--input-type=module', '--eval', print], project);
    assert.deepEqual(readFileSync(file), readFileSync(join(ROOT, 'wasm', 'holdfast.wasm')));
});

test('package: the public API has exactly the names of the snapshot', () => {
    assertSnapshot('public-api.txt', outputOf([process.execPath, 'print-api.mjs'], project));
});

/** @param {RegExp} pattern @returns {string[]} the files of types that contain the pattern */
function typesWith(pattern) {
    const folder = join(project, 'node_modules', 'holdfast', 'types');
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
        /\.d\.c?ts$/.test(file),
    );
    assert.notEqual(files.length, 0);
    return files.filter((file) => pattern.test(readFileSync(join(folder, file), 'utf8')));
}

test('package: the types use no generic typed array, which TypeScript before 5.7 lacks', () => {
    assert.deepEqual(typesWith(/(Array|DataView)<ArrayBuffer/), []);
});

test('package: the types do not contain the text of the module', () => {
    assert.deepEqual(typesWith(/["'`][^"'`\n]{500}/), []);
});

/** The quick tier has one setting of the oldest TypeScript, and two of the newest. */
const isForQuick = (/** @type {string} */ title) =>
    /newest.*(esnext.*web|nodenext.*no runtime)$|oldest.*moduleResolution bundler/.test(title);

for (const { title, compiler, options, files } of SETTINGS.filter(
    ({ title }) => !isQuick || isForQuick(title),
)) {
    test(`package: the types work with ${title}`, () => {
        outputOf([process.execPath, compiler, ...options, ...files], project);
    });
}

/** The expected error of each call in consumer/wrong-options.ts. */
const TOLD = [
    /'partys' does not exist in type '{ parties: number; } & PlaceOptions'/,
    /'LockSpace' is not assignable to parameter of type '{ parties: number; } & PlaceOptions'/,
    /Expected 1 arguments, but got 2/,
    /Expected 1 arguments, but got 0/,
    /'string' is not assignable to type 'number/,
    /'{}' is not assignable to .*CountingSemaphoreOptions & PlaceOptions'/,
    /'autoreset' does not exist in type .*Did you mean to write 'autoReset'/,
    /'number' is not assignable to type 'boolean/,
    /'nam' does not exist in type 'PlaceOptions'. Did you mean to write 'name'/,
    /'nam' does not exist in type 'PlaceOptions'. Did you mean to write 'name'/,
    /'string' is not assignable to type 'LockSpace/,
    /Expected 0-1 arguments, but got 2/,
    /'"orders"' has no properties in common with type 'PlaceOptions/,
    /'Promise<number>' is not assignable to type '"an async callback: use .*execAsync\(\)/,
    /'Promise<void>' is not assignable to type '"an async callback: use .*runAsync\(\)/,
    /Expected 0-1 arguments, but got 2/,
    /'number' is not assignable to type 'string/,
    /Expected 2-3 arguments, but got 1/,
    /Argument of type 'Mutex' is not assignable to parameter of type 'PlaceOptions/,
    /Type 'Mutex' is not assignable to type 'LockSpace'/,
    /Expected 0-1 arguments, but got 2/,
    /Expected 0-1 arguments, but got 2/,
    /Expected 0-1 arguments, but got 2/,
    /Expected 0-1 arguments, but got 2/,
    /Expected 0 arguments, but got 1/,
    /Expected 0 arguments, but got 1/,
    /Expected 1 arguments, but got 2/,
    /Expected 0-1 arguments, but got 2/,
    /Type '2' has no properties in common with type 'TimeLimit & Permits'/,
    /Type '2' has no properties in common with type 'Permits'/,
    /Expected 1-2 arguments, but got 3/,
    /Type '5' has no properties in common with type 'TimeLimit & { mode\?: LockMode/,
    /Expected 1 arguments, but got 2/,
];

for (const { title, compiler, options } of SETTINGS.filter(({ title }) =>
    /^the (newest|oldest) TypeScript, module esnext, moduleResolution bundler, the types of the web$/.test(
        title,
    ),
)) {
    const tier = /oldest/.test(title) ? ONLY_IN_ALL : {};
    test(`package: wrong options are compile errors that name them: ${title}`, tier, () => {
        const words = [compiler, ...options, 'wrong-options.ts'];
        const { stdout } = spawnSync(process.execPath, words, { cwd: project, encoding: 'utf8' });
        const errors = stdout.split(/^(?=wrong-options)/m).filter((text) => text !== '');
        assert.equal(errors.length, TOLD.length, stdout);
        errors.forEach((error, at) => {
            assert.match(error, /** @type {RegExp} */ (TOLD[at]));
            assert.doesNotMatch(error, /No overload/);
        });
    });
}

for (const [module, resolution] of [
    ['nodenext', 'nodenext'],
    ['esnext', 'bundler'],
]) {
    const tier = resolution === 'bundler' ? ONLY_IN_ALL : {};
    const title = `package: a program that uses every class compiles with the types, resolved as ${resolution} does`;
    test(title, tier, () => {
        const compiler = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
        const strict = ['--strict', '--noUncheckedIndexedAccess', '--exactOptionalPropertyTypes'];
        const place = ['--target', 'es2022', '--lib', 'es2022,dom', '--types', ''];
        const resolve = ['--module', module ?? '', '--moduleResolution', resolution ?? ''];
        const words = [...strict, '--noEmit', '--skipLibCheck', 'false', ...place, ...resolve, 'consumer.ts'];
        outputOf([process.execPath, compiler, ...words], project);
    });
}
