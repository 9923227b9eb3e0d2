/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* The default entry imports the module in three parts. The whole module is verified, so each function of a
 * part must equal the module's, instruction by instruction. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { CORE_TEXT } from '../../js-glue/memory/core-bytes.js';
import { FAMILY_TEXT } from '../../js-glue/memory/family-bytes.js';
import { FREEING_TEXT } from '../../js-glue/memory/freeing-bytes.js';
import { bytesOf } from '../../js-glue/memory/text.js';
import { decode, SECTION } from '../../models/wasm/decoder.js';
import { MODULE_FILE } from '../../models/wasm/shipped-module.js';

/** @typedef {import('../../models/wasm/decoder.js').Module} Module */

const WHOLE = decode(new Uint8Array(readFileSync(MODULE_FILE)));
const PARTS = [CORE_TEXT, FREEING_TEXT, FAMILY_TEXT].map((text) => decode(bytesOf(text)));

/**
 * A function and all that it calls, as text that does not depend on their positions in the module.
 *
 * @param {Module} module
 * @param {number} at
 * @returns {unknown}
 */
function written(module, at) {
    const code = module.functions[at];
    assert.ok(code);
    const { parameters, results, declarations, instructions } = code;
    return [
        parameters,
        results,
        [...declarations],
        instructions.map(({ name, index, bytes }) =>
            name === 'call' ? written(module, index) : [name, ...bytes],
        ),
    ];
}

test('module: each export is in exactly one of the parts', () => {
    assert.deepEqual(
        PARTS.flatMap(({ exports }) => [...exports.keys()]).sort(),
        [...WHOLE.exports.keys()].sort(),
    );
});

test('module: each part has the imports of the module, and no further section', () => {
    for (const { sections } of PARTS) {
        assert.deepEqual(sections.get(SECTION.IMPORT), WHOLE.sections.get(SECTION.IMPORT));
        assert.deepEqual([...sections.keys(), SECTION.CUSTOM], [...WHOLE.sections.keys()]);
    }
});

test('module: each function of a part, with all its callees, is the same as in the module', () => {
    for (const part of PARTS) {
        for (const [name, at] of part.exports) {
            assert.deepEqual(written(part, at), written(WHOLE, WHOLE.exports.get(name) ?? -1), name);
        }
    }
});
