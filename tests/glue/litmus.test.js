/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LINE, LITMUS } from '../support/litmus.js';
import { seedFor } from '../support/seed.js';
import { messageOf, startThread } from '../support/thread.js';

/* The visibility promises of each class (support/litmus.js): two threads write and read data without Atomics.
 * A lost signal shows by chance: with a known mistake put back, about half of its tests find it in each run,
 * beside a load of 8 on two cores. */

/** The steps, the data, and the values seen: two words each. A third word of the steps is never written. */
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
