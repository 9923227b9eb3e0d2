/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* The module of gates with holds (c-src/holds.h), asserted on the file as built: what is promised of the other one, and what
 * its records rest on. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { HOLDS_TEXT } from '../../js-glue/memory/holds-bytes.js';
import { bytesOf } from '../../js-glue/memory/module.js';
import { decode } from '../../models/wasm/decoder.js';
import { complaintsAbout, instructionsOf, sectionsOf } from '../support/module-gate.js';

const BUILD = fileURLToPath(new URL('../../build/wasm', import.meta.url));
const MODULE_FILE = join(BUILD, 'holds.wasm');
const LINKED_FILE = join(BUILD, 'linked-holds.wasm');

const bytes = readFileSync(MODULE_FILE);

test('holds: the package has the module as built', () => {
    assert.deepEqual(bytesOf(HOLDS_TEXT), new Uint8Array(bytes));
});

test('holds: the module keeps the contract of the other one', () => {
    assert.deepEqual(complaintsAbout(MODULE_FILE), []);
    const module = new WebAssembly.Module(bytes);
    assert.deepEqual(WebAssembly.Module.imports(module), [{ module: 'env', name: 'memory', kind: 'memory' }]);
    assert.deepEqual(
        WebAssembly.Module.exports(module)
            .map(({ name }) => name)
            .sort(),
        ['gate_step', 'gate_try_after', 'gate_wait', 'holds_join', 'holds_leave', 'holds_look'],
    );
    assert.ok(!sectionsOf(LINKED_FILE).includes('Data'));
    assert.deepEqual(
        instructionsOf(LINKED_FILE).filter((name) => name.startsWith('global.')),
        [],
    );
});

/** Where engines look whether the thread is to end, and what may wait. */
const MAY_END = /^(?:call|loop|memory\.atomic\.)/;
const CHANGES_GATE = 'i64.atomic.rmw.cmpxchg';
const CHANGES_RECORD = 'i64.atomic.store';

test('holds: between the change of a record and that of its gate no engine ends a thread', () => {
    let changes = 0;
    for (const { instructions } of decode(bytes).functions) {
        const names = instructions.map(({ name }) => name);
        names.forEach((name, at) => {
            if (name === CHANGES_RECORD) {
                const before = names.slice(names.lastIndexOf(CHANGES_GATE, at) + 1, at);
                const after = names.slice(at, names.indexOf(CHANGES_GATE, at));
                const isBehind = names.lastIndexOf(CHANGES_GATE, at) !== -1 && !before.some(mayEnd);
                const isAhead = names.indexOf(CHANGES_GATE, at) !== -1 && !after.some(mayEnd);
                assert.ok(isBehind || isAhead, `${before.join(' ')} | ${after.join(' ')}`);
                changes += 1;
            }
        });
    }
    assert.ok(changes >= 4, 'two ways to pass, and a leave that fails or not');
});

/** @param {string} name of an instruction */
function mayEnd(name) {
    return MAY_END.test(name);
}
