/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Latch } from '../../js-glue/index.js';
import { waitWithoutLimit } from '../support/endless.js';
import { errorWith } from '../support/errors.js';
import { jobEnds } from '../support/event-loop.js';
import { within } from '../support/watchdog.js';
import { assertFree, wordsOf } from '../support/words.js';

/* The latch on one thread. The tests for all kinds of waits are in primitives-waits.test.js. */

waitWithoutLimit();

/** @type {<T>(promise: Promise<T>, latch: Latch) => Promise<T>} */
const met = (promise, latch) => within(promise, 'a wait', [latch]);

test('latch: a new latch counts down from its count', () => {
    assert.equal(new Latch({ count: 1 }).count, 1);
    assert.equal(new Latch({ count: 7 }).count, 7);
    assert.equal(new Latch({ count: 2_147_483_647 }).count, 2_147_483_647);
    assert.equal(new Latch({ count: 0 }).count, 0);
    assert.equal(Latch.BYTES, 8);
});

test('latch: a latch of 0 is open, and so is zeroed memory', async () => {
    const memory = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true });
    for (const latch of [new Latch({ count: 0 }), Latch.at(memory, 64)]) {
        assert.equal(latch.wait(), true);
        assert.equal(latch.wait(0), true);
        await latch.waitAsync();
        await latch.waitAsync({ timeout: 0 });
        assertFree(latch);
    }
});

test('latch: a latch opens when its count reaches 0, for current and later waiters', async () => {
    const latch = new Latch({ count: 6 });
    let open = 0;
    const waits = Array.from({ length: 5 }, () => latch.waitAsync().then(() => (open += 1)));
    await jobEnds();
    latch.countDown();
    latch.countDown(2);
    assert.equal(latch.count, 3);
    assert.equal(latch.wait(0), false);
    assert.equal(latch.wait(1), false);
    await jobEnds();
    assert.equal(open, 0);
    latch.countDown(3);
    assert.equal(latch.count, 0);
    assertFree(latch);
    await met(Promise.all(waits), latch);
    assert.equal(latch.wait(), true);
    await latch.waitAsync();
    assertFree(latch);
});

test('latch: the largest count can be counted down at once', () => {
    const latch = new Latch({ count: 2_147_483_647 });
    latch.countDown(2_147_483_647);
    assert.equal(latch.wait(), true);
    assertFree(latch);
});

test('latch: counting down by more than is left is refused, with and without waiters, and changes nothing', async () => {
    const latch = new Latch({ count: 2 });
    const isBad = errorWith('HF_OVERFLOW', /countDown\(3\) would take Latch at \d+ below 0/);
    assert.throws(() => latch.countDown(3), isBad);
    assert.equal(latch.count, 2);
    const wait = latch.waitAsync();
    await jobEnds();
    const words = wordsOf(latch);
    assert.throws(() => latch.countDown(3), isBad);
    assert.throws(
        () => latch.countDown(2_147_483_647),
        errorWith('HF_OVERFLOW', /would take Latch at \d+ below 0/),
    );
    assert.deepEqual(wordsOf(latch), words);
    latch.countDown(2);
    await met(wait, latch);
    assert.throws(() => latch.countDown(), errorWith('HF_OVERFLOW', /would take Latch at \d+ below 0/));
    assertFree(latch);
});
