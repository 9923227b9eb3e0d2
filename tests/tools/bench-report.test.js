/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';

/* The figures here are invented. A real run writes the same shape (bench.test.js). */

const REPORT = fileURLToPath(new URL('../../benchmarks/report/report.mjs', import.meta.url));
const LIMIT_MS = 60_000;
const MOST_BYTES = 100_000;

const folder = mkdtempSync(join(tmpdir(), 'holdfast-report-'));
after(() => rmSync(folder, { recursive: true }));

const machine = {
    date: '2026-11-21T17:00:00.000Z',
    machine: 'Abacus 3000, x64',
    cores: 2,
    system: 'A system, Linux, 6',
    runtime: 'Node.js v20',
};
const options = { full: false, rounds: 3, seconds: 0.5 };

/** @param {string} panel */
function waits(panel) {
    const fractions = [0, 0.5, 0.9, 0.99, 0.999, 1];
    return ['holdfast', 'textbook'].map((contestant, index) => ({
        panel,
        contestant,
        points: fractions.map((fraction, point) => [fraction, 0.02 * 3 ** point * 50 ** index]),
    }));
}

const page = {
    name: 'page',
    title: 'waits',
    otherCores: 0.04,
    figures: [
        {
            what: '1 worker, 5 µs: wait, 99th percentile',
            unit: 'ms',
            value: 0.1834,
            spread: [0.17, 0.19],
            beside: { name: 'textbook', value: 4.899, spread: [4, 5] },
            ratio: 0.0371,
            bound: { of: 'value', most: 0.51 },
            missed: false,
        },
        {
            what: '2 workers, 1 ms: wait, 99th percentile',
            unit: 'ms',
            value: 8.25,
            beside: { name: 'textbook', value: 1180 },
            ratio: 0.007,
            bound: { of: 'value', most: 7.5, note: '4 of it for a shared core' },
            missed: true,
        },
        {
            what: '1 worker, 5 µs: wait, 99th percentile',
            unit: 'ms',
            value: 0.1834,
            beside: { name: 'Atomics.Mutex', cannot: 'V8 has no async form of it yet' },
            missed: false,
        },
    ],
    series: [...waits('1 worker, 5 µs'), ...waits('2 workers, 1 ms')],
};

/** A scenario for which the document has no table. */
const idle = {
    name: 'idle',
    title: 'sleepers',
    figures: [{ what: '1,000 sleepers: each', unit: 'µs', value: 1.185, missed: false }],
    series: [],
};

const threads = {
    name: 'threads',
    title: 'sections',
    otherCores: 0.5,
    figures: [
        {
            what: '4 threads, 5 µs: sections of all threads',
            unit: '/s',
            value: 186_908,
            beside: { name: 'three-state futex', value: 177_001 },
            ratio: null, // JSON writes NaN as null
            bound: { of: 'ratio', least: 0.9 },
            missed: true,
        },
        { what: '4 threads, 5 µs: for information', unit: '/s', value: 7, missed: false },
    ],
    series: [],
};

const browsers = {
    name: 'browsers',
    title: 'pages',
    otherCores: 0.1,
    figures: [{ what: 'Firefox 145.0, 2 workers, 50 µs: wait', unit: 'ms', value: 0.7, missed: false }],
    series: waits('Firefox, 2 workers, 50 µs'),
};

const sqlite = {
    name: 'sqlite',
    title: 'queries',
    figures: [{ what: 'Firefox: longest call', unit: 'ms', value: 4, missed: false }],
    series: waits('Firefox').map((one) => ({
        ...one,
        contestant: one.contestant === 'textbook' ? "SQLite's own mutexes" : one.contestant,
    })),
};

/** @param {object} content */
function writeRun(content) {
    const file = join(mkdtempSync(join(folder, 'run-')), 'run.json');
    writeFileSync(file, JSON.stringify(content));
    return file;
}

/** @param {object[]} scenarios */
function runOf(scenarios) {
    return writeRun({ machine, options, scenarios });
}

/** @param {string[]} words */
function report(...words) {
    const { status, stdout, stderr } = spawnSync(process.execPath, [REPORT, ...words], {
        encoding: 'utf8',
        timeout: LIMIT_MS,
    });
    return { code: status, output: stdout, errors: stderr };
}

