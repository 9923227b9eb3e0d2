/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Mutex } from '../../js-glue/index.js';
import { waitWithoutLimit } from '../support/endless.js';
import { jobEnds } from '../support/event-loop.js';
import { within } from '../support/watchdog.js';
import { assertFree } from '../support/words.js';

/* The cost of many requests of one thread. It takes seconds, so it is not in mutex.test.js. */

waitWithoutLimit();

/**
 * @param {number} count
 * @returns {Promise<number>} milliseconds for each
 */
async function costOf(count) {
    const mutex = new Mutex();
    let last = -1;
    mutex.lock();
    const start = performance.now();
    const promises = Array.from({ length: count }, (_, index) =>
        mutex.execAsync(() => {
            assert.equal(last, index - 1);
            last = index;
        }),
    );
    await jobEnds();
    mutex.unlock();
    await within(Promise.all(promises), `${count} requests`, [mutex], 60_000);
    const milliseconds = (performance.now() - start) / count;
    assertFree(mutex);
    return milliseconds;
}

test('mutex: 100,000 pending requests run in order, at about the same cost each as 1,000', async (t) => {
    const few = [];
    for (let round = 0; round < 21; round += 1) {
        few.push(await costOf(1000));
    }
    const median = few.sort((a, b) => a - b)[10] ?? 0;
    const many = await costOf(100_000);
    t.diagnostic(
        `each: ${(median * 1000).toFixed(2)} us of 1,000; ${(many * 1000).toFixed(2)} us of 100,000`,
    );
    assert.ok(many < 10 * median);
});

test('mutex: aborting 100,000 pending requests takes no quadratic time', async () => {
    const mutex = new Mutex();
    const controller = new AbortController();
    mutex.lock();
    const settled = Promise.allSettled(
        Array.from({ length: 100_000 }, () => mutex.execAsync(assert.fail, { signal: controller.signal })),
    );
    await jobEnds();
    controller.abort();
    await within(settled, 'the aborts', [mutex]);
    mutex.unlock();
    assertFree(mutex);
});

test('mutex: many requests do not starve the other work of the thread', async () => {
    const mutex = new Mutex();
    let ran = 0;
    mutex.lock();
    const promises = Array.from({ length: 2000 }, () =>
        mutex.execAsync(() => {
            ran += 1;
            const end = performance.now() + 0.05;
            while (performance.now() < end) {
                // The work of a section.
            }
        }),
    );
    await jobEnds();
    mutex.unlock();
    await new Promise((resolve) => setTimeout(resolve, 1));
    assert.ok(ran < 2000, 'a timer of 1 ms comes before 100 ms of sections are over');
    await within(Promise.all(promises), 'the requests', [mutex]);
    assertFree(mutex);
});
