/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* The module of recursive mutexes' depths (c-src/recursive_exports.c), checked on the file as built: the
 * promises of the other modules, and why it may write plain words. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { DEPTHS_TEXT } from '../../js-glue/memory/depths-bytes.js';
import { bytesOf } from '../../js-glue/memory/text.js';
import { complaintsAbout, instructionsOf, sectionsOf } from '../support/module-gate.js';

const BUILD = fileURLToPath(new URL('../../build/wasm', import.meta.url));
const MODULE_FILE = join(BUILD, 'depths.wasm');
const LINKED_FILE = join(BUILD, 'linked-depths.wasm');

/** Today's size. */
const MOST_BYTES = 320;

const bytes = readFileSync(MODULE_FILE);

test('depths: the package ships the module as built', () => {
    assert.deepEqual(bytesOf(DEPTHS_TEXT), new Uint8Array(bytes));
    assert.ok(bytes.length <= MOST_BYTES, `${bytes.length} bytes`);
});

test('depths: the module adds only plain loads and stores to what module-gate accepts', () => {
    // The depth is plain: only its owner uses it.
    assert.deepEqual(complaintsAbout(MODULE_FILE), ['instruction: i32.load', 'instruction: i32.store']);
    const module = new WebAssembly.Module(bytes);
    assert.deepEqual(WebAssembly.Module.imports(module), [{ module: 'env', name: 'memory', kind: 'memory' }]);
    assert.deepEqual(
        WebAssembly.Module.exports(module)
            .map(({ name }) => name)
            .sort(),
        [
            'recursive_mutex_again',
            'recursive_mutex_begin',
            'recursive_mutex_depth',
            'recursive_mutex_surface',
        ],
    );
    assert.ok(!sectionsOf(LINKED_FILE).includes('Data'));
});

test('depths: no function waits or loops, and the word of the inner mutex is only read', () => {
    const instructions = instructionsOf(LINKED_FILE);
    assert.deepEqual(
        instructions.filter((name) =>
            /^(?:loop|global|call)|atomic\.(?:rmw|wait|notify|store|memory)/.test(name),
        ),
        [],
    );
    assert.ok(instructions.includes('i64.atomic.load'), 'the owner is read in one piece');
});
