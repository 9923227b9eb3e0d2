/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Checks the built module of channels (c-src/channel_exports.c) for the promises of the other modules. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { CHANNEL_TEXT } from '../../js-glue/memory/channel-bytes.js';
import { bytesOf } from '../../js-glue/memory/text.js';
import { complaintsAbout, instructionsOf, sectionsOf } from '../support/module-gate.js';

const BUILD = fileURLToPath(new URL('../../build/wasm', import.meta.url));
const MODULE_FILE = join(BUILD, 'channel.wasm');
const LINKED_FILE = join(BUILD, 'linked-channel.wasm');

const MOST_BYTES = 1200;

const bytes = readFileSync(MODULE_FILE);

test(`channel: the package ships the module as built, of at most ${MOST_BYTES} bytes`, () => {
    assert.deepEqual(bytesOf(CHANNEL_TEXT), new Uint8Array(bytes));
    assert.ok(bytes.length <= MOST_BYTES, `${bytes.length} bytes`);
});

test('channel: module-gate accepts the module: every access is atomic, and the module keeps no state', () => {
    assert.deepEqual(complaintsAbout(MODULE_FILE), []);
    const module = new WebAssembly.Module(bytes);
    assert.deepEqual(WebAssembly.Module.imports(module), [{ module: 'env', name: 'memory', kind: 'memory' }]);
    assert.deepEqual(
        WebAssembly.Module.exports(module)
            .map(({ name }) => name)
            .sort(),
        [
            'channel_begin',
            'channel_close',
            'channel_move_on',
            'channel_next',
            'channel_put',
            'channel_step',
            'channel_token',
            'channel_wait',
        ],
    );
    assert.ok(!sectionsOf(LINKED_FILE).includes('Data'));
    assert.ok(instructionsOf(LINKED_FILE).includes('memory.atomic.wait32'));
});
