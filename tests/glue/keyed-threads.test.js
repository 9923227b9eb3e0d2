/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AbandonedError, LockSpace } from '../../js-glue/index.js';
import { KeyedMutex } from '../../js-glue/keyed.js';
import { makeBoard, reach, reached } from '../support/board.js';
import { freeBytes } from '../support/free-bytes.js';
import { BEGUN, hammerKeys, KEYS, STOP, WRONG } from '../support/keyed-hammer.js';
import { LIMIT_MS } from '../support/mortal.js';
import { randomOf, seedFor } from '../support/seed.js';
import { messageOf, startThread } from '../support/thread.js';
import { isQuick } from '../support/tier.js';
import { until, within } from '../support/watchdog.js';

/* Keys under stress: threads of all kinds, keys that come and go, and threads that die anywhere. */

const DEATHS = isQuick ? 4 : 30;

/** The blocks that are lost if a thread dies as it allocates or frees them. */
const LOST = 2 * 64;

for (const deaths of [0, DEATHS]) {
    test(`keyed threads: no two threads hold one key at a time, with ${deaths} deaths`, async (t) => {
        const seed = seedFor(t);
        const random = randomOf(seed);
        const space = new LockSpace({ pages: 4, threads: 128 });
        const keyed = new KeyedMutex({ space });
        const before = freeBytes(space);
        const board = makeBoard(3);
        const words = new Int32Array(new SharedArrayBuffer(KEYS * 8));
        const ways = /** @type {const} */ (['blocking', 'async', 'tries', 'blocking']);
        let started = 0;
        const start = async () => {
            const waits = ways[started % ways.length];
            started += 1;
            const workerData = { handle: keyed.handle, board, words, seed: seed + started, waits };
            const worker = startThread(t, 'keyed-hammer', workerData);
            await within(reached(board, BEGUN, started), 'the start', []);
            return worker;
        };
        const workers = await Promise.all([start(), start(), start(), start()]);
        const own = hammerKeys({ keyed, board, words, seed, waits: 'async' });
        for (let death = 0; death < deaths; death += 1) {
            await new Promise((resolve) => setTimeout(resolve, random.below(60)));
            const at = random.below(workers.length);
            await workers[at]?.terminate();
            workers[at] = await start();
        }
        await new Promise((resolve) => setTimeout(resolve, 300));
        const ends = workers.map((worker) => messageOf(worker, 'its end', [], LIMIT_MS * 2));
        reach(board, STOP);
        const sections = await Promise.all([...ends, within(own, 'the own end', [], LIMIT_MS * 2)]);
        assert.equal(board[WRONG], 0);
        assert.ok(
            sections.every((count) => count > 0),
            `sections: ${sections}`,
        );
        for (let at = 0; at < KEYS; at += 1) {
            await keyed.recoverAsync(`key ${at}`, () => {});
        }
        // A dead holder's key that no thread asks for stays in the table.
        const least = before - deaths * (LOST + 64);
        await until(() => (keyed.reclaim(), freeBytes(space) >= least), 'the memory');
    });
}

test('keyed threads: an event loop acquires a key that workers lock in a loop', async (t) => {
    const keyed = new KeyedMutex();
    const board = makeBoard(3);
    const words = new Int32Array(new SharedArrayBuffer(KEYS * 8));
    const workers = [1, 2].map((seed) =>
        startThread(t, 'keyed-hammer', { handle: keyed.handle, board, words, seed, waits: 'blocking' }),
    );
    await within(reached(board, BEGUN, 2), 'the start', []);
    let longest = 0;
    for (let turn = 0; turn < 50 || Number(words[0]) < 500; turn += 1) {
        const begin = performance.now();
        await within(
            keyed.execAsync('key 0', () => {}),
            'its turn',
            [],
        );
        longest = Math.max(longest, performance.now() - begin);
    }
    t.diagnostic(`the longest wait took ${longest.toFixed(1)} ms`);
    const ends = workers.map((worker) => messageOf(worker, 'its end', []));
    reach(board, STOP);
    await Promise.all(ends);
});

test('keyed threads: all requests for the key of a dead holder get HF_ABANDONED', async (t) => {
    const keyed = new KeyedMutex();
    const worker = startThread(t, 'keyed-user', { handle: keyed.handle });
    const held = messageOf(worker, 'held', []);
    worker.postMessage(['lock', 'key']);
    await held;
    const asked = [1, 2, 3].map(() => keyed.acquireAsync('key'));
    await worker.terminate();
    for (const one of asked) {
        await assert.rejects(within(one, 'news', [], LIMIT_MS), AbandonedError);
    }
});
