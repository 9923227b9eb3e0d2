/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* `npm test -- <files>` runs these files, and sets up exactly what they need. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { testsOfChange } from '../../scripts/changed-files.mjs';
import { NEEDS_OF_PURPOSE } from '../../scripts/setup.mjs';
import { TEST_NEEDS } from '../../scripts/system-packages.mjs';
import {
    allTestFiles,
    groupOf,
    purposeOf,
    PURPOSE_OF_FOLDER,
    quickTestFiles,
    testFilesOf,
} from '../../scripts/test-files.mjs';
import { importsOf } from '../../scripts/imports.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const COMMAND = join(ROOT, 'scripts', 'test.mjs');

/** This file names commands only to list the packages that have them. */
const LIST_OF_NEEDS = 'scripts/system-packages.mjs';

/** Programs that tests start by their names. */
const STARTED = ['tests/support/threads', 'tests/support/children'];

/** @param {string} folder */
const filesIn = (folder) => readdirSync(join(ROOT, folder)).map((name) => `${folder}/${name}`);

/** @param {string} file */
const textOf = (file) => readFileSync(join(ROOT, file), 'utf8');

/**
 * These files and all that they import.
 *
 * @param {string[]} files
 */
function reachedFrom(files) {
    const reached = new Set(files);
    for (const file of reached) {
        importsOf(textOf(file))
            .filter((specifier) => specifier.startsWith('.'))
            .forEach((specifier) => reached.add(join(dirname(file), specifier)));
    }
    return [...reached];
}

for (const [folder, purpose] of Object.entries(PURPOSE_OF_FOLDER)) {
    const tests = allTestFiles().filter((file) => file.startsWith(`tests/${folder}/`));
    const reached = reachedFrom([...tests, ...STARTED.flatMap(filesIn)]);

    test(`test files: tests/${folder} uses no browser`, () => {
        assert.ok(reached.length > tests.length);
        assert.deepEqual(
            reached.filter((file) => file.startsWith('browsers/')),
            [],
        );
    });

    test(`test files: tests/${folder} uses only commands that its setup provides`, () => {
        const notThere = TEST_NEEDS.filter((need) => !NEEDS_OF_PURPOSE[purpose].includes(need));
        const commands = notThere.flatMap(({ name }) => name.split(' or '));
        assert.ok(commands.includes('chromium'));
        assert.deepEqual(
            reached
                .filter((file) => file !== LIST_OF_NEEDS)
                .flatMap((file) =>
                    commands
                        .filter((command) => textOf(file).includes(`'${command}'`))
                        .map((command) => `${file} names ${command}`),
                ),
            [],
        );
    });
}

for (const [files, purpose] of /** @type {const} */ ([
    [['tests/glue/mutex.test.js'], 'build'],
    [['tests/verification/native.test.js'], 'verify'],
    [['tests/glue/mutex.test.js', 'tests/verification/native.test.js'], 'verify'],
    [['tests/glue/mutex.test.js', 'tests/browser/page.test.js'], 'test'],
    [['tests/tools/bench.test.js', 'tests/browser/page.test.js'], 'all'],
])) {
    test(`test files: the set-up for ${files.join(' and ')} is that of "${purpose}"`, () => {
        assert.equal(purposeOf(testFilesOf([...files])), purpose);
    });
}

test('test files: the quick tier has every file that is not listed for test:all alone', () => {
    const left = allTestFiles().filter((file) => !quickTestFiles().includes(file));
    const { scripts } = JSON.parse(textOf('package.json'));
    assert.match(scripts['test:all'], / --all$/);
    const named = textOf('scripts/test-files.mjs').match(/'tests\/[\w/-]+\.test\.js'/g) ?? [];
    assert.deepEqual(
        named.map((name) => name.slice(1, -1)),
        left,
    );
    assert.equal(purposeOf(quickTestFiles()), 'test');
});

test('test files: a file whose waits have no limit shares no process with those that need limits', () => {
    const withLimits = quickTestFiles().filter((file) => groupOf(file) === 'tests/glue/*');
    assert.ok(withLimits.length > 10);
    const wrong = withLimits.filter((file) =>
        importsOf(textOf(file)).some((name) => /support\/endless|\/games\//.test(name)),
    );
    assert.deepEqual(wrong, []);
});

test('test files: a folder means all of its test files', () => {
    const files = allTestFiles().filter((file) => file.startsWith('tests/tools/'));
    assert.ok(files.includes('tests/tools/test-files.test.js'));
    assert.deepEqual(testFilesOf(['tests/tools']), files);
    assert.deepEqual(testFilesOf(['./tests/tools/']), files);
});

for (const [change, touched, others] of /** @type {const} */ ([
    ['js-glue/web-locks.js', 'tests/glue/web-locks.test.js', 'tests/glue/latch.test.js'],
    ['js-glue/waiting/queue.js', 'tests/glue/latch.test.js', 'tests/docs/servers.test.js'],
    [
        'tests/support/threads/holder.js',
        'tests/glue/mutex-absent-waiters.test.js',
        'tests/glue/latch.test.js',
    ],
    ['tests/browser/rings.js', 'tests/browser/threads.test.js', 'tests/browser/page.test.js'],
    ['c-src/gate.c', 'tests/verification/native-sanitized.test.js', 'tests/docs/demo-page.test.js'],
    ['docs/guide.md', 'tests/docs/readme.test.js', 'tests/glue/latch.test.js'],
])) {
    test(`test files: a change of ${change} affects ${touched}, and not ${others}`, () => {
        const tests = testsOfChange([change], allTestFiles());
        assert.ok(tests.includes(touched));
        assert.ok(tests.includes('tests/tools/house.test.js'));
        assert.ok(!tests.includes(others));
    });
}

/** @param {string} file */
function runWithoutCommands(file) {
    const emptyFolder = mkdtempSync(join(tmpdir(), 'holdfast-test-'));
    try {
        return spawnSync(process.execPath, [COMMAND, file], {
            env: { ...process.env, PATH: emptyFolder, NODE_TEST_CONTEXT: undefined },
            encoding: 'utf8',
            timeout: 60_000,
        });
    } finally {
        rmSync(emptyFolder, { recursive: true });
    }
}

test('npm test: for a file of tests/glue only the module is built', () => {
    const { status, stderr } = runWithoutCommands('tests/glue/latch.test.js');
    assert.equal(status, 1);
    assert.match(stderr, /^setup: missing on this machine: emcc, cmake, ninja\. [^\n]*\n$/);
});

for (const [name, advice] of /** @type {const} */ ([
    ['tests/latch.test.js', 'Did you mean tests/glue/latch.test.js?'],
    ['tests/glue/lock.test.js', 'tests/README.md lists them.'],
])) {
    test(`npm test: ${name} does not exist, and the error comes before any set-up`, () => {
        const { status, stdout, stderr } = runWithoutCommands(name);
        assert.deepEqual(
            { status, stdout, stderr },
            { status: 1, stdout: '', stderr: `test: there is no test file ${name}. ${advice}\n` },
        );
    });
}
