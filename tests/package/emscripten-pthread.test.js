/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* pthread's locks of a program, on holdfast by the linker's --wrap, in Node. Natively: tests/native/; on pages:
 * tests/browser/pthread.test.js. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { textOf } from '../support/documents.js';
import { ROOT, run } from '../support/emscripten-build.js';
import { assertAllHeld, compile, FAMILIES, wrapped } from '../support/pthread-program.js';
import { isQuick, ONLY_IN_ALL } from '../support/tier.js';

/** @param {string} file */
const outputOf = (file) => run(process.execPath, ['--no-experimental-fetch', file]);

const MEMORY = `-sINITIAL_MEMORY=${2 ** 26}`;
const AS_A_THREAD = [
    '-sPROXY_TO_PTHREAD',
    '-sPTHREAD_POOL_SIZE=8',
    '-sEXIT_RUNTIME',
    '-sENVIRONMENT=node,worker',
];
const GROWTH = ['-sALLOW_MEMORY_GROWTH', '-Wno-pthreads-mem-growth', MEMORY];
const TABLE = ['-DHAS_TABLE', '-DHF_THREADS=32', 'tests/pthread/cancellation.c', 'tests/pthread/robust.c'];

/** @type {[string, string, string[]]} */
const WITH_MOST = ['-O2, growth and a table of threads', '-O2', [...GROWTH, ...TABLE]];

/** @type {[string, string, string[]][]} */
const BUILDS = [['-O0', '-O0', [MEMORY]], ['-O2', '-O2', [MEMORY]], WITH_MOST];

for (const [title, level, options] of isQuick ? [WITH_MOST] : BUILDS) {
    test(`pthread: each family of calls is wrapped, and behaves as POSIX says, by ${title}`, () => {
        const c = ['main', 'checks', ...FAMILIES.filter((name) => name !== 'cxx')];
        const name = `all${title.replaceAll(/\W+/g, '-')}`;
        const file = compile(name, {
            c,
            cxx: 'cxx',
            level,
            options: [...options, ...AS_A_THREAD, ...wrapped([level, ...options])],
        });
        const output = outputOf(file);
        assertAllHeld(output, 200);
        assert.equal(/^robust$/m.test(output), options.includes('-DHAS_TABLE'), output);
    });
}

test('pthread: the main thread serves calls of other threads while it waits', ONLY_IN_ALL, () => {
    const own = ['-sPTHREAD_POOL_SIZE=2', '-sEXIT_RUNTIME', '-sENVIRONMENT=node,worker'];
    const options = [...own, ...wrapped(['-O2'])];
    const file = compile('main-thread', { c: ['checks'], cxx: 'page', level: '-O2', options });
    assertAllHeld(outputOf(file), 30);
});

test('pthread: the linker flags wrap each function for which there is a wrapper', () => {
    const folder = 'c-src/pthread';
    const names = new Set();
    for (const file of readdirSync(join(ROOT, folder)).filter((name) => /\.[ch]$/.test(name))) {
        for (const [, name] of textOf(`${folder}/${file}`).matchAll(/\b__wrap_(\w+)\(/g)) {
            names.add(name);
        }
    }
    const options = [...names].sort().map((name) => `-Wl,--wrap=${name}`);
    assert.deepEqual(textOf(`${folder}/wraps.rsp`).trim().split('\n').sort(), options);
});
