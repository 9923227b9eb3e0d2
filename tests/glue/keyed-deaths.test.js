/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AbandonedError, LockSpace } from '../../js-glue/index.js';
import { KeyedMutex } from '../../js-glue/keyed.js';
import { makeBoard, reached } from '../support/board.js';
import { freeBytes } from '../support/free-bytes.js';
import { keysOfOneStripe, stepsOf, STRIPE, STRIPES } from '../support/keyed-steps.js';
import { LIMIT_MS } from '../support/mortal.js';
import { messageOf, startThread } from '../support/thread.js';
import { isQuick } from '../support/tier.js';
import { within } from '../support/watchdog.js';

/* Threads that die while they hold a key, wait for one, or look one up. */

/** The two blocks of a key: these bytes are lost if a thread dies as it links or frees them. */
const LOST = 2 * 64;

/** Keys of one stripe, so that lookups wait for each other. */
const KEYS = keysOfOneStripe(4);

/**
 * @param {import('node:test').TestContext} t
 * @param {KeyedMutex} keyed
 * @param {{ stop?: number, key?: string, use?: string }} [how]
 */
function start(t, keyed, how) {
    const board = makeBoard(3);
    const worker = startThread(t, 'keyed-user', { handle: keyed.handle, board, ...how });
    const use = (/** @type {string} */ name, /** @type {string} */ key) => {
        const answer = messageOf(worker, `${name} of ${key}`, []);
        worker.postMessage([name, key]);
        return answer;
    };
    return { worker, board, use };
}

/**
 * Calls reclaim() until the condition holds: a death is noticed within about a second.
 *
 * @param {KeyedMutex} keyed
 * @param {() => boolean} isSo
 */
async function reclaimed(keyed, isSo) {
    const end = performance.now() + LIMIT_MS;
    do {
        await new Promise((resolve) => setTimeout(resolve, 50));
        keyed.reclaim();
    } while (!isSo() && performance.now() < end);
    assert.ok(isSo(), 'the memory has not come back');
}

test('keyed deaths: the key of a dead holder is abandoned, until it is recovered', async (t) => {
    const space = new LockSpace();
    const keyed = new KeyedMutex({ space });
    const before = freeBytes(space);
    const { worker, use } = start(t, keyed);
    await use('lock', 'held');
    const asked = keyed.execAsync('held', assert.fail);
    await worker.terminate();
    await assert.rejects(within(asked, 'news of the death', [], LIMIT_MS), (error) => {
        assert.ok(error instanceof AbandonedError);
        assert.match(error.message, /^KeyedMutex 'held' is abandoned: worker \d+ died holding it/);
        return true;
    });
    keyed.reclaim();
    assert.throws(() => keyed.lock('held'), AbandonedError);
    assert.throws(() => keyed.tryLock('held'), AbandonedError);
    assert.equal(await keyed.recoverAsync('held', () => {}), true);
    assert.equal(await keyed.recoverAsync('held', assert.fail), false);
    assert.equal(
        keyed.recover('held', () => assert.fail()),
        false,
    );
    keyed.exec('held', () => {});
    keyed.reclaim();
    assert.equal(freeBytes(space), before);
});

test('keyed deaths: a blocked thread gets HF_ABANDONED when the holder dies, and repairs the data', async (t) => {
    const keyed = new KeyedMutex();
    const { worker, use } = start(t, keyed);
    await use('lock', 'held');
    void worker.terminate();
    assert.throws(() => keyed.lock('held'), AbandonedError);
    assert.equal(
        keyed.recover('held', () => {}),
        true,
    );
    keyed.lock('held');
});

test('keyed deaths: the memory of a key is freed when the thread that waited for the key has died', async (t) => {
    const space = new LockSpace();
    const keyed = new KeyedMutex({ space });
    const before = freeBytes(space);
    keyed.lock('held');
    const users = [start(t, keyed), start(t, keyed)];
    for (const { use } of users) {
        await use('wait', 'held');
    }
    await Promise.all(users.map(({ worker }) => worker.terminate()));
    keyed.unlock('held');
    await reclaimed(keyed, () => freeBytes(space) === before);
    keyed.lock('held');
});

