/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { runNode } from '../support/child.js';
import { seedFor } from '../support/seed.js';

const PROGRAM = fileURLToPath(new URL('run.js', import.meta.url));
/** Ends a hang that the program's own watchdogs miss. */
const LIMIT_MS = 240_000;

/** @param {string[]} words */
export const runFuzzer = (...words) => runNode([PROGRAM, ...words], LIMIT_MS);

/**
 * Defines the test of a place.
 *
 * @param {'node' | 'chromium'} where
 * @param {number} count of programs
 */
export function testPrograms(where, count) {
    test(`fuzz: ${count} random programs keep all promises, in ${where}`, async (t) => {
        const words = [`--where=${where}`, `--count=${count}`, `--seed=${seedFor(t)}`];
        const { code, stdout, stderr } = await runFuzzer(...words, '--patience=30', '--shrink=20');
        stdout.split('\n').forEach((line) => t.diagnostic(line));
        assert.equal(code, 0, `${stdout}\n${stderr}`);
        assert.match(stdout, new RegExp(`${count} programs in .* none fails`));
    });
}
