/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { waitPoints } from '../../benchmarks/wait-points.js';

test('wait points: each point is a fraction of the requests, and the time within which they were granted', () => {
    const waits = Array.from({ length: 1000 }, (_, index) => 1000 - index);
    const points = new Map(waitPoints(waits));
    for (const [fraction, ms] of /** @type {[number, number][]} */ ([
        [0, 1],
        [0.5, 500],
        [0.9, 900],
        [0.99, 990],
        [0.999, 999],
        [1, 1000],
    ])) {
        assert.equal(points.get(fraction), ms, `${fraction}`);
    }
});

test('wait points: the points increase, and most are among the slowest tenth', () => {
    const points = waitPoints([3, 1, 2]);
    for (const [index, [fraction, ms]] of points.entries()) {
        const [before, msBefore] = points[index - 1] ?? [-1, 0];
        assert.ok(fraction > before && ms >= msBefore, `${points}`);
    }
    assert.ok(points.filter(([fraction]) => fraction >= 0.9).length > points.length / 2);
});

test('wait points: without requests there are no points', () => {
    assert.deepEqual(waitPoints([]), []);
});
