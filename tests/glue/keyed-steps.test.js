/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LockSpace, TimeoutError } from '../../js-glue/index.js';
import { KeyedMutex } from '../../js-glue/keyed.js';
import { STRIPE_BYTES } from '../../js-glue/keyed/keys.js';
import { attachmentFor } from '../../js-glue/memory/placed.js';
import { blockUntilReached, makeBoard, reach, reached } from '../support/board.js';
import { errorWith } from '../support/errors.js';
import { reasonOf } from '../support/event-loop.js';
import { freeBytes } from '../support/free-bytes.js';
import { keysOfOneStripe, lockStripes, stepsOf, STRIPE } from '../support/keyed-steps.js';
import { messageOf, startThread } from '../support/thread.js';
import { isQuick } from '../support/tier.js';
import { within } from '../support/watchdog.js';

/* All schedules in which one thread stops once, at some step of a lookup, while another thread makes its
 * calls. */

const [REACHED, GO_ON, DONE] = [0, 1, 2];

const [KEY = '', OTHER = '', THIRD = ''] = keysOfOneStripe(3);

/**
 * The keys in the table before: unused keys, and keys that the other thread holds.
 * @type {[string[], string[]][]}
 */
const BEFORE = [
    [[], []],
    [[KEY], []],
    [[OTHER, THIRD], []],
    [[KEY, THIRD], [OTHER]],
];

