/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Several test files install or build the same things at first: one process does it, and the others do not
 * touch the result while it is read. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
    existsSync,
    mkdtempSync,
    readdirSync,
    readFileSync,
    rmSync,
    statSync,
    utimesSync,
    writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { oneAtATime } from '../../scripts/one-at-a-time.mjs';
import { writeChanged, writeFolder } from '../../scripts/write-changed.mjs';
import { ROOT } from '../support/documents.js';
import { within } from '../support/watchdog.js';

const PROCESSES = 4;
const ROUNDS = 20;
/** Ends processes that never get the lock. */
const LIMIT_MS = 60_000;

/** @param {import('node:test').TestContext} t */
function newFolder(t) {
    const folder = mkdtempSync(join(tmpdir(), 'holdfast-one-'));
    t.after(() => rmSync(folder, { recursive: true }));
    return folder;
}

/**
 * Adds 1 to the number in a file, again and again: updates are lost if two processes do it at once.
 *
 * @param {string} folder
 * @param {'inherit' | 'pipe'} [stderr]
 */
function startCounting(folder, stderr = 'inherit') {
    const [lock, file] = ['lock', 'number'].map((name) => JSON.stringify(join(folder, name)));
    const program = `
        import { readFileSync, writeFileSync } from 'node:fs';
        import { oneAtATime } from '${pathToFileURL(join(ROOT, 'scripts', 'one-at-a-time.mjs'))}';
        for (let round = 0; round < ${ROUNDS}; round += 1) {
            oneAtATime(${lock}, () => writeFileSync(${file}, String(Number(readFileSync(${file})) + 1)));
        }`;
    const words = ['--input-type=module', '--eval', program];
    return spawn(process.execPath, words, { stdio: ['inherit', 'inherit', stderr], timeout: LIMIT_MS });
}

test('one at a time: processes that share a lock run one after the other', async (t) => {
    const folder = newFolder(t);
    writeFileSync(join(folder, 'number'), '0');
    const children = Array.from({ length: PROCESSES }, () => startCounting(folder));
    const ends = await Promise.all(children.map((child) => once(child, 'close')));
    assert.deepEqual(
        ends,
        children.map(() => [0, null]),
    );
    assert.equal(readFileSync(join(folder, 'number'), 'utf8'), String(PROCESSES * ROUNDS));
    assert.equal(existsSync(join(folder, 'lock')), false);
});

test('one at a time: a stale lock blocks nobody', async (t) => {
    const lock = join(newFolder(t), 'lock');
    const child = spawn(process.execPath, ['--eval', '']);
    await once(child, 'close');
    const longAgo = new Date(Date.now() - 11 * 60_000);
    const leave = {
        'by a process that was killed': () => writeFileSync(lock, String(child.pid)),
        'by one that had the number of this one': () => writeFileSync(lock, String(process.pid)),
        'long ago, with the number of one that is there': () => {
            writeFileSync(lock, String(process.ppid));
            utimesSync(lock, longAgo, longAgo);
        },
        'before it had a number': () => {
            writeFileSync(lock, '');
            utimesSync(lock, longAgo, longAgo);
        },
    };
    for (const [how, leaveIt] of Object.entries(leave)) {
        leaveIt();
        assert.equal(
            oneAtATime(lock, () => readFileSync(lock, 'utf8')),
            String(process.pid),
            how,
        );
        assert.deepEqual(readdirSync(dirname(lock)), [], how);
    }
});

test('one at a time: processes that find the same stale lock run one after the other', async (t) => {
    const folder = newFolder(t);
    writeFileSync(join(folder, 'number'), '0');
    const ended = spawn(process.execPath, ['--eval', '']);
    await once(ended, 'close');
    writeFileSync(join(folder, 'lock'), String(ended.pid));
    const children = Array.from({ length: PROCESSES }, () => startCounting(folder));
    await Promise.all(children.map((child) => once(child, 'close')));
    assert.equal(readFileSync(join(folder, 'number'), 'utf8'), String(PROCESSES * ROUNDS));
});

test('one at a time: a process that waits for long names the holder', async (t) => {
    const folder = newFolder(t);
    writeFileSync(join(folder, 'number'), '0');
    writeFileSync(join(folder, 'lock'), String(process.pid));
    const child = startCounting(folder, 'pipe');
    assert.ok(child.stderr);
    const [said] = await within(once(child.stderr, 'data'), 'says what it waits for', [], LIMIT_MS);
    assert.match(String(said), new RegExp(`^waiting for process ${process.pid}, .*delete ${folder}/lock`));
    rmSync(join(folder, 'lock'));
    assert.deepEqual(await once(child, 'close'), [0, null]);
});

test('one at a time: a task that throws releases the lock', (t) => {
    const lock = join(newFolder(t), 'lock');
    assert.throws(() => oneAtATime(lock, () => assert.fail('on purpose')), /on purpose/);
    assert.equal(existsSync(lock), false);
});

test('built files: an unchanged file is not written, and a changed one is replaced as a whole', (t) => {
    const file = join(newFolder(t), 'deep', 'file');
    writeChanged(file, 'one');
    const first = statSync(file, { bigint: true });
    writeChanged(file, 'one');
    assert.equal(statSync(file, { bigint: true }).mtimeNs, first.mtimeNs);
    writeChanged(file, 'two');
    assert.notEqual(
        statSync(file, { bigint: true }).ino,
        first.ino,
        'who reads the old one reads it to its end',
    );
    assert.equal(readFileSync(file, 'utf8'), 'two');
});

test('built files: files that are no longer built are removed', (t) => {
    const folder = newFolder(t);
    writeFileSync(join(folder, 'former'), '');
    writeFolder(folder, new Map([['file', 'one']]));
    assert.equal(existsSync(join(folder, 'former')), false);
    assert.equal(readFileSync(join(folder, 'file'), 'utf8'), 'one');
});
