/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* The module of gates with holds (c-src/holds.h), checked on the file as built: the promises of the main
 * module, and the assumption behind its records. The note of an upgradable reader in the main module has the
 * same assumption. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { HOLDS_TEXT } from '../../js-glue/memory/holds-bytes.js';
import { bytesOf } from '../../js-glue/memory/text.js';
import { decode } from '../../models/wasm/decoder.js';
import { complaintsAbout, instructionsOf, sectionsOf } from '../support/module-gate.js';

const BUILD = fileURLToPath(new URL('../../build/wasm', import.meta.url));
const MODULE_FILE = join(BUILD, 'holds.wasm');
const LINKED_FILE = join(BUILD, 'linked-holds.wasm');

const bytes = readFileSync(MODULE_FILE);

test('holds: the package ships the module as built', () => {
    assert.deepEqual(bytesOf(HOLDS_TEXT), new Uint8Array(bytes));
});

test('holds: module-gate accepts the module, its import and its exports', () => {
    assert.deepEqual(complaintsAbout(MODULE_FILE), []);
    const module = new WebAssembly.Module(bytes);
    assert.deepEqual(WebAssembly.Module.imports(module), [{ module: 'env', name: 'memory', kind: 'memory' }]);
    assert.deepEqual(
        WebAssembly.Module.exports(module)
            .map(({ name }) => name)
            .sort(),
        [
            ...['gate_step', 'gate_try_after', 'gate_wait'],
            ...['holds_downgrade', 'holds_join', 'holds_leave', 'holds_look', 'holds_of'],
        ],
    );
    assert.ok(!sectionsOf(LINKED_FILE).includes('Data'));
    assert.deepEqual(
        instructionsOf(LINKED_FILE).filter((name) => name.startsWith('global.')),
        [],
    );
});

/**
 * Instructions at which an engine may end a thread: it checks for a termination there, or the instruction
 * waits or may run out of stack.
 */
const MAY_END = /^(?:call|loop|memory\.atomic\.)/;
const CHANGES = 'i64.atomic.rmw.cmpxchg';

/** The largest number of changes in a pass or a leave: one of the gate, two of a record. */
const CHANGES_OF_BOTH = 3;

test('holds: a thread cannot be terminated between the change of a record and the change of the lock word', () => {
    const lengths = decode(bytes).functions.flatMap(({ instructions }) => {
        const runs = [0];
        for (const { name } of instructions) {
            if (MAY_END.test(name)) {
                runs.push(0);
            } else if (name === CHANGES) {
                runs.push(Number(runs.pop()) + 1);
            }
        }
        return runs.filter((length) => length > 0);
    });
    const ofBoth = lengths.filter((length) => length === CHANGES_OF_BOTH);
    assert.equal(ofBoth.length, 6, 'two ways to pass, a downgrade, and three to give back');
    assert.deepEqual(new Set(lengths), new Set([CHANGES_OF_BOTH, 1]), lengths.join(' '));
});

const NOTE_CHANGES = 'i32.atomic.rmw.cmpxchg';
const NOTE_IS_WRITTEN = 'i32.atomic.store';

test('rwlock: a thread cannot be terminated between the change of `own` and the change of the lock word', () => {
    const file = fileURLToPath(new URL('../../wasm/holdfast.wasm', import.meta.url));
    const runs = decode(readFileSync(file)).functions.flatMap(({ instructions }) =>
        instructions
            .map(({ name }) => (MAY_END.test(name) ? '|' : name))
            .filter((name) => ['|', CHANGES, NOTE_CHANGES, NOTE_IS_WRITTEN].includes(name))
            .join(' ')
            .split('|')
            .map((run) => run.trim()),
    );
    const count = (/** @type {string[]} */ ...names) => runs.filter((run) => run === names.join(' ')).length;
    assert.equal(count(NOTE_CHANGES, CHANGES, NOTE_IS_WRITTEN), 1, 'it leaves, or fails and notes it again');
    assert.equal(count(CHANGES, NOTE_IS_WRITTEN), 1, 'it becomes the writer');
});