/**
 * @param {string[]} files
 * @param {string} [out]
 * @param {string[]} words
 */
function reportOf(files, out = mkdtempSync(join(folder, 'docs-')), ...words) {
    const { code, output, errors } = report('--out', out, ...words, ...files);
    assert.equal(code, 0, errors);
    assert.equal(output + errors, '');
    const pictures = Object.fromEntries(
        readdirSync(join(out, 'figures')).map((name) => [
            name,
            readFileSync(join(out, 'figures', name), 'utf8'),
        ]),
    );
    return {
        out,
        document: readFileSync(join(out, 'benchmarks.md'), 'utf8'),
        pictures,
    };
}

/**
 * Checks that every start tag has its end tag, and that no text contains markup.
 *
 * @param {string} xml
 */
function assertWellFormed(xml) {
    /** @type {string[]} */
    const open = [];
    const text = xml.replace(
        /<(\/?)([\w:-]+)((?:\s+[\w:-]+="[^"<]*")*)\s*(\/?)>/g,
        (_, end, name, __, empty) => {
            if (end) {
                assert.equal(open.pop(), name);
            } else if (!empty) {
                open.push(name);
            }
            return '';
        },
    );
    assert.deepEqual(open, []);
    assert.doesNotMatch(text, /[<>]|&(?!(?:amp|lt|gt|quot|#\d+);)/);
}

const everything = reportOf([runOf([page, idle, threads, browsers, sqlite])]);

test('bench-report: the document shows only figures with a bound, or all if the scenario has none', () => {
    const { document } = everything;
    const [, ofPage = ''] = /^### The event loop's wait\n([^]*?)^###/m.exec(document) ?? [];
    const rows = [
        '| 1 worker, 5 µs: wait, 99th percentile | 0.183 ms (0.170–0.190) | textbook 4.899 ms (4.000–5.000) | 0.037 | ≤ 0.510 ms | met |',
        '| 2 workers, 1 ms: wait, 99th percentile | 8.250 ms | textbook 1,180 ms | 0.007 | ≤ 7.500 ms, 4 of it for a shared core | **MISSED** |',
    ];
    for (const row of rows) {
        assert.ok(ofPage.includes(`\n${row}\n`), row);
    }
    assert.equal(ofPage.match(/^\| [12] worker/gm)?.length, rows.length);
    assert.doesNotMatch(ofPage, /Atomics\.Mutex/);
    assert.match(document, /^\| 4 threads, 5 µs: sections of all threads \|/m);
    assert.doesNotMatch(document, /^\| .*for information|^\| 1,000 sleepers/m);
    assert.match(
        document,
        /^\| Firefox 145\.0, 2 workers, 50 µs: wait \|/m,
        'there all, since none has a bound',
    );
});

test('bench-report: missed bounds are listed, with the number of bounds met', () => {
    const { document } = everything;
    assert.match(document, /^1 of 3 bounds are met\. These are missed:$/m);
    assert.ok(
        document.includes(
            '\n| page | 2 workers, 1 ms: wait, 99th percentile | 8.250 ms | textbook 1,180 ms | ≤ 7.500 ms, 4 of it for a shared core |\n',
        ),
    );
});

test('bench-report: each table has the machine, the date and the load of its measurement', () => {
    const where = '2026-11-21; Abacus 3000, x64, 2 cores; A system, Linux, 6; Node.js v20; 3 rounds, 0.5 s';
    const lines = everything.document.split('\n').filter((line) => line.startsWith(`<sub>${where}`));
    assert.equal(lines.length, 3);
    assert.equal(lines.filter((line) => line.endsWith('; other programs used 0.04 cores</sub>')).length, 1);
});

test('bench-report: pictures are small well-formed SVG, with a title and the machine', () => {
    const names = {
        'waits.svg': ['1 worker, 5 µs', '2 workers, 1 ms', '>holdfast 0.54 ms<', '>textbook lock 27.0 ms<'],
        'waits-browsers.svg': ['Firefox, 2 workers, 50 µs', '>holdfast ', 'Firefox 145.0', '>textbook lock'],
        'sqlite.svg': ['Firefox', '>holdfast 0.54 ms<', ">SQLite's own mutexes 27.0 ms<"],
    };
    assert.deepEqual(Object.keys(everything.pictures).sort(), Object.keys(names).sort());
    for (const [name, words] of Object.entries(names)) {
        const picture = everything.pictures[name] ?? '';
        assert.match(picture, /^<svg [^>]*xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
        assertWellFormed(picture);
        assert.doesNotMatch(picture, /NaN|undefined|Infinity/, name);
        assert.ok(picture.length < MOST_BYTES, `${name} has ${picture.length} characters`);
        for (const word of [...words, 'Abacus 3000, x64', '2026-11-21']) {
            assert.ok(picture.includes(word), `${name}: ${word}`);
        }
        const line = /<path (?=[^>]*stroke="#0b57d0")[^>]*d="M[^"L]*(?:L[^"L]*){2,}"/;
        assert.match(picture, line, `${name}: the line of holdfast`);
        assert.ok(everything.document.includes(`](figures/${name})`));
    }
    assert.doesNotMatch(everything.pictures['waits-browsers.svg'] ?? '', /Node\.js/);
});

test('bench-report: the same figures give the same bytes', () => {
    const { document, pictures } = reportOf([runOf([page, idle, threads, browsers, sqlite])]);
    assert.equal(document, everything.document);
    assert.deepEqual(pictures, everything.pictures);
});

test('bench-report: a scenario without figures has the command to measure it', () => {
    const { document, pictures } = reportOf([runOf([page, idle])]);
    assert.deepEqual(Object.keys(pictures), ['waits.svg']);
    assert.doesNotMatch(document, /figures\/(?!waits\.svg)/);
    assert.match(document, /^Not in this report\. `npm run bench -- threads` measures it\.$/m);
    assert.doesNotMatch(document, /`npm run bench -- page` measures it/);
});

test('bench-report: of several files, the first one that has a scenario is shown for it', () => {
    const slow = { ...page, figures: [{ what: 'a long run', unit: 'ms', value: 1, missed: false }] };
    const later = writeRun({
        machine: { ...machine, machine: 'Slide rule' },
        options,
        scenarios: [slow, browsers],
    });
    const { document, pictures } = reportOf([runOf([page]), later]);
    assert.doesNotMatch(document, /a long run/);
    assert.match(document, /\| Firefox 145\.0, 2 workers, 50 µs: wait \|[^]*Slide rule/);
    assert.match(pictures['waits.svg'] ?? '', /Abacus/);
    assert.match(pictures['waits-browsers.svg'] ?? '', /Slide rule/);
});

test('bench-report: with --keep, sections of other scenarios stay, and their bounds count', () => {
    const { out, document } = reportOf([runOf([page, idle, threads, browsers, sqlite])]);
    assert.equal(reportOf([runOf([page])], out, '--keep').document, document);
    const [first, second] = page.figures;
    const better = { ...page, figures: [first, { ...second, missed: false, value: 7 }] };
    const { document: next, pictures } = reportOf([runOf([better])], out, '--keep');
    assert.match(next, /^2 of 3 bounds are met\. These are missed:$/m);
    assert.match(next, /^\| threads \| 4 threads, 5 µs: /m);
    assert.doesNotMatch(next, /^\| page \|/m);
    const without = (/** @type {string} */ text) =>
        text.split('\n').filter((line) => !/^\| (?:2 workers, 1 ms|page )|bounds are met/.test(line));
    assert.deepEqual(without(next), without(document));
    assert.equal(Object.keys(pictures).length, 3);
});

test('bench-report: an unreadable file ends the command with a message, and nothing is written', () => {
    const noJson = join(folder, 'no.json');
    writeFileSync(noJson, '{ "machine": ');
    const out = join(folder, 'nothing');
    for (const [words, reason] of /** @type {[string[], RegExp][]} */ ([
        [[noJson], /no\.json: .*JSON/],
        [[join(folder, 'missing.json')], /missing\.json.*; npm run bench -- --json/],
        [['--unknown'], /--unknown/],
    ])) {
        const { code, output, errors } = report('--out', out, ...words);
        assert.equal(code, 1, words.join(' '));
        assert.equal(output, '');
        assert.match(errors, /^bench:report: [^\n]+\n$/);
        assert.match(errors, reason);
    }
    assert.ok(!existsSync(out));
});
