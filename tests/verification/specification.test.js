/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* The module as built against the specification of its calls (models/specification/gate-specification.js),
 * and mistakes that the comparison notices. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { C_MISTAKES } from '../../models/mutants/mistakes.js';
import { MutantBuild } from '../../models/mutants/mutant-build.js';
import { Specification } from '../../models/specification/specification-check.js';
import { MODULE_FILE } from '../../models/wasm/shipped-module.js';
import { isQuick, ONLY_IN_ALL } from '../support/tier.js';

/** `npm run test:all` compares every call. */
const specification = new Specification(isQuick ? 23 : 1);

/** @type {MutantBuild | undefined} */
let build;
after(() => build?.remove());

test('specification: each call of the module does what the specification says, alone and interleaved', (t) => {
    t.diagnostic(`${specification.size} calls`);
    assert.equal(specification.differenceIn(readFileSync(MODULE_FILE)), '');
});

for (const { name, edits } of C_MISTAKES.filter(({ checks: [check] }) => check === 'specification')) {
    test(`specification: this mutant is noticed: ${name}`, ONLY_IN_ALL, () => {
        build ??= new MutantBuild();
        assert.notEqual(specification.differenceIn(build.bytesWith(edits)), '');
    });
}
