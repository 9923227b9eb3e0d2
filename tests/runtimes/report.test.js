/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Checks the report on the runtimes: a failure, or a test that did not run, must not look like a pass. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { runQuietly } from '../../scripts/run-quietly.mjs';
import { EXCEPTIONS } from './exceptions.js';
import { FetchError, fetchRuntime, isSupported, UNSUPPORTED } from './fetch.js';
import { readReport } from './junit.js';
import { failuresOf, rowsOf } from './results.js';
import { readCases } from './run-file.js';
import { RUNTIMES } from './runtimes.js';
import { NODE_ONLY, SUITE } from './suite.js';
import { tableOfFiles, tableOfTests } from './table.js';
import { judge } from './verdict.js';

const COMMAND = fileURLToPath(new URL('run.js', import.meta.url));
const DOCUMENT = new URL('../../docs/runtimes.md', import.meta.url);

/** @param {string} title @returns {import('./junit.js').Case} */
const passed = (title) => ({ title, outcome: 'passed', message: '' });
/** @param {string} title @param {string} message @returns {import('./junit.js').Case} */
const failed = (title, message) => ({ title, outcome: 'failed', message });

test('runtimes: a report of Node is read, whether or not it has suites', () => {
    const xml = `<?xml version="1.0" encoding="utf-8"?>
        <testsuites>
            <testcase name="a &gt; b &quot;c&quot;" time="0.1" classname="test"/>
            <testcase name="d" time="0.1" classname="test" failure="no">
                <failure type="testCodeFailure" message="no">
[Error: 1 !== 2]
                </failure>
            </testcase>
            <testsuite name="e"><testcase name="f" time="0.1" classname="test"><skipped/></testcase></testsuite>
        </testsuites>`;
    assert.deepEqual(readReport(xml), [
        passed('a > b "c"'),
        failed('d', '[Error: 1 !== 2]'),
        { title: 'f', outcome: 'skipped', message: '' },
    ]);
});

test('runtimes: a report of Bun or Deno is read, with a suite for each file', () => {
    const xml = `<testsuites name="bun test" tests="2" failures="1">
        <testsuite name="tests/a.test.js" tests="2">
            <testcase name="a" classname="" time="0.1" assertions="0" />
            <testcase name="b"><failure type="AssertionError" message="0 !== 1&#10;" /></testcase>
            <testcase name="c"><error>Uncaught</error></testcase>
        </testsuite></testsuites>`;
    assert.deepEqual(readReport(xml), [passed('a'), failed('b', '0 !== 1\n'), failed('c', 'Uncaught')]);
});

const exception = { name: 'x', runtime: 'bun', words: '', tests: /a/, fault: /0 !== 1/, elsewhere: /./ };

for (const [what, ran, known, verdict] of /** @type {const} */ ([
    ['a test that passes', passed('a'), undefined, { is: 'passed', words: '' }],
    ['a test that fails', failed('a', 'why'), undefined, { is: 'failed', words: 'why' }],
    ['a test that did not run', undefined, undefined, { is: 'failed', words: 'it did not run' }],
    ['an exception that did not run', undefined, exception, { is: 'failed', words: 'it did not run' }],
    [
        'a test that was skipped',
        { title: 'a', outcome: 'skipped', message: '' },
        undefined,
        { is: 'failed', words: 'it was skipped' },
    ],
    ['a known fault', failed('a', '0 !== 1'), exception, { is: 'excepted', words: 'x' }],
    ['another fault of the same test', failed('a', '0 !== 2'), exception, { is: 'failed', words: '0 !== 2' }],
    ['an exception that passes by chance', passed('a'), exception, { is: 'excepted', words: 'x' }],
])) {
    test(`runtimes: the verdict on ${what}: ${verdict.is}`, () => {
        assert.deepEqual(judge(ran, known), verdict);
    });
}

const TWO = RUNTIMES.slice(0, 2);

test('runtimes: a test that one runtime did not run is a failure in the table', () => {
    const [first] = TWO;
    const rows = rowsOf(TWO, ['f.js'], (runtime) =>
        runtime === first ? [passed('a'), passed('b|c')] : [passed('a')],
    );
    assert.deepEqual(failuresOf(rows, TWO), ['Node 22, f.js: b|c\nit did not run']);
    assert.equal(
        tableOfTests(rows, TWO),
        '### f.js\n\n| test | Node 20 | Node 22 |\n| --- | --- | --- |\n| a | ✓ | ✓ |\n| b\\|c | ✓ | **failed** |\n',
    );
    assert.match(tableOfFiles(rows, TWO), /^\| f\.js \| 2 ✓ \| 1 ✓, \*\*1 failed\*\* \|$/m);
    assert.match(tableOfFiles(rows.slice(0, 1), TWO), /^Alike in all runtimes:\n`f\.js` 1 ✓\.$/m);
});

test('runtimes: a file without a report of any run is a failure in all runtimes', () => {
    const rows = rowsOf(TWO, ['tests/none.test.js'], readCases);
    assert.deepEqual(
        failuresOf(rows, TWO).map((words) => words.replace(/: [^]*there is no /, ': ')),
        ['node-20', 'node-22'].map(
            (word, at) =>
                `${TWO[at]?.name}, tests/none.test.js: build/runtimes/reports/${word}-tests-none.test.js.json`,
        ),
    );
});

