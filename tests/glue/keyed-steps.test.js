/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LockSpace, TimeoutError } from '../../js-glue/index.js';
import { KeyedMutex } from '../../js-glue/keyed.js';
import { attachmentFor } from '../../js-glue/memory/placed.js';
import { makeBoard, reach, reached } from '../support/board.js';
import { reasonOf } from '../support/event-loop.js';
import { freeBytes } from '../support/free-bytes.js';
import { keysOfOneStripe, stepsOf } from '../support/keyed-steps.js';
import { messageOf, startThread } from '../support/thread.js';
import { isQuick } from '../support/tier.js';
import { within } from '../support/watchdog.js';

/* Each schedule in which one thread stops once in a lookup, at each of its steps, and another does all it does meanwhile. */

const [REACHED, GO_ON, DONE] = [0, 1, 2];

const [KEY = '', OTHER = '', THIRD = ''] = keysOfOneStripe(3);

/** The keys that are there before: unused, held by the other thread. @type {[string[], string[]][]} */
const BEFORE = [
    [[], []],
    [[KEY], []],
    [[OTHER, THIRD], []],
    [[KEY, THIRD], [OTHER]],
];

for (const use of ['lock', 'once']) {
    for (const [unused, held] of BEFORE) {
        const title = `keyed steps: ${use}, with ${unused.length} unused keys and ${held.length} held`;
        test(`${title}: another thread may do all it does at each step`, async (t) => {
            const prepare = () => {
                const space = new LockSpace();
                const keyed = new KeyedMutex({ space });
                const before = freeBytes(space);
                [...unused, ...held].forEach((key) => keyed.lock(key));
                unused.forEach((key) => keyed.unlock(key));
                const board = makeBoard(3);
                return { space, keyed, before, board };
            };
            const whole = prepare();
            const data = { handle: whole.keyed.handle, board: whole.board, use, key: KEY };
            const steps = await stepsOf(t, data);
            const every = isQuick ? Math.ceil(steps / 6) : 1;
            t.diagnostic(`${steps} steps, at each ${every}th`);
            for (let stop = 1; stop <= steps; stop += every) {
                const { space, keyed, before, board } = prepare();
                const worker = startThread(t, 'keyed-user', { ...data, handle: keyed.handle, board, stop });
                await within(reached(board, REACHED), `step ${stop}`, []);
                const asked = [THIRD, KEY, KEY, 'another'].map((key) =>
                    keyed.execAsync(key, () => {
                        const hasIt = use === 'lock' && board[DONE] === 1;
                        assert.ok(key !== KEY || !hasIt, `two threads are in ${key} after step ${stop}`);
                    }),
                );
                keyed.reclaim();
                held.forEach((key) => keyed.unlock(key));
                await new Promise((resolve) => setTimeout(resolve, 5));
                const told = messageOf(worker, 'its use', []);
                reach(board, GO_ON);
                await told;
                if (use === 'lock') {
                    assert.equal(keyed.tryLock(KEY), false, `after step ${stop}`);
                    Atomics.store(board, DONE, 0);
                    const unlocked = messageOf(worker, 'the unlock', []);
                    worker.postMessage(['unlock', KEY]);
                    await unlocked;
                }
                await within(Promise.all(asked), `the requests after step ${stop}`, []);
                keyed.lock(KEY);
                keyed.unlock(KEY);
                keyed.reclaim();
                assert.equal(freeBytes(space), before, `after step ${stop}`);
                await worker.terminate();
            }
        });
    }
}

test('keyed steps: a stripe in use by another thread makes requests wait, in order, and no longer than their limits', async () => {
    const keyed = new KeyedMutex();
    const { exports } = attachmentFor(keyed);
    const other = 12345678; // an identity of no thread here
    keyed.lock('before');
    for (let at = 0; at < KeyedMutex.BYTES; at += 24) {
        assert.equal(exports.mutex_trylock(keyed.byteOffset + at, other), 0);
    }
    assert.equal(keyed.tryLock('key'), false);
    assert.equal(keyed.tryLock('key', 3), false);
    /** @type {string[]} */
    const order = [];
    const asked = ['a', 'b', 'a', 'before'].map((key, at) =>
        keyed.execAsync(key, () => void order.push(`${key} ${at}`)),
    );
    assert.ok((await reasonOf(keyed.acquireAsync('key', { timeout: 3 }))) instanceof TimeoutError);
    const controller = new AbortController();
    const aborted = reasonOf(keyed.acquireAsync('key', { signal: controller.signal }));
    controller.abort();
    assert.equal(await aborted, controller.signal.reason);
    keyed.unlock('before');
    for (let at = 0; at < KeyedMutex.BYTES; at += 24) {
        exports.mutex_unlock(keyed.byteOffset + at, other);
    }
    await within(Promise.all(asked), 'the requests', []);
    assert.deepEqual(
        order.filter((run) => run.startsWith('a')),
        ['a 0', 'a 2'],
    );
    assert.equal(order.length, 4);
});
