/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Event } from '../../js-glue/index.js';
import { runChild } from '../support/child.js';
import { messageOf, startThread } from '../support/thread.js';
import { within } from '../support/watchdog.js';

/* A process lives while a request waits, and then ends by itself. primitives-waits.test.js has the other
 * classes. */

/** More ticks than a sweep takes; a timer of a second takes as many. */
const MOST_TICKS = 20;

for (const program of ['lives-while-waiting', 'lives-at-top-level', 'lives-while-waiting-again']) {
    test(`mutex: the process lives while a request waits (${program})`, async () => {
        const { code, stdout, stderr } = await runChild(program);
        assert.equal(code, 0, `code ${code}: ${stderr}`);
        assert.match(stdout, /^ran\n/);
    });
}

test('mutex: the process ends by itself if nothing is pending', async () => {
    const { code, stdout, stderr } = await runChild('ends-when-idle');
    assert.equal(code, 0, stderr);
    assert.ok(Number(stdout) < MOST_TICKS, `it ended ${stdout.trim()} ticks later`);
});

test('event, latch: only a wait with ref: false lets the process end', async () => {
    const { code, stdout, stderr } = await runChild('ends-while-unreferenced');
    assert.equal(code, 0, stderr);
    const [met, ran, ticks] = stdout.split('\n');
    assert.deepEqual([met, ran], ['met', 'ran HF_TIMEOUT']);
    assert.ok(Number(ticks) < MOST_TICKS, `it ended ${ticks} ticks later`);
});

for (const [way, lives] of /** @type {[string, boolean][]} */ ([
    ['ref', true],
    ['unref', false],
    ['signal', false],
])) {
    test(`event: a worker that waits for a stop ${lives ? 'lives' : 'ends by itself'} (${way})`, async (t) => {
        const stop = new Event();
        const worker = startThread(t, 'stopped-by-event', { handle: stop.handle, way });
        const ended = once(worker, 'exit');
        await messageOf(worker, 'the wait', [stop]);
        if (lives) {
            const first = await Promise.race([ended, sleep(200)]);
            assert.equal(first, undefined);
            stop.set();
        }
        await within(ended, 'the end of the worker', [stop]);
    });
}
