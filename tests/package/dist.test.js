/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Programs load files that are built from the sources. Here the tests of the classes run with the built files. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import * as sources from '../../js-glue/index.js';
import { runQuietly } from '../../scripts/run-quietly.mjs';
import { ONLY_IN_ALL } from '../support/tier.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const DIST = new URL('../../dist/', import.meta.url);
const LIMIT_SECONDS = 540;

/** Test files that import only the entries: of the classes, of threads, of trace(). */
const FILES = [
    ...['mutex', 'mutex-threads', 'rwlock', 'semaphore', 'condition', 'event', 'latch', 'barrier', 'once'],
    ...['primitives-threads', 'process-lifetime', 'channel', 'keyed', 'recoverable', 'trace-harmless'],
];

/** Imports of a program started so, and of its children, resolve to the built entries. */
const ON_DIST = [process.execPath, '--import', './tests/support/on-dist.mjs'];

test('dist: in these tests an import of the sources resolves to the built files, in threads too', () => {
    const compare =
        "const [a, b] = await Promise.all([import('./js-glue/index.js'), import('./dist/index.js')]); console.log(a.Mutex === b.Mutex);";
    const inBoth = `import { Worker } from 'node:worker_threads';
        ${compare}
        new Worker(new URL(${JSON.stringify(`data:text/javascript,${encodeURIComponent(compare.replaceAll("'./", `'file://${ROOT}`))}`)}));`;
    const { output } = runQuietly([...ON_DIST, '--input-type=module', '--eval', inBoth], { cwd: ROOT });
    assert.equal(output, 'true\ntrue');
});

test('dist: the tests of the lock classes pass with the built files', ONLY_IN_ALL, () => {
    const files = FILES.map((name) => `tests/glue/${name}.test.js`);
    const { ok, output } = runQuietly([...ON_DIST, '--test', ...files], {
        cwd: ROOT,
        limitSeconds: LIMIT_SECONDS,
        env: { ...process.env, NODE_TEST_CONTEXT: undefined },
    });
    assert.ok(ok, output);
    assert.match(output, /^# pass [1-9]\d\d/m, 'few tests have run');
});

test('dist: the built files export the same names as the sources, and are a separate copy', async () => {
    const built = await import(new URL('../../dist/index.js', import.meta.url).href); // has types of its own
    assert.deepEqual(Object.keys(built), Object.keys(sources));
    assert.notEqual(built.Mutex, sources.Mutex);
    const names = Object.entries(built).filter(([, value]) => typeof value === 'function');
    assert.deepEqual(
        names.map(([, { name }]) => name),
        names.map(([key]) => (key === 'SharedEvent' ? 'Event' : key)),
    );
});

test('dist: an entry consists of two files, and the bundle of all entries has no others', () => {
    const files = readdirSync(DIST).filter((file) => /\.c?js$/.test(file));
    for (const file of files) {
        const text = readFileSync(new URL(file, DIST), 'utf8');
        const imports = text.matchAll(/(?<=\bfrom |\brequire\()"([^"]+)"/g);
        const [name, ending] = file.split('.');
        const others = ['shared', 'external'].includes(name ?? '') ? [] : [`./shared.${ending}`];
        assert.deepEqual([...new Set(Array.from(imports, ([, path]) => path))], others, file);
    }
    assert.ok(files.includes('index.cjs'));
});

test('dist: the built files have no comments', () => {
    const text = readFileSync(new URL('shared.js', DIST), 'utf8');
    assert.match(text, /class extends HoldfastError/);
    assert.deepEqual(text.match(/\/\*\*/g), null);
});

test('dist: debug() of the built files watches the classes that programs import', async () => {
    const [{ debug }, { Mutex }] = await Promise.all(
        ['debug.js', 'index.js'].map((file) => import(new URL(file, DIST).href)),
    );
    const stop = debug({ throw: true });
    const mutex = new Mutex();
    const section = mutex.execAsync(async () => {
        await mutex.execAsync(() => {});
    });
    await assert.rejects(section, { code: 'HF_DEADLOCK' });
    stop();
});

test('dist: holdfast/debug/on imports only the built holdfast/debug', () => {
    for (const ending of ['js', 'cjs']) {
        const text = readFileSync(new URL(`debug/on.${ending}`, DIST), 'utf8');
        const imports = Array.from(text.matchAll(/(?<=\bfrom |\brequire\()"([^"]+)"/g), ([, path]) => path);
        assert.deepEqual(imports, [`../debug.${ending}`]);
    }
});

test('dist: the source maps name existing sources', () => {
    const maps = readdirSync(DIST).filter((file) => /js\.map$/.test(file));
    assert.ok(maps.length > 3);
    for (const name of maps) {
        const map = new URL(name, DIST);
        const { sources: files } = JSON.parse(readFileSync(map, 'utf8'));
        assert.notEqual(files.length, 0);
        assert.deepEqual(
            files.filter((/** @type {string} */ file) => !existsSync(new URL(file, map))),
            [],
        );
    }
});
