/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Barrier } from '../../js-glue/index.js';
import { BARRIER_ROUND_OFFSET } from '../../js-glue/memory/layout.js';
import { waitWithoutLimit } from '../support/endless.js';
import { jobEnds, reasonOf } from '../support/event-loop.js';
import { messageOf, startThread } from '../support/thread.js';
import { within } from '../support/watchdog.js';
import { assertAtRest, restOf } from '../support/words.js';

/* The barrier mostly on one thread, whose requests are separate parties. primitives-waits.test.js has what
 * all waits share. */

waitWithoutLimit();

/** @type {<T>(promise: Promise<T>, barrier: Barrier) => Promise<T>} */
const met = (promise, barrier) => within(promise, 'a round', [barrier]);

/** @param {number} parties */
function makeBarrier(parties) {
    const barrier = new Barrier({ parties });
    const rest = restOf(barrier);
    return { barrier, atRest: () => assertAtRest(barrier, rest) };
}

test('barrier: a barrier of one party never waits, and zeroed memory is such a barrier', async () => {
    const memory = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true });
    for (const barrier of [makeBarrier(1).barrier, Barrier.at(memory, 64)]) {
        assert.equal(barrier.arriveAndWait(), true);
        assert.equal(barrier.arriveAndWait(0), true);
        assert.equal(await barrier.arriveAndWaitAsync(), true);
        assert.equal(await barrier.arriveAndWaitAsync({ timeout: 0 }), true);
    }
});

test('barrier: a round ends when all have arrived, and only the last arrival returns true', async () => {
    const { barrier, atRest } = makeBarrier(4);
    for (let round = 0; round < 3; round += 1) {
        let over = 0;
        const early = Array.from({ length: 3 }, () =>
            barrier.arriveAndWaitAsync().finally(() => (over += 1)),
        );
        await jobEnds();
        assert.equal(over, 0);
        const last = round === 1 ? barrier.arriveAndWait() : await barrier.arriveAndWaitAsync();
        assert.equal(last, true);
        assert.deepEqual(await met(Promise.all(early), barrier), [false, false, false]);
        atRest();
    }
});

test('barrier: a thread that arrives twice waits in the next round for the others', async () => {
    const { barrier, atRest } = makeBarrier(2);
    /** @type {string[]} */
    const order = [];
    const slow = barrier.arriveAndWaitAsync().then(() => order.push('slow, round 1'));
    await jobEnds();
    assert.equal(barrier.arriveAndWait(), true);
    const fast = barrier.arriveAndWaitAsync().then(() => order.push('fast, round 2'));
    await met(slow, barrier);
    await jobEnds();
    assert.deepEqual(order, ['slow, round 1']);
    assert.equal(barrier.arriveAndWait(), true);
    await met(fast, barrier);
    assert.deepEqual(order, ['slow, round 1', 'fast, round 2']);
    atRest();
});

for (const [end, limitOf] of /** @type {[string, () => import('../../js-glue/index.js').WaitOptions][]} */ ([
    ['its time is up', () => ({ timeout: 2 })],
    ['its time is up at once', () => ({ timeout: 0 })],
    ['its signal aborts', () => ({ signal: AbortSignal.timeout(2) })],
])) {
    test(`barrier: an arrival is withdrawn if ${end}`, async () => {
        const { barrier, atRest } = makeBarrier(3);
        const first = barrier.arriveAndWaitAsync();
        const { name } = /** @type {Error} */ (await reasonOf(barrier.arriveAndWaitAsync(limitOf())));
        assert.equal(name, 'TimeoutError');
        assert.equal(barrier.arriveAndWait(1), null);
        assert.equal(barrier.arriveAndWait(0), null);
        let over = false;
        const second = barrier.arriveAndWaitAsync().finally(() => (over = true));
        await jobEnds();
        assert.equal(over, false, 'the round was over with an arrival that was taken back');
        assert.equal(barrier.arriveAndWait(), true);
        assert.deepEqual(await met(Promise.all([first, second]), barrier), [false, false]);
        atRest();
    });
}

test('barrier: a thread that blocks without a limit keeps waiting after a spurious wake-up', async (t) => {
    const { barrier, atRest } = makeBarrier(2);
    const party = startThread(t, 'party', barrier.handle);
    let isOver = false;
    const last = messageOf(party, 'a round', [barrier]).finally(() => (isOver = true));
    const word = new Int32Array(barrier.memory.buffer, barrier.byteOffset + BARRIER_ROUND_OFFSET, 1);
    // The second wake comes when the thread sleeps again.
    for (let wakes = 0; wakes < 2 && !isOver; wakes += Atomics.notify(word, 0)) {
        await jobEnds();
    }
    assert.equal(isOver, false);
    assert.equal(barrier.arriveAndWait(), true);
    assert.equal(await last, false);
    atRest();
});

test('barrier: an aborted signal or a bad option is rejected before the arrival counts', async () => {
    const { barrier, atRest } = makeBarrier(2);
    const rest = restOf(barrier);
    await reasonOf(barrier.arriveAndWaitAsync({ signal: AbortSignal.abort() }));
    await reasonOf(barrier.arriveAndWaitAsync({ timeout: NaN }));
    assert.throws(() => barrier.arriveAndWait(NaN));
    assert.deepEqual(restOf(barrier), rest);
    atRest();
});

test('barrier: an abort after the end of the round does not withdraw the arrival', async () => {
    const { barrier, atRest } = makeBarrier(2);
    const controller = new AbortController();
    const request = barrier.arriveAndWaitAsync({ signal: controller.signal });
    await jobEnds();
    assert.equal(barrier.arriveAndWait(), true);
    controller.abort();
    assert.equal(await met(request, barrier), false);
    atRest();
});

test('barrier: the round counter wraps at 2 to the 32', async () => {
    const { barrier } = makeBarrier(2);
    const [round] = [new Uint32Array(barrier.memory.buffer, barrier.byteOffset, 1)];
    round[0] = 2 ** 32 - 1;
    for (let count = 0; count < 3; count += 1) {
        const first = barrier.arriveAndWaitAsync();
        await jobEnds();
        assert.equal(barrier.arriveAndWait(), true);
        assert.equal(await met(first, barrier), false);
        assert.equal(round[0], count);
    }
});

test('barrier: the round counter may change its sign', async () => {
    const { barrier } = makeBarrier(2);
    new Uint32Array(barrier.memory.buffer, barrier.byteOffset, 1)[0] = 2 ** 31 - 1;
    for (let count = 0; count < 3; count += 1) {
        const first = barrier.arriveAndWaitAsync();
        await jobEnds();
        assert.throws(() => barrier.arriveAndWait(NaN));
        assert.equal(barrier.arriveAndWait(1), true);
        assert.equal(await met(first, barrier), false);
    }
});
