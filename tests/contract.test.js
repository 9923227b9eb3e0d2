/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* What wasm/README.md promises of the module, asserted on the file as built. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { wasmHex } from '../js-glue/wasm-bytes.js';
import { runQuietly } from '../scripts/run-quietly.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const MODULE_FILE = join(ROOT, 'wasm/holdfast.wasm');
const LINKED_FILE = join(ROOT, 'build/wasm/linked.wasm');
const DEBUG_MODULE_FILE = join(ROOT, 'build/wasm-debug/holdfast.wasm');

const SIZE_LIMIT_BYTES = 6144;
const PAGE_BYTES = 65536;

const EXPORTS = [
    'mutex_give_up',
    'mutex_is_mine',
    'mutex_lock',
    'mutex_step',
    'mutex_try_after',
    'mutex_trylock',
    'mutex_unlock',
    'mutex_wait',
    'mutex_withdraw',
    'space_alloc',
    'space_free',
    'space_init',
    'space_join',
];

// What is not named here the module does not use: above all plain loads and stores, globals (the shadow
// stack's pointer is one), tables, memory.grow, bulk memory, floats, 64-bit waits, unreachable.
const ALLOWED_INSTRUCTIONS = [
    /^(block|loop|if|else|end|br|br_if|br_table|return|call|drop|select)$/,
    /^local\.(get|set|tee)$/,
    /^(i32|i64)\.(const|add|sub|mul|div_[su]|rem_[su]|and|or|xor|shl|shr_[su]|rotl|rotr|clz|ctz|popcnt)$/,
    /^(i32|i64)\.(eqz|eq|ne|lt_[su]|gt_[su]|le_[su]|ge_[su])$/,
    /^(i32\.wrap_i64|i64\.extend_i32_[su])$/,
    /^(i32|i64)\.atomic\.(load|store|rmw\.(add|sub|and|or|xor|xchg|cmpxchg))$/,
    /^memory\.atomic\.(wait32|notify)$/,
];

/**
 * @param {string} option
 * @param {string} file
 */
function objdump(option, file) {
    const { ok, output } = runQuietly(['wasm-objdump', option, file]);
    assert.ok(ok, output);
    return output;
}

/**
 * The instructions of a module, in their order.
 * @param {string} file
 */
function instructionsOf(file) {
    // A row reads " 0006ff: 28 02 00 | i32.load 2 0"; rows of locals have the same form.
    const rows = objdump('-d', file).matchAll(/^ [0-9a-f]+:[ 0-9a-f]*\| +(\S+)/gm);
    const names = Array.from(rows, (row) => row[1] ?? '');
    assert.ok(names.length > 100, 'the output of wasm-objdump is not as expected');
    return names.filter((name) => !name.startsWith('local['));
}

/** @param {string} file */
function sectionsOf(file) {
    return Array.from(objdump('-h', file).matchAll(/^ +(\w+) start=/gm), (row) => row[1]);
}

test('contract: the module is small', (t) => {
    const bytes = readFileSync(MODULE_FILE).length;
    t.diagnostic(`wasm/holdfast.wasm has ${bytes} bytes of at most ${SIZE_LIMIT_BYTES}`);
    assert.ok(bytes <= SIZE_LIMIT_BYTES);
});

test('contract: the default entry inlines this very module', () => {
    assert.ok(Buffer.from(wasmHex, 'hex').equals(readFileSync(MODULE_FILE)));
});

test('contract: the only import is a shared memory of any size', () => {
    const module = new WebAssembly.Module(readFileSync(MODULE_FILE));
    assert.deepEqual(WebAssembly.Module.imports(module), [{ module: 'env', name: 'memory', kind: 'memory' }]);
    assert.match(
        objdump('-x', MODULE_FILE),
        /^ - memory\[0\] pages: initial=1 max=65536 shared <- env\.memory$/m,
    );
});

test('contract: the exports are the functions of the ABI', () => {
    const module = new WebAssembly.Module(readFileSync(MODULE_FILE));
    const exports = WebAssembly.Module.exports(module);
    assert.deepEqual(exports.map(({ name }) => name).sort(), EXPORTS);
    assert.ok(exports.every(({ kind }) => kind === 'function'));
});

test('contract: there is no data, no start function, no table and no global', () => {
    assert.deepEqual(sectionsOf(MODULE_FILE), ['Type', 'Import', 'Function', 'Export', 'Code']);
});

test('contract: only the expected instructions are used, and memory is only accessed atomically', () => {
    const unexpected = instructionsOf(MODULE_FILE).filter(
        (name) => !ALLOWED_INSTRUCTIONS.some((allowed) => allowed.test(name)),
    );
    assert.deepEqual([...new Set(unexpected)], []);
});

test('contract: threads block and wake by the instructions of the engine', () => {
    const used = new Set(instructionsOf(MODULE_FILE));
    assert.ok(used.has('memory.atomic.wait32'));
    assert.ok(used.has('memory.atomic.notify'));
});

test('contract: a thread waits in a function of its own, with nothing on the stack below', () => {
    // The baseline compiler of V8 11.3 (Node 20) loses values that lie below memory.atomic.wait32.
    const instructions = instructionsOf(MODULE_FILE);
    const at = instructions.indexOf('memory.atomic.wait32');
    assert.equal(instructions.lastIndexOf('memory.atomic.wait32'), at);
    assert.deepEqual(instructions.slice(at - 4, at + 2), [
        'end', // of the function before
        ...['local.get', 'local.get', 'local.get', 'memory.atomic.wait32', 'end'],
    ]);
});

test('contract: an instance changes no byte of the memory until it is called', () => {
    const memory = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true });
    const bytes = new Uint8Array(memory.buffer);
    bytes.forEach((_, at) => (bytes[at] = at * 7));
    const before = bytes.slice();
    assert.equal(before.length, PAGE_BYTES);

    new WebAssembly.Instance(new WebAssembly.Module(readFileSync(MODULE_FILE)), { env: { memory } });

    assert.deepEqual(bytes.slice(), before);
});

/** @param {string} file */
function assertStackless(file) {
    assert.ok(!sectionsOf(file).includes('Data'));
    assert.deepEqual(
        instructionsOf(file).filter((name) => name.startsWith('global.')),
        [],
    );
}

test('contract: no function uses a stack', () => {
    // Before wasm-opt, which turns a stack pointer that is only read into a constant.
    assertStackless(LINKED_FILE);
});

test('contract: no function of the debug build uses a stack either', () => {
    for (const step of [['--preset'], ['--build', '--preset']]) {
        const { ok, output } = runQuietly(['cmake', ...step, 'wasm-debug'], { cwd: ROOT });
        assert.ok(ok, output);
    }
    assertStackless(DEBUG_MODULE_FILE);
});
