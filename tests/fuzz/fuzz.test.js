/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { COMBINATIONS } from './combinations.js';
import { generate } from './generate.js';
import { openNode } from './in-node.js';
import { runFuzzer, testPrograms } from './played.js';
import { print } from './print.js';
import { shrink } from './shrink.js';
import { SWITCHES, switchesWith } from './switches.js';
import { isQuick } from '../support/tier.js';
import { codeOf } from './to-code.js';

const PATIENCE_MS = 20_000;

testPrograms('node', isQuick ? 50 : 90);

test('fuzz: the generator makes every listed combination of features', () => {
    const on = switchesWith(['all']);
    const programs = Array.from({ length: 1500 }, (_, seed) => generate(seed, on));
    const missing = Object.entries(COMBINATIONS).filter(([, has]) => !programs.some(has));
    assert.deepEqual(
        missing.map(([name]) => name),
        [],
    );
});

test('fuzz: the same seed makes the same program, and each switch turns its feature off', () => {
    const none = Object.fromEntries(Object.keys(SWITCHES).map((name) => [name, false]));
    for (let seed = 0; seed < 300; seed += 1) {
        const program = generate(seed, none);
        assert.deepEqual(generate(seed, none), program);
        assert.ok(!COMBINATIONS['a dead thread beside room']?.(program), `seed ${seed}`);
        assert.ok(!COMBINATIONS['thousands at once']?.(program), `seed ${seed}`);
        assert.ok(!COMBINATIONS['an async predicate']?.(program), `seed ${seed}`);
    }
});

/** A failing program: one step reports an error, among many that are correct. */
function wrongProgram() {
    const object = { name: 'm0', kind: 'Mutex', space: 0 };
    const fine = {
        do: 'request',
        object: 'm0',
        ask: 1,
        style: 'section',
        limits: { timeout: 1e6 },
        body: { ends: 'awaits' },
    };
    const wrong = {
        ...fine,
        limits: {},
        body: { ends: 'returns', inner: [{ do: 'stray', object: 'm0', word: 0, value: 0 }] },
    };
    return { objects: [object], threads: [{ steps: [fine, wrong, fine] }, { steps: [fine, fine] }] };
}

test('fuzz: a failing program is shrunk, and printed as code that fails in the same way', async () => {
    const place = await openNode();
    try {
        const failure = await place.play(codeOf(wrongProgram()), PATIENCE_MS);
        assert.ok(failure, 'no failure was found in a program that overwrites a held lock');
        const fails = async (/** @type {import('./program.js').Program} */ program) =>
            (await place.play(codeOf(program), PATIENCE_MS))?.kind === failure.kind;
        const small = await shrink(wrongProgram(), fails, PATIENCE_MS);
        assert.equal(small.threads.length, 1);
        assert.equal(small.threads[0]?.steps.length, 1);
        assert.match(print(codeOf(small), [failure.kind]), /await runAlone\(\{[^]*t\.stray\('m0', 0, 0\)/);
    } finally {
        await place.close();
    }
});

test('fuzz: an invalid argument is refused, and the message lists the valid ones', async () => {
    for (const words of [
        ['--where', 'lynx'],
        ['--count', 'many'],
        ['--with', 'everything'],
    ]) {
        const { code, stderr } = await runFuzzer(...words);
        assert.equal(code, 1);
        assert.match(stderr, /npm run fuzz|no switch/);
    }
});
