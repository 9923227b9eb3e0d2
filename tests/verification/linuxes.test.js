/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* The C library with compilers for other Linuxes than the machine's. The setup does not install them: if a
 * compiler is missing, its test is skipped with a reason. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ROOT } from '../support/documents.js';

const FOLDER = join(ROOT, 'build', 'linuxes');
mkdirSync(FOLDER, { recursive: true });

/** @param {string} command @param {string[]} args */
function start(command, args) {
    return spawnSync(command, args, { cwd: ROOT, encoding: 'utf8', timeout: 120_000 });
}

/** @param {string[]} compiler @param {string} debianPackage */
function whyNot([command = '', ...options], debianPackage) {
    const source = join(FOLDER, 'empty.c');
    writeFileSync(source, '#include <stdio.h>\nint main(void) { return puts("") < 0; }\n');
    const { status } = start(command, [...options, '-pthread', source, '-o', join(FOLDER, 'empty')]);
    return status === 0
        ? false
        : `${command} ${options.join(' ')} is not there: apt install ${debianPackage}`;
}

/** @param {string} name @param {string[]} compiler @param {string[]} sources */
function compile(name, [command = '', ...options], sources) {
    const file = join(FOLDER, name);
    const flags = ['-O2', '-Wall', '-Wextra', '-Werror', '-pthread', '-Ic-src', '-Ic-src/include'];
    const { status, stderr } = start(command, [...options, ...flags, ...sources, '-o', file]);
    assert.equal(status, 0, stderr);
    return file;
}

for (const [name, compiler, debianPackage] of /** @type {[string, string[], string][]} */ ([
    ['32 bits', ['gcc', '-m32'], 'gcc-multilib'],
    [
        '32 bits with a time_t of 64',
        ['gcc', '-m32', '-D_TIME_BITS=64', '-D_FILE_OFFSET_BITS=64'],
        'gcc-multilib',
    ],
    ["musl, which has none of the kernel's headers", ['musl-gcc'], 'musl-tools'],
])) {
    test(`linuxes: a mutex keeps threads apart on ${name}`, { skip: whyNot(compiler, debianPackage) }, () => {
        const sources = ['-DHF_THREADS=8', 'tests/native/small_waits.c', 'c-src/holdfast.c'];
        const { stdout, stderr } = start(compile(name.replaceAll(/\W+/g, '-'), compiler, sources), []);
        assert.equal(stdout, '80000\n', stderr);
    });
}

test('linuxes: threads that lock for the first time during exit() cause no data race', () => {
    const file = compile(
        'first-locks',
        ['gcc', '-fsanitize=thread', '-g'],
        [...['-DHF_THREADS=8', 'tests/native/first_locks_at_exit.c', 'c-src/holdfast.c']],
    );
    for (let round = 0; round < 3; round += 1) {
        assert.doesNotMatch(start(file, []).stderr, /ThreadSanitizer: data race/);
    }
});
