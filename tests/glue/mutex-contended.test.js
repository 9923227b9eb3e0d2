/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LockSpace, Mutex } from '../../js-glue/index.js';
import { makeBoard } from '../support/board.js';
import { hammer } from '../support/hammer.js';
import { messageOf, startThread } from '../support/thread.js';
import { within } from '../support/watchdog.js';
import { assertFree } from '../support/words.js';

/* A mutex that workers lock without a pause: other threads still get it in time. */

test('mutex: if a thread both blocks and has a pending request, the blocking call acquires the lock first', async (t) => {
    const mutex = new Mutex({ space: new LockSpace() });
    const board = makeBoard(1);
    const rounds = 300;
    const others = await hammer(t, mutex, ['hammer'], { section: 0.05 });
    const both = startThread(t, 'both-ways', { handle: mutex.handle, board, ready: 0, rounds });
    const report = await messageOf(both, 'all rounds', [mutex], 30_000);
    assert.deepEqual(report, { asyncSections: rounds, blockingSections: rounds, whileBlocked: 0 });
    await others.stop();
    assertFree(mutex);
});

test('mutex: a thread without waitAsync acquires the lock beside hammering workers, and leaves no timer', async (t) => {
    const mutex = new Mutex({ space: new LockSpace() });
    const workers = await hammer(t, mutex, ['hammer', 'hammer'], { section: 0.05 });
    const poller = await hammer(t, mutex, ['async-hammer'], { section: 0.05, polls: true });
    await poller.goOn('50 sections by timer', 50);
    const [report] = await poller.stop();
    assert.equal(report.asyncWait, 'poll');
    assert.equal(report.timersLeft, 0);
    await workers.goOn('the workers');
    await workers.stop();
    assertFree(mutex);
});

/** Sections of 50 us by others during one wait: 250 ms of them. A starving lock lets 30,000 pass. */
const TOO_OFTEN_OVERTAKEN = 5000;

/** This many waits may be longer: a busy machine delays a thread now and then. */
const BUSY = 1;

const LEAST_SHARE = 0.3;
const LEAST_MS = 1500;
const MOST_MS = 10_000;

for (const count of [2, 4]) {
    test(`mutex: while ${count} workers hammer, no waiter is overtaken for long, and each worker gets its share`, async (t) => {
        const mutex = new Mutex({ space: new LockSpace() });
        const workers = await hammer(t, mutex, Array(count).fill('hammer'), { section: 0.05 });
        const total = () => workers.sections().reduce((sum, sections) => sum + sections, 0);
        const share = () => Math.min(...workers.sections()) / Math.max(...workers.sections());
        const start = performance.now();
        const goesOn = () => {
            const milliseconds = performance.now() - start;
            return milliseconds < LEAST_MS || (share() <= LEAST_SHARE && milliseconds < MOST_MS);
        };
        /** @type {number[]} */
        const overtaken = [];
        while (goesOn()) {
            const before = total();
            const request = mutex.execAsync(() => overtaken.push(total() - before));
            await within(request, 'the event loop', [mutex]);
        }
        const reports = await workers.stop();
        const sections = reports.map((report) => report.sections);
        overtaken.sort((a, b) => b - a);
        t.diagnostic(`event loop: ${overtaken.length} sections, overtaken by ${overtaken[0]} at most`);
        t.diagnostic(
            `workers: ${sections} sections, overtaken by ${reports.map((report) => report.overtaken[0])}`,
        );
        for (const waits of [overtaken, ...reports.map((report) => report.overtaken)]) {
            assert.ok(waits[BUSY] < TOO_OFTEN_OVERTAKEN, `overtaken by ${waits.slice(0, 5)}`);
        }
        assert.ok(Math.min(...sections) / Math.max(...sections) > LEAST_SHARE, `${sections} sections`);
        assert.ok(overtaken.length > 50);
        assertFree(mutex);
    });
}
