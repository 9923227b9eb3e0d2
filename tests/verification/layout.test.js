/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { runQuietly } from '../../scripts/run-quietly.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

test('layout: the constants of the glue and of the models are the same as in the C sources', (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'holdfast-layout-'));
    t.after(() => rmSync(folder, { recursive: true }));

    const { ok, output } = runQuietly([process.execPath, join(ROOT, 'scripts/generate-layout.mjs'), folder]);

    assert.ok(ok, output);
    for (const file of ['js-glue/memory/layout.js', 'models/c/numbers.js']) {
        assert.equal(
            readFileSync(join(ROOT, file), 'utf8'),
            readFileSync(join(folder, file), 'utf8'),
            `${file} is out of date: run node scripts/generate-layout.mjs`,
        );
    }
});
