/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GATE_LINE_OFFSET } from '../../js-glue/memory/layout.js';
import { Condition, LockSpace, Mutex } from '../../js-glue/index.js';
import { CONTESTS, contestNamed } from '../games/contests.js';
import { Member } from '../stress/member.js';
import { startNodeThread } from '../stress/node-threads.js';
import { makeBoard, reached, work } from '../support/board.js';
import { randomOf, seedFor } from '../support/seed.js';
import { startThread } from '../support/thread.js';
import { isQuick } from '../support/tier.js';
import { until, within } from '../support/watchdog.js';
import { assertAtRest, heirOf, restOf } from '../support/words.js';

/* Waiters that die, for all other classes: the others go on. mutex-absent-waiters.test.js has waiters of the
 * mutex. */

const SURVIVORS = 2;
const ROUNDS = isQuick ? 5 : 20;

/**
 * Holds the object through this thread's event loop.
 *
 * @param {string} name of the contest
 * @param {any} handle
 * @returns {Promise<() => Promise<unknown>>} releases it
 */
function hold(name, handle) {
    return new Promise((resolve, reject) => {
        const held = contestNamed(name).loop(
            handle,
            () => new Promise((end) => resolve(() => (end(undefined), held))),
        );
        held.catch(reject);
    });
}

/** @param {import('node:test').TestContext} t @param {LockSpace} space */
async function startMember(t, space) {
    const member = new Member(startNodeThread, true);
    t.after(() => member.terminate());
    await member.ask('begin', { words: member.words.shared, space: space.handle });
    return member;
}

for (const name of Object.keys(CONTESTS)) {
    test(`${name}: waiters that die do not stop the others, and nothing is lost`, async (t) => {
        const random = randomOf(seedFor(t));
        const space = new LockSpace();
        const object = contestNamed(name).make(space);
        const { handle } = object;
        const rest = restOf(object);
        const words = new Int32Array(new SharedArrayBuffer((1 + SURVIVORS) * Int32Array.BYTES_PER_ELEMENT));
        const pair = new SharedArrayBuffer(8);
        t.after(() => Atomics.store(words, 0, 1));
        const survivors = await Promise.all(Array.from({ length: SURVIVORS }, () => startMember(t, space)));
        const hammers = survivors.map((member, index) =>
            member.ask('hammer', { name, handle, words, pair, index }),
        );
        const goOn = (/** @type {string} */ what) => {
            const before = words.slice(1);
            return until(
                () => before.every((sections, index) => Atomics.load(words, 1 + index) > sections),
                what,
                [object],
            );
        };

        for (let round = 0; round < ROUNDS; round += 1) {
            const way = /** @type {const} */ (['blocked', 'idle', 'busy'])[random.below(3)];
            const release = await within(hold(name, handle), `round ${round}`, [object]);
            if (!contestNamed(name).excludes) {
                // Before a survivor waits, the victim would acquire the lock next, and die as its holder.
                await until(() => heirOf(object) !== 0, `an heir in round ${round}`, [object]);
            }
            const victim = await startMember(t, space);
            const board = makeBoard(1);
            victim.ask('awaitDeath', { name, handle, board, waiting: 0, way }).catch(() => {});
            await within(reached(board, 0), `the ${way} victim of round ${round}`, [object]);
            work(random.below(3));
            // A blocked or idle thread could get the lock and die as its holder, which is not tested here.
            if (way !== 'busy') {
                await victim.terminate();
            }
            await release();
            await goOn(`the survivors in round ${round}, ${way}, alive`);
            await victim.terminate();
            await goOn(`the survivors in round ${round}, ${way}, dead`);
        }
        Atomics.store(words, 0, 1);
        await within(Promise.all(hammers), 'the survivors', [object]);
        // The last release may have reserved the object for a dead thread. The next request takes the
        // reservation over.
        const release = await within(hold(name, handle), 'a last visit', [object]);
        await release();
        // The word of the oldest async waiter may still name a dead event loop, until the next one steps.
        assertAtRest(object, rest, GATE_LINE_OFFSET / Uint32Array.BYTES_PER_ELEMENT);
    });
}

for (const way of /** @type {const} */ (['blocked', 'idle', 'busy'])) {
    for (const survivor of /** @type {const} */ (['blocked', 'idle'])) {
        test(`condition: a waiter that dies (${way}) does not consume the notify for a live waiter (${survivor})`, async (t) => {
            const space = new LockSpace();
            const [mutex, condition] = [new Mutex({ space }), new Condition({ space })];
            const board = makeBoard(4);
            const handles = { mutex: mutex.handle, condition: condition.handle, board };
            const victim = startThread(t, 'condition-waiter', { ...handles, waiting: 0, got: 1, way });
            t.after(() => Atomics.store(board, 0, 0));
            await within(reached(board, 0), 'the victim', [mutex, condition]);
            const other = { ...handles, waiting: 2, got: 3, way: survivor };
            startThread(t, 'condition-waiter', other);
            await within(reached(board, 2), 'the survivor', [mutex, condition]);
            // Both wait when the mutex comes free.
            await within(
                mutex.execAsync(() => {}),
                'the mutex',
                [mutex, condition],
            );
            if (way !== 'busy') {
                await victim.terminate();
            }
            condition.notify(1);
            await within(reached(board, 3), 'the survivor', [mutex, condition]);
            await victim.terminate();
            mutex.lock();
            mutex.unlock();
        });
    }
}

test('condition: after a waiter died, each notify(1) releases one live waiter, or two', async (t) => {
    const space = new LockSpace();
    const [mutex, condition] = [new Mutex({ space }), new Condition({ space })];
    const board = makeBoard(2);
    const handles = { mutex: mutex.handle, condition: condition.handle, board };
    const victim = startThread(t, 'condition-waiter', { ...handles, waiting: 0, got: 1, way: 'blocked' });
    await within(reached(board, 0), 'the victim', [mutex, condition]);
    await within(
        mutex.execAsync(() => {}),
        'the mutex',
        [mutex, condition],
    );
    await victim.terminate();
    assert.equal(condition.notify(1), 1, 'the dead one is counted, once');
    assert.equal(condition.notify(1), 0);

    let released = 0;
    const waits = [1, 2, 3].map(() =>
        mutex.execAsync(async () => {
            await condition.waitAsync(mutex);
            released += 1;
        }),
    );
    await within(
        mutex.execAsync(() => {}),
        'the mutex, when all wait',
        [mutex, condition],
    );
    for (let notified = 1; notified <= waits.length; notified += 1) {
        condition.notify(1);
        await until(() => released >= notified, 'the next one', [mutex, condition]);
        assert.ok(released <= notified + 1, `${released} of ${notified}`);
    }
    await within(Promise.all(waits), 'all', [mutex, condition]);
});

test('condition: at() with options resets a condition whose waiters have died', async (t) => {
    const space = new LockSpace();
    const [mutex, condition] = [new Mutex({ space }), new Condition({ space })];
    const board = makeBoard(2);
    const handles = { mutex: mutex.handle, condition: condition.handle, board };
    const victim = startThread(t, 'condition-waiter', { ...handles, waiting: 0, got: 1, way: 'blocked' });
    await within(reached(board, 0), 'the victim', [mutex, condition]);
    await within(
        mutex.execAsync(() => {}),
        'the mutex',
        [mutex, condition],
    );
    await victim.terminate();
    assert.equal(Condition.at(condition.memory, condition.byteOffset, {}).notify(), 0);
    const wait = mutex.execAsync(() => condition.waitAsync(mutex));
    assert.equal(condition.notify(1), 1);
    await within(wait, 'the wait', [mutex, condition]);
});