test('runtimes: two tests with the same title in a file are an error, since one would hide the other', () => {
    assert.throws(() => rowsOf(TWO, ['f.js'], () => [passed('a'), failed('a', '')]), /two tests.* title: a/);
});

test('runtimes: a failed fetch is reported, with the state of the network, and leaves nothing behind', (t) => {
    if (!isSupported) {
        t.skip(UNSUPPORTED);
        return;
    }
    const before = process.env['npm_config_registry'];
    const retries = process.env['npm_config_fetch_retries'];
    const cache = new URL('../../build/runtimes/', import.meta.url);
    const parts = () =>
        existsSync(cache) ? readdirSync(cache).filter((name) => /part-|none/.test(name)) : [];
    /** @type {any} */
    const runtime = { ...RUNTIMES[0], word: 'none' };
    try {
        // No server listens there.
        process.env['npm_config_registry'] = 'http://127.0.0.1:1/';
        process.env['npm_config_fetch_retries'] = '0';
        assert.throws(
            () => fetchRuntime(runtime),
            (error) => error instanceof FetchError && error.offline && /^Node 20 20\./.test(error.message),
        );
    } finally {
        restore('npm_config_registry', before);
        restore('npm_config_fetch_retries', retries);
    }
    assert.deepEqual(parts(), []);
});

for (const [words, offline] of /** @type {const} */ ([
    ['npm error code ETIMEDOUT\nnpm error network request to http://127.0.0.1/bun failed', true],
    ['npm error code ERR_SOCKET_TIMEOUT', true],
    ['npm error code ECONNREFUSED', true],
    ['npm error code ENETUNREACH', true],
    ['npm error network connect EHOSTUNREACH 192.0.2.1:443', true],
    ['npm error code EAI_AGAIN', true],
    ['npm error code ECONNRESET', true],
    ['npm: spawnSync npm ETIMEDOUT', true],
    ['npm error code ETARGET\nnpm error notarget No matching version', false],
    ['npm error code EINTEGRITY', false],
    ['npm error code E404', false],
])) {
    test(`runtimes: ${words.replace('\n', ', ')} is${offline ? '' : ' not'} taken for a missing network`, () => {
        const [runtime] = RUNTIMES;
        assert.ok(runtime);
        assert.equal(new FetchError(runtime, words).offline, offline);
    });
}

/* Makes a process believe that it runs on another machine. */
const ELSEWHERE = "Object.defineProperty(process, 'arch', { value: 'another' });";

for (const [file, title] of [
    ['smoke.test.js', 'in Bun two threads'],
    ['report.test.js', 'a failed fetch'],
]) {
    test(`runtimes: on another platform ${file} skips tests that need a binary, and says why`, () => {
        const { ok, output } = runQuietly(
            [
                process.execPath,
                ...['--import', `data:text/javascript,${encodeURIComponent(ELSEWHERE)}`],
                ...['--test-reporter=tap', `--test-name-pattern=${title}`],
                fileURLToPath(new URL(String(file), import.meta.url)),
            ],
            { env: { ...process.env, CI: 'true', NODE_TEST_CONTEXT: undefined } },
        );
        assert.ok(ok, output);
        assert.match(
            output,
            new RegExp(
                `^ok \\d+ - .*${title}.* # SKIP .* are for linux-x64, and this is linux-another$`,
                'm',
            ),
        );
    });
}

/** @param {string} name of an environment variable @param {string | undefined} value */
function restore(name, value) {
    if (value === undefined) {
        delete process.env[name];
    } else {
        process.env[name] = value;
    }
}

test('runtimes: each file in the folders of tests/ is in the suite, or listed as for Node alone', () => {
    const files = ['glue', 'verification', 'package', 'docs', 'tools'].flatMap((folder) =>
        readdirSync(new URL(`../${folder}/`, import.meta.url))
            .filter((name) => name.endsWith('.test.js'))
            .map((name) => `tests/${folder}/${name}`),
    );
    assert.deepEqual([...SUITE, ...NODE_ONLY.keys()].sort(), files.sort());
});

test('runtimes: every listed exception has a program that shows it', () => {
    assert.deepEqual(
        readdirSync(new URL('limits/', import.meta.url)).sort(),
        EXCEPTIONS.map(({ name }) => `${name}.js`).sort(),
    );
});

test('runtimes: the document has these versions, files and exceptions', () => {
    const text = readFileSync(DOCUMENT, 'utf8');
    assert.ok(text.includes(`| version | ${RUNTIMES.map(({ version }) => version).join(' | ')} |`));
    assert.deepEqual(
        Array.from(
            text.matchAll(/^\| (tests\/\S+) \||^`(tests\/\S+)` \d+ ✓/gm),
            ([, row, alike]) => row ?? alike,
        ).sort(),
        [...SUITE].sort(),
    );
    EXCEPTIONS.forEach(({ name, words }) =>
        assert.ok(text.includes(`### ${name}\n\n${words} Excepted tests:\n\n- `), name),
    );
    assert.doesNotMatch(text, /failed\*\*/);
});

for (const words of [
    ['--in', 'lynx'],
    ['tests/tools/house.test.js'],
    ['--write', '--in', 'bun'],
    ['--fast'],
]) {
    test(`runtimes: ${words.join(' ')} is refused, and the message lists the valid arguments`, () => {
        const { ok, output } = runQuietly([process.execPath, COMMAND, ...words]);
        assert.equal(ok, false);
        assert.match(output, /npm run test:runtimes -- /);
    });
}
