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

test('layout: the constants of the glue are the same as in the C headers', (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'holdfast-layout-'));
    t.after(() => rmSync(folder, { recursive: true }));
    const generated = join(folder, 'layout.js');

    const { ok, output } = runQuietly([
        process.execPath,
        join(ROOT, 'scripts/generate-layout.mjs'),
        generated,
    ]);

    assert.ok(ok, output);
    assert.equal(
        readFileSync(join(ROOT, 'js-glue/memory/layout.js'), 'utf8'),
        readFileSync(generated, 'utf8'),
        'js-glue/memory/layout.js is out of date: run node scripts/generate-layout.mjs',
    );
});
