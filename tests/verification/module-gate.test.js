/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* The gate that the built module has to pass (tests/verification/contract.test.js), tried on modules that break one clause each. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { MutantBuild } from '../../models/mutants/mutant-build.js';
import { runQuietly } from '../../scripts/run-quietly.mjs';
import { complaintsAbout } from '../support/module-gate.js';
import { ONLY_IN_ALL } from '../support/tier.js';

const MEMORY = '(import "env" "memory" (memory 1 65536 shared))';

/** @param {string} instruction that leaves the stack empty */
function mutexThat(instruction) {
    return `${MEMORY} (func (export "mutex_a") (param i32) ${instruction})`;
}

const GOOD = {
    'a mutex of 64 bits': mutexThat(
        '(drop (i64.atomic.rmw.cmpxchg (local.get 0) (i64.const 0) (i64.const 1)))',
    ),
    'a wait on half of a mutex': mutexThat(
        '(drop (memory.atomic.wait32 (local.get 0) (i32.const 0) (i64.const -1)))',
    ),
    'an allocator of 32 bits': `${MEMORY} (func (export "space_a") (i32.atomic.store (i32.const 16) (i32.const 1)))`,
};

/** @type {Record<string, [fields: string, ...complaints: string[]]>} */
const BAD = {
    'a plain load': [mutexThat('(drop (i64.load (local.get 0)))'), 'instruction: i64.load'],
    'a plain store': [mutexThat('(i32.store (local.get 0) (i32.const 1))'), 'instruction: i32.store'],
    'a plain load of a byte': [mutexThat('(drop (i32.load8_u (local.get 0)))'), 'instruction: i32.load8_u'],
    'a narrow atomic': [
        mutexThat('(drop (i64.atomic.load32_u (local.get 0)))'),
        'instruction: i64.atomic.load32_u',
    ],
    'an atomic of half a mutex': [
        mutexThat('(drop (i32.atomic.load (local.get 0)))'),
        'width: mutex_a uses i32.atomic.load',
    ],
    'an atomic of half a mutex in a function that it calls': [
        `${mutexThat('(call 1 (local.get 0))')} (func (param i32) (drop (i32.atomic.load (local.get 0))))`,
        'width: mutex_a uses i32.atomic.load',
    ],
    'an atomic of two words of the allocator': [
        `${MEMORY} (func (export "space_a") (drop (i64.atomic.load (i32.const 16))))`,
        'width: space_a uses i64.atomic.load',
    ],
    'a 64-bit wait': [
        mutexThat('(drop (memory.atomic.wait64 (local.get 0) (i64.const 0) (i64.const -1)))'),
        'instruction: memory.atomic.wait64',
    ],
    'a fence': [mutexThat('(atomic.fence)'), 'instruction: atomic.fence'],
    'memory.grow': [mutexThat('(drop (memory.grow (i32.const 1)))'), 'instruction: memory.grow'],
    'memory.fill': [
        mutexThat('(memory.fill (local.get 0) (i32.const 0) (i32.const 8))'),
        'instruction: memory.fill',
    ],
    unreachable: [mutexThat('(unreachable)'), 'instruction: unreachable'],
    'a float': [mutexThat('(drop (f64.convert_i32_u (local.get 0)))'), 'instruction: f64.convert_i32_u'],
    'a float as a parameter': [
        `${MEMORY} (func (export "mutex_a") (param f64) (drop (local.get 0)))`,
        'type: f64',
    ],
    'a float in a local': [mutexThat('(local f32) (drop (local.get 1))'), 'type: f32'],
    'a vector in a local': [mutexThat('(local v128) (drop (local.get 1))'), 'type: v128'],
    'an imported function': [
        `(import "env" "log" (func)) ${mutexThat('(call 0)')}`,
        'import: function env.log',
    ],
    'a memory of another name': [
        '(import "env" "heap" (memory 1 65536 shared)) (func (export "mutex_a"))',
        'import: memory env.heap',
        'import: the memory is not shared, or not of any size',
    ],
    'a memory that is not shared': [
        '(import "env" "memory" (memory 1 65536)) (func (export "mutex_a"))',
        'import: the memory is not shared, or not of any size',
    ],
    'a small memory': [
        '(import "env" "memory" (memory 1 2 shared)) (func (export "mutex_a"))',
        'import: the memory is not shared, or not of any size',
    ],
    'a memory of its own': ['(memory 1 65536 shared) (func (export "mutex_a"))', 'section: Memory'],
    'a data segment': [`${mutexThat('')} (data (i32.const 64) "x")`, 'section: Data'],
    'a start function': [`${mutexThat('')} (func $begin) (start $begin)`, 'section: Start'],
    'a table': [
        `${mutexThat('(call_indirect (type $none) (local.get 0))')} (type $none (func)) (table 1 funcref)`,
        'section: Table',
        'instruction: call_indirect',
    ],
    'a function in a table': [
        `${mutexThat('')} (func $a) (table 1 funcref) (elem (i32.const 0) $a)`,
        'section: Table',
        'section: Elem',
    ],
    'a global': [
        `${mutexThat('(global.set $stack (local.get 0))')} (global $stack (mut i32) (i32.const 0))`,
        'section: Global',
        'instruction: global.set',
    ],
    'an export that is no function': [
        `${mutexThat('')} (export "memory" (memory 0))`,
        'export: memory memory',
    ],
    'an export of an unknown name': [`${MEMORY} (func (export "malloc"))`, 'export: func malloc'],
};

/** @type {string} */
let folder;

before(() => {
    folder = mkdtempSync(join(tmpdir(), 'holdfast-gate-'));
});
after(() => rmSync(folder, { recursive: true }));

/** @param {string} fields of a module, as text */
function fileOf(fields) {
    const [text, file] = [join(folder, 'module.wat'), join(folder, 'module.wasm')];
    writeFileSync(text, `(module ${fields})`);
    const { ok, output } = runQuietly(['wat2wasm', '--enable-threads', text, '-o', file]);
    assert.ok(ok, output);
    return file;
}

for (const [what, fields] of Object.entries(GOOD)) {
    test(`module gate: ${what} is accepted`, () => {
        assert.deepEqual(complaintsAbout(fileOf(fields)), []);
    });
}

for (const [what, [fields, ...complaints]] of Object.entries(BAD)) {
    test(`module gate: ${what} is refused`, () => {
        assert.deepEqual(complaintsAbout(fileOf(fields)), complaints);
    });
}

test('module gate: a custom section of another name is refused', () => {
    const file = fileOf(mutexThat(''));
    const bytes = readFileSync(file);
    for (const [name, complaints] of /** @type {[string, string[]][]} */ ([
        ['v', []],
        ['w', ['section: Custom "w"']],
    ])) {
        writeFileSync(file, Buffer.concat([bytes, Buffer.from([0, 2, 1]), Buffer.from(name)]));
        assert.deepEqual(complaintsAbout(file), complaints);
    }
});

test('module gate: the C sources with one plain access are refused', ONLY_IN_ALL, () => {
    const file = 'c-src/include/holdfast/mutex.h';
    const source = readFileSync(fileURLToPath(new URL(`../../${file}`, import.meta.url)), 'utf8');
    const text = source.replace(/hf__load64_rlx\(&([^)]*)\)/, '$1');
    assert.notEqual(text, source);
    const build = new MutantBuild();
    try {
        const built = join(folder, 'plain.wasm');
        writeFileSync(built, build.bytesWith([{ file, text }]));
        assert.deepEqual(complaintsAbout(built), ['instruction: i64.load']);
    } finally {
        build.remove();
    }
});
