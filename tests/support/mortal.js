/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { AbandonedError, Mutex } from '../../js-glue/index.js';
import { makeBoard, reached } from './board.js';
import { inOneFile } from './one-file.js';
import { within } from './watchdog.js';

/* Threads that hold a lock and die (threads/mortal.js). */

export const HELD = 0;

/** Longer by far than any recovery takes. */
export const LIMIT_MS = 8000;

/** A `since` within this time counts as recent. */
const RECENT_MS = 60_000;

/** True if the parent terminates the thread in this way. @param {string} way */
const isKilled = (way) => ['idle', 'blocked', 'computing'].includes(way);

/**
 * A thread that holds a lock and dies, or is about to.
 *
 * @param {import('node:test').TestContext} t
 * @param {{ handle: object }} lock
 * @param {{ way?: string, holds?: string, polyfills?: boolean }} [how] polyfills: its `waitAsync` is not the engine's
 */
export async function startMortal(t, lock, { way = 'exits', holds = 'lock', polyfills = false } = {}) {
    const board = makeBoard(1);
    const other = new Mutex();
    other.lock();
    const worker = new Worker(inOneFile(new URL('threads/mortal.js', import.meta.url)), {
        workerData: {
            handle: lock.handle,
            board,
            held: HELD,
            way,
            holds,
            blockedBy: other.handle,
            polyfills,
        },
        resourceLimits: way === 'runs out of memory' ? { maxOldGenerationSizeMb: 16 } : {},
        stdout: true,
        stderr: true,
    });
    worker.on('error', () => {}); // the error is intended
    t.after(() => worker.terminate());
    await within(reached(board, HELD), 'a thread that holds the lock', []);
    return worker;
}

/** @param {unknown} error */
export function isTold(error) {
    assert.ok(error instanceof AbandonedError, String(error));
    assert.equal(error.code, 'HF_ABANDONED');
    assert.match(error.owner, /^worker \d+$/);
    assert.ok(Math.abs(Date.now() - (error.since ?? 0)) < RECENT_MS, `since ${error.since}`);
    return true;
}

/**
 * Asserts that a waiter for a lock gets HF_ABANDONED when its holder dies in this way.
 *
 * @param {import('node:test').TestContext} t
 * @param {string} way
 * @param {Mutex | import('../../js-glue/index.js').RwLock} [mutex]
 */
export async function assertTold(t, way, mutex = new Mutex()) {
    const worker = await startMortal(t, mutex, { way });
    const ended = new Promise((resolve) => worker.once('exit', resolve));
    const asked = mutex.execAsync(() => 'got it');
    const told = assert.rejects(within(asked, 'news of the death', [mutex], LIMIT_MS), isTold);
    const begin = performance.now();
    if (isKilled(way)) {
        await sleep(50);
        void worker.terminate();
    }
    await ended;
    const died = performance.now();
    await told;
    t.diagnostic(
        `told ${(performance.now() - died).toFixed()} ms after its end, ${(died - begin).toFixed()} ms`,
    );
    assert.throws(() => mutex.lock(), isTold);
}
