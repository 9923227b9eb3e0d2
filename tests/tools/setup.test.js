/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const SETUP = fileURLToPath(new URL('../../scripts/setup.mjs', import.meta.url));

/**
 * @param {string} purpose
 * @param {Record<string, string>} [changes] of the environment
 */
function runSetup(purpose, changes = {}) {
    return spawnSync(process.execPath, [SETUP, purpose], {
        env: { ...process.env, ...changes },
        encoding: 'utf8',
        timeout: 60_000,
    });
}

test('setup: prints nothing if nothing is missing', () => {
    const { status, stdout, stderr } = runSetup('start');
    assert.deepEqual({ status, stdout, stderr }, { status: 0, stdout: '', stderr: '' });
});

/** The time at which each file that programs load was written. */
function writtenAt() {
    const files = readdirSync(join(ROOT, 'dist')).map((name) => join('dist', name));
    return [...files, 'emscripten/holdfast-library.js'].map((file) => [
        file,
        statSync(join(ROOT, file), { bigint: true }).mtimeNs,
    ]);
}

test('setup: does not touch built files, since other processes may be reading them', () => {
    const before = writtenAt();
    assert.notEqual(before.length, 0);
    assert.equal(runSetup('build').status, 0);
    assert.deepEqual(writtenAt(), before);
});

test('setup: says once what to install if it cannot install system packages', (t) => {
    // Without any command on the path there is no apt-get, so nothing can be installed by this test.
    const emptyFolder = mkdtempSync(join(tmpdir(), 'holdfast-setup-'));
    t.after(() => rmSync(emptyFolder, { recursive: true }));
    const { status, stdout, stderr } = runSetup('start', { PATH: emptyFolder });
    assert.equal(status, 1);
    assert.equal(stdout, '');
    assert.match(stderr, /^setup: missing on this machine: emcc, cmake, ninja\. .*apt-get install [^\n]*\n$/);
});

test('setup: the demonstration needs fewer packages than the tests', (t) => {
    const emptyFolder = mkdtempSync(join(tmpdir(), 'holdfast-setup-'));
    t.after(() => rmSync(emptyFolder, { recursive: true }));
    assert.doesNotMatch(runSetup('start', { PATH: emptyFolder }).stderr, /chromium|clang/);
    assert.match(runSetup('test', { PATH: emptyFolder }).stderr, /chromium.*clang|clang.*chromium/);
});

test('setup: an unknown purpose is refused with a list of the known ones', () => {
    const { status, stderr } = runSetup('party');
    assert.equal(status, 1);
    assert.match(stderr, /usage: node scripts\/setup\.mjs build\|start\|bench\|verify\|test/);
});
