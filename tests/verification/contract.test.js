/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* The promises of wasm/README.md, checked on the module as built. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { decode } from '../../models/wasm/decoder.js';
import { runQuietly } from '../../scripts/run-quietly.mjs';
import { complaintsAbout, instructionsOf, sectionsOf } from '../support/module-gate.js';
import { ONLY_IN_ALL } from '../support/tier.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const MODULE_FILE = join(ROOT, 'wasm/holdfast.wasm');
const LINKED_FILE = join(ROOT, 'build/wasm/linked.wasm');
const DEBUG_MODULE_FILE = join(ROOT, 'build/wasm-debug/holdfast.wasm');

const SIZE_LIMIT_BYTES = 10_240;
const PAGE_BYTES = 65536;

const EXPORTS = [
    'agent_arms',
    'agent_credit',
    'agent_leave',
    'agents_join',
    'agents_slot',
    'barrier_arrive',
    'barrier_init',
    'barrier_step',
    'barrier_wait',
    'condition_begin',
    'condition_notify',
    'condition_pass_on',
    'condition_step',
    'condition_wait',
    'event_begin',
    'event_init',
    'event_is_set',
    'event_reset',
    'event_resets_itself',
    'event_set',
    'event_step',
    'event_wait',
    'gate_abandon',
    'gate_step',
    'gate_try_after',
    'gate_wait',
    'gate_withdraw',
    'latch_count',
    'latch_count_down',
    'latch_init',
    'latch_step',
    'latch_wait',
    'mutex_lock_for_a_time',
    'mutex_trylock',
    'mutex_unlock',
    'once_is_done',
    'once_set_done',
    'owned_is_by',
    'owned_take_over',
    'owner_probe',
    'rwlock_downgrade',
    'rwlock_note_upgradable',
    'rwlock_probe_reader',
    'rwlock_try_upgrade',
    'rwlock_unlock',
    'rwlock_upgrade_step',
    'rwlock_upgrade_wait',
    'semaphore_init',
    'semaphore_leave',
    'semaphore_max',
    'semaphore_value',
    'space_alloc',
    'space_begin',
    'space_free',
    'space_init',
];

test('contract: the module has at most 10,240 bytes', (t) => {
    const bytes = readFileSync(MODULE_FILE).length;
    t.diagnostic(`wasm/holdfast.wasm has ${bytes} bytes of at most ${SIZE_LIMIT_BYTES}`);
    assert.ok(bytes <= SIZE_LIMIT_BYTES);
});

test("contract: module-gate accepts the module's imports, sections, types, instructions and widths", () => {
    assert.deepEqual(complaintsAbout(MODULE_FILE), []);
});

test('contract: the only import is the memory', () => {
    const module = new WebAssembly.Module(readFileSync(MODULE_FILE));
    assert.deepEqual(WebAssembly.Module.imports(module), [{ module: 'env', name: 'memory', kind: 'memory' }]);
});

test("contract: the models' decoder and module-gate.js read the same instructions", () => {
    // Two independent readers of the format check each other.
    const decoded = decode(readFileSync(MODULE_FILE)).functions.flatMap(({ instructions }) => instructions);
    const names = decoded.map(({ name }) => name);
    assert.ok(names.length > 100);
    assert.deepEqual(instructionsOf(MODULE_FILE), names);
});

test('contract: the exports are the functions of the ABI', () => {
    const module = new WebAssembly.Module(readFileSync(MODULE_FILE));
    const exports = WebAssembly.Module.exports(module);
    assert.deepEqual(exports.map(({ name }) => name).sort(), EXPORTS);
    assert.ok(exports.every(({ kind }) => kind === 'function'));
});

test('contract: the last section of the module has a checksum of the other bytes', () => {
    const bytes = readFileSync(MODULE_FILE);
    const sections = WebAssembly.Module.customSections(new WebAssembly.Module(bytes), 'v');
    assert.equal(sections.length, 1);
    const mark = Buffer.from(/** @type {ArrayBuffer} */ (sections[0]));
    assert.deepEqual(bytes.subarray(-8), Buffer.concat([Buffer.from([0, 6, 1, 0x76]), mark]));
    let checksum = 0;
    for (const byte of bytes.subarray(0, -8)) {
        checksum = (Math.imul(checksum, 31) + byte) | 0;
    }
    assert.equal(mark.readInt32LE(), checksum);
});

test('contract: threads block and wake by the wait and notify instructions of the engine', () => {
    const used = new Set(instructionsOf(MODULE_FILE));
    assert.ok(used.has('memory.atomic.wait32'));
    assert.ok(used.has('memory.atomic.notify'));
});

test('contract: a thread waits in a function of its own, and its callers have an empty operand stack', () => {
    // The baseline compiler of V8 11.3 (Node 20) loses values that lie below memory.atomic.wait32.
    const instructions = instructionsOf(MODULE_FILE);
    const at = instructions.indexOf('memory.atomic.wait32');
    assert.equal(instructions.lastIndexOf('memory.atomic.wait32'), at);
    assert.deepEqual(instructions.slice(at - 4, at + 2), [
        'end', // the end of the previous function
        ...['local.get', 'local.get', 'local.get', 'memory.atomic.wait32', 'end'],
    ]);
});

test('contract: instantiating the module changes no byte of the memory', () => {
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

test('contract: no function uses the shadow stack', () => {
    // Checks the file before wasm-opt, which replaces a stack pointer that is only read by a constant.
    assertStackless(LINKED_FILE);
});

test('contract: no function of the debug build uses the shadow stack', ONLY_IN_ALL, () => {
    for (const step of [['--preset'], ['--build', '--preset']]) {
        const { ok, output } = runQuietly(['cmake', ...step, 'wasm-debug'], { cwd: ROOT });
        assert.ok(ok, output);
    }
    assertStackless(DEBUG_MODULE_FILE);
});
