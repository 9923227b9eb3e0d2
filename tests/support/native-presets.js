/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { runQuietly } from '../../scripts/run-quietly.mjs';
import { ensureConfigured } from '../../scripts/setup.mjs';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** @param {string[]} commandLine */
export function run(commandLine) {
    const { ok, output } = runQuietly(commandLine, { cwd: ROOT });
    assert.ok(ok, `${commandLine.join(' ')} failed:\n${output}`);
}

/** @param {string[]} presets of CMakePresets.json */
export function testPresets(...presets) {
    for (const preset of presets) {
        test(`native: the tests in C and C++ pass with the preset ${preset}`, () => {
            ensureConfigured(preset);
            run(['cmake', '--build', '--preset', preset]);
            run(['ctest', '--preset', preset]);
        });
    }
}