for (const use of ['lock', 'once']) {
    for (const [unused, held] of BEFORE) {
        const title = `keyed steps: ${use}, with ${unused.length} unused keys and ${held.length} held`;
        test(`${title}: another thread may run the same calls between any two steps of a call`, async (t) => {
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

/**
 * Calls `run` once, right after this thread's next call of an export.
 *
 * @param {KeyedMutex} keyed
 * @param {string} name
 * @param {() => void} run
 */
function behindCall(keyed, name, run) {
    const attachment = attachmentFor(keyed);
    const { exports } = attachment;
    const callee = /** @type {any} */ (exports)[name];
    const called = (/** @type {any[]} */ ...args) => {
        const result = callee(...args);
        attachment.exports = exports;
        run();
        return result;
    };
    attachment.exports = /** @type {any} */ ({ ...exports, [name]: called });
}

test('keyed steps: a key stays if another thread acquires its guard during the search for unused keys', async (t) => {
    const data = { use: 'acquire', key: KEY };
    const steps = await stepsOf(t, { ...data, handle: new KeyedMutex().handle, board: makeBoard(3) });
    for (let stop = Math.ceil(steps / 2); stop <= steps; stop += 1) {
        const keyed = new KeyedMutex();
        const board = makeBoard(3);
        const worker = startThread(t, 'keyed-user', { ...data, handle: keyed.handle, board, stop });
        await within(reached(board, REACHED), `step ${stop}`, []);
        const told = messageOf(worker, 'its guard', []);
        behindCall(keyed, 'owner_probe', () => {
            reach(board, GO_ON);
            blockUntilReached(board, DONE);
        });
        keyed.reclaim();
        reach(board, GO_ON);
        await told;
        assert.equal(keyed.tryLock(KEY), false, `after step ${stop}`);
        await worker.terminate();
    }
});

test('keyed steps: a key stays if its other user unlocks just as this thread finds the space full', async (t) => {
    const space = new LockSpace();
    const keyed = new KeyedMutex({ space });
    const board = makeBoard(3);
    const worker = startThread(t, 'keyed-user', { handle: keyed.handle, board });
    const ask = (/** @type {string} */ use) => {
        const answer = messageOf(worker, use, [keyed]);
        worker.postMessage([use, KEY]);
        return answer;
    };
    await ask('lock');
    [OTHER, THIRD].forEach((key) => (keyed.lock(key), keyed.unlock(key)));
    assert.throws(
        () => {
            for (;;) {
                space.alloc(16);
            }
        },
        errorWith('HF_NO_SPACE', /full/),
    );
    /** @type {Promise<unknown> | undefined} */
    let unlocked;
    behindCall(keyed, 'space_alloc', () => {
        unlocked = ask('unlockThenReach');
        blockUntilReached(board, DONE);
    });
    keyed.lock(KEY);
    await unlocked;
    assert.equal(await ask('tryLock'), false);
});

test('keyed steps: while another thread holds their stripe of the table, requests wait in order and obey their limits', async () => {
    const keyed = new KeyedMutex();
    keyed.lock('before');
    const free = lockStripes(keyed);
    assert.equal(keyed.tryLock('key'), false);
    assert.equal(keyed.tryLock('key', 3), false);
    const begin = performance.now();
    assert.equal(keyed.tryLock('key', 60), false);
    assert.ok(performance.now() - begin > 50, 'it waits for its whole time');
    assert.equal(keyed.tryAcquire('key'), null);
    /** @type {string[]} */
    const order = [];
    const ask = (/** @type {string} */ key, /** @type {number} */ at) =>
        keyed.execAsync(key, () => void order.push(`${key} ${at}`));
    const asked = ['a', 'b', 'a', 'before'].map(ask);
    assert.ok((await reasonOf(keyed.acquireAsync('key', { timeout: 3 }))) instanceof TimeoutError);
    const controller = new AbortController();
    const aborted = reasonOf(keyed.acquireAsync('key', { signal: controller.signal }));
    controller.abort();
    assert.equal(await aborted, controller.signal.reason);
    keyed.unlock('before');
    free();
    await within(Promise.all(asked), 'the requests', []);
    assert.deepEqual(
        order.filter((run) => run.startsWith('a')),
        ['a 0', 'a 2'],
    );
    assert.equal(order.length, 4);
    const freeAtOnce = lockStripes(keyed);
    const first = ask('a', 4);
    freeAtOnce();
    await within(Promise.all([first, ask('a', 5)]), 'the later requests', []);
    assert.deepEqual(order.slice(4), ['a 4', 'a 5']);
    void ask('free', 6);
    assert.equal(order.at(-1), 'free 6', 'it runs before the call returns, as before');
});

test('keyed steps: tryLock() without a timeout waits for a stripe that another thread holds for a moment', () => {
    const keyed = new KeyedMutex();
    const free = lockStripes(keyed);
    const attachment = attachmentFor(keyed);
    const { exports } = attachment;
    attachment.exports = {
        ...exports,
        gate_wait(...args) {
            free();
            return exports.gate_wait(...args);
        },
    };
    assert.equal(keyed.tryLock('key'), true);
});

test('keyed steps: requests that wait for the stripe of a thread that dies get their keys', async () => {
    const space = new LockSpace();
    const keyed = new KeyedMutex({ space });
    const before = freeBytes(space);
    const { exports, self } = attachmentFor(keyed);
    keyed.lock('of another stripe');
    keyed.unlock('of another stripe');
    const free = lockStripes(keyed, self);
    const asked = [KEY, OTHER].map((key) => keyed.execAsync(key, () => key));
    free(true);
    assert.deepEqual(await within(Promise.all(asked), 'the requests', [keyed]), [KEY, OTHER]);
    const stripe = keyed.byteOffset + STRIPE * STRIPE_BYTES;
    assert.equal(exports.mutex_trylock(stripe, self), 0, 'the stripe is free');
    exports.mutex_unlock(stripe, self);
    assert.equal(keyed.tryLock(THIRD), true);
    keyed.unlock(THIRD);
    keyed.reclaim();
    assert.equal(freeBytes(space), before);
});

test('keyed steps: after its wait for the stripe, a request waits for a key that was locked meanwhile', async () => {
    const space = new LockSpace();
    const keyed = new KeyedMutex({ space });
    const before = freeBytes(space);
    const free = lockStripes(keyed);
    const asked = keyed.acquireAsync(KEY);
    free();
    keyed.lock(KEY);
    await new Promise((resolve) => setTimeout(resolve, 50)); // until the request has looked up the key
    keyed.unlock(KEY);
    (await within(asked, 'the request', [])).release();
    keyed.reclaim();
    assert.equal(freeBytes(space), before);
});

test('keyed steps: each request that waited for the stripe keeps its key in use until it ends', async (t) => {
    const space = new LockSpace();
    const keyed = new KeyedMutex({ space });
    const before = freeBytes(space);
    const board = makeBoard(3);
    const worker = startThread(t, 'keyed-user', { handle: keyed.handle, board });
    const ask = (/** @type {string} */ use) => {
        const answer = messageOf(worker, use, [keyed]);
        worker.postMessage([use, KEY]);
        return answer;
    };
    await ask('lock');
    const free = lockStripes(keyed);
    const first = reasonOf(keyed.acquireAsync(KEY, { timeout: 200 }));
    const second = keyed.acquireAsync(KEY);
    free();
    assert.ok((await within(first, 'the time limit', [])) instanceof TimeoutError);
    const unlocked = ask('unlockThenReach');
    blockUntilReached(board, DONE);
    keyed.reclaim();
    await unlocked;
    const guard = await within(second, 'the second request', []);
    assert.equal(await ask('tryLock'), false);
    guard.release();
    keyed.lock(KEY);
    keyed.unlock(KEY);
    keyed.reclaim();
    assert.equal(freeBytes(space), before);
});
