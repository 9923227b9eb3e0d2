/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LINE, LITMUS } from '../support/litmus.js';
import { seedFor } from '../support/seed.js';
import { messageOf, startThread } from '../support/thread.js';

/* Each class's promises of data beside it, which two threads write and read without Atomics: support/litmus.js. A
 * signal is lost by chance: with the mistake put back about half of the tests that are for it find it in each run, beside a
 * load of 8 on two cores. */

/** The steps, the data, and what was seen: two words each, and one of the steps that nobody writes. */
const words = Array.from({ length: 3 }, () => new Int32Array(new SharedArrayBuffer(3 * LINE * 4)));

/** @param {any} made */
const handlesOf = (made) =>
    'handle' in made ? made.handle : { mutex: made.mutex.handle, condition: made.condition.handle };

test('litmus: a lock orders accesses without Atomics to the data that it protects', async (t) => {
    const threads = [0, 1].map((number) => startThread(t, 'litmus-player', { number, words }));
    for (const [name, { make, awaiting, rounds }] of Object.entries(LITMUS)) {
        for (const awaits of awaiting ? [false, true] : [false]) {
            await t.test(`litmus: ${name}, ${awaits ? 'one awaits' : 'both block'}`, async (each) => {
                const told = { name, handle: handlesOf(make()), rounds, seed: seedFor(each) };
                threads.forEach((thread, number) =>
                    thread.postMessage({ ...told, awaits: awaits && number === 1 }),
                );
                const verdicts = await Promise.all(threads.map((thread) => messageOf(thread, name, [])));
                assert.deepEqual(verdicts, ['', '']);
            });
        }
    }
});
