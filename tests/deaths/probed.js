/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { runNode } from '../support/child.js';

const PROGRAM = fileURLToPath(new URL('run.js', import.meta.url));
/** Ends a hang that the program's own watchdogs miss. */
const LIMIT_MS = 180_000;
const PROBES = 3000;

/** @param {string[]} words */
export const runDeaths = (...words) => runNode([PROGRAM, ...words], LIMIT_MS);

/** Defines the test of a place. @param {string} place */
export function testProbes(place) {
    test(`deaths: no living thread is declared dead, in ${place}`, async (t) => {
        const { code, stdout, stderr } = await runDeaths(
            ...['--in', place, '--deaths', '0', '--probes', `${PROBES}`],
        );
        stdout.split('\n').forEach((line) => t.diagnostic(line));
        assert.equal(code, 0, stderr);
        const [, looks = ''] = stdout.match(/\| \*\*all\*\* \| ([\d,]+) \|\n\| nobody/) ?? [];
        assert.ok(Number(looks.replaceAll(',', '')) >= PROBES, `${looks} looks`);
        assert.match(stdout, /\| called dead \| 0 \|/);
    });
}
