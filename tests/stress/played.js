/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { runNode } from '../support/child.js';
import { seedFor } from '../support/seed.js';

const PROGRAM = fileURLToPath(new URL('run.js', import.meta.url));
/** Ends a hang that the program's own watchdogs miss. */
const LIMIT_MS = 180_000;

/** @param {string[]} words */
export const runStress = (...words) => runNode([PROGRAM, ...words], LIMIT_MS);

/**
 * Defines the test of a place.
 *
 * @param {'node' | 'chromium'} place
 * @param {number} minutes
 * @param {number} deaths
 */
export function testStress(place, minutes, deaths) {
    test(`stress: while threads die, give up or are busy, the others continue, in ${place}`, async (t) => {
        const often = ['--minutes', `${minutes}`, '--deaths', `${deaths}`];
        const words = ['--in', `${place}`, ...often, '--seed', `${seedFor(t)}`];
        const { code, stdout, stderr } = await runStress(...words);
        stdout.split('\n').forEach((line) => t.diagnostic(line));
        assert.equal(code, 0, stderr);
        const [, terminations, sections] = stdout.match(/ (\d+) terminations, .* (\d+) sections/) ?? [];
        assert.ok(Number(terminations) > 0, `${terminations} terminations`);
        assert.ok(Number(sections) > 0, `${sections} sections`);
        const [, holders, repairs] = stdout.match(/deaths of holders (\d+): .* repairs (\d+);/) ?? [];
        assert.ok(Number(holders) >= deaths, `${holders} deaths of holders`);
        assert.ok(Number(repairs) >= deaths, `${repairs} repairs`);
        assert.match(stdout, /: 0 timers, 0 listeners, 0 entries, 0 handles, 0 bytes/);
    });
}