test('keyed deaths: the memory of a key in use does not grow with each waiter that dies', async (t) => {
    const space = new LockSpace();
    const keyed = new KeyedMutex({ space });
    keyed.lock('held');
    /** @type {number[]} */
    const free = [];
    for (let death = 0; death < 4; death += 1) {
        const { worker, use } = start(t, keyed);
        await use('wait', 'held');
        free.push(freeBytes(space));
        await worker.terminate();
        await new Promise((resolve) => setTimeout(resolve, 1000)); // an agent is probed once in 600 ms
    }
    assert.ok(Number(free.at(-1)) >= Number(free[0]) - 64, `${free}`);
});

test('keyed deaths: reclaim() never frees a key for which a living thread waits', async (t) => {
    const keyed = new KeyedMutex();
    const { use } = start(t, keyed);
    keyed.lock('held');
    await use('wait', 'held');
    for (let time = 0; time < 20; time += 1) {
        await new Promise((resolve) => setTimeout(resolve, 100));
        keyed.reclaim();
    }
    keyed.unlock('held');
    assert.equal(await use('tryLock', 'held'), true);
});

/**
 * A call in which a thread dies, its title, the keys that others hold, and the keys that are unused.
 * @type {[string, string, string[], string[]][]}
 */
const DEATHS = [
    ['once', KEYS[0] ?? '', [], []],
    ['once', KEYS[0] ?? '', [KEYS[1] ?? ''], [KEYS[2] ?? '', KEYS[3] ?? '']],
    ['once', KEYS[0] ?? '', [], [KEYS[0] ?? '']],
    ['wait', KEYS[0] ?? '', [KEYS[0] ?? ''], [KEYS[1] ?? '']],
    ['reclaim', '', [KEYS[1] ?? ''], [KEYS[0] ?? '', KEYS[2] ?? '', KEYS[3] ?? '']],
];

for (const [use, key, held, unused] of DEATHS) {
    const title = `keyed deaths: at every step of ${use}, with ${held.length} keys held and ${unused.length} unused`;
    test(`${title}: a thread that dies breaks no other key`, async (t) => {
        const prepare = () => {
            const space = new LockSpace();
            const keyed = new KeyedMutex({ space });
            const before = freeBytes(space);
            held.forEach((of) => keyed.lock(of));
            unused.forEach((of) => keyed.lock(of));
            unused.forEach((of) => keyed.unlock(of));
            return { space, keyed, before };
        };
        const whole = prepare();
        const steps = await stepsOf(t, { handle: whole.keyed.handle, board: makeBoard(3), use, key });
        // reclaim() takes two steps for each stripe without keys.
        const [first, last] =
            use === 'reclaim' ? [2 * STRIPE, steps - 2 * (STRIPES - STRIPE - 1)] : [1, steps];
        const every = isQuick ? Math.ceil((last - first) / 6) : 1;
        t.diagnostic(`steps ${first} to ${last} of ${steps}, of which each ${every}th is the last`);
        for (let stop = first; stop <= last; stop += every) {
            const { space, keyed, before } = prepare();
            const { worker, board } = start(t, keyed, { use, key, stop });
            await within(reached(board, 0), `step ${stop}`, []);
            await worker.terminate();
            for (const of of KEYS.filter((one) => !held.includes(one))) {
                const taken = keyed.execAsync(of, () => {});
                const result = taken.then(
                    () => 'free',
                    ({ code }) => code,
                );
                const known = await within(result, `${of} after step ${stop}`, [], LIMIT_MS);
                if (of === key && known === 'HF_ABANDONED') {
                    await keyed.recoverAsync(of, () => {});
                } else {
                    assert.equal(known, 'free', `${of} after step ${stop}`);
                }
            }
            held.forEach((of) => assert.equal(keyed.tryLock(of), false));
            held.forEach((of) => keyed.unlock(of));
            await reclaimed(keyed, () => freeBytes(space) >= before - LOST);
        }
    });
}
