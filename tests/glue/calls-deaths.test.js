/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Answerer, Caller } from '../../js-glue/channel.js';
import { stationOf } from '../../js-glue/channel/calls.js';
import { makeBoard, reached } from '../support/board.js';
import { answerAll, makeMessage } from '../support/channel-messages.js';
import { errorWith } from '../support/errors.js';
import { jobEnds } from '../support/event-loop.js';
import { randomOf, seedFor } from '../support/seed.js';
import { startThread } from '../support/thread.js';
import { isQuick } from '../support/tier.js';
import { until, within } from '../support/watchdog.js';

/* Threads that die as they call or answer: each call ends, and other threads continue. */

const DEATHS = isQuick ? 3 : 10;

/**
 * Makes an answerer that is closed when the test ends, since the loop of a failed test would keep the process
 * alive.
 *
 * @param {import('node:test').TestContext} t
 * @param {number} callers
 */
function newAnswerer(t, callers) {
    const answerer = new Answerer({ name: 'files', bytes: 512, callers });
    t.after(() => answerer.close());
    return answerer;
}

test('calls: the death of the answering thread ends pending calls; another thread can answer later ones', async (t) => {
    const answerer = newAnswerer(t, 3);
    const { handle } = answerer;
    const caller = Caller.from(handle);
    const bytes = new Uint8Array(4);
    const board = makeBoard(2);
    const worker = startThread(t, 'answerer', { handle, board, most: 5 });
    for (let number = 0; number < 5; number += 1) {
        assert.deepEqual(caller.call(bytes), bytes);
    }
    const isDead = errorWith('HF_ABANDONED', /^Answerer 'files' is abandoned: worker \d+ died answering\./);
    const calls = Promise.all([1, 2].map(() => assert.rejects(caller.callAsync(bytes), isDead)));
    await within(reached(board, 0), 'the answerer', [answerer]);
    const lateCall = () => caller.call(bytes, { timeout: 30 });
    assert.throws(lateCall, errorWith('HF_TIMEOUT', /held by worker/));
    assert.throws(lateCall, (error) => /** @type {any} */ (error).heldFor >= 30);
    const began = performance.now();
    await worker.terminate();
    assert.throws(() => caller.call(bytes), isDead);
    await within(calls, 'the calls', [answerer]);
    t.diagnostic(`after ${(performance.now() - began).toFixed(0)} ms`);
    assert.throws(() => caller.call(bytes), isDead);
    assert.throws(
        () => caller.call(bytes),
        (error) => /^worker \d+$/.test(/** @type {any} */ (error).owner),
    );
    startThread(t, 'answerer', { handle, board, most: -1 });
    const goesOn = () => {
        try {
            return caller.call(bytes, { timeout: 5 }).length === 4;
        } catch {
            return false;
        }
    };
    await until(goesOn, 'the next answerer', [answerer]);
});

test('calls: a second answering thread waits until the first has died', async (t) => {
    const answerer = newAnswerer(t, 2);
    const { handle } = answerer;
    const board = makeBoard(2);
    const worker = startThread(t, 'answerer', { handle, board, most: 0 });
    const calls = [Caller.from(handle).callAsync(Uint8Array.of(1))];
    await within(reached(board, 0), 'the answerer', [answerer]);
    const stop = new AbortController();
    const second = Caller.from(handle).callAsync(Uint8Array.of(4), { signal: stop.signal });
    const next = answerer[Symbol.asyncIterator]().next();
    for (let jobs = 0; jobs < 20; jobs += 1) {
        await jobEnds();
    }
    assert.equal(stationOf(answerer, 0).channel.length, 1, 'the second request stays for the first thread');
    stop.abort('enough');
    await within(
        assert.rejects(second, (reason) => reason === 'enough'),
        'the second call',
        [answerer],
    );
    await worker.terminate();
    await within(assert.rejects(calls[0] ?? assert.fail(), errorWith('HF_ABANDONED', /died/)), 'a call', [
        answerer,
    ]);
    const again = async () => {
        for (;;) {
            try {
                return await Caller.from(handle).callAsync(Uint8Array.of(2));
            } catch (error) {
                assert.equal(/** @type {any} */ (error).code, 'HF_ABANDONED');
                await new Promise((resolve) => setTimeout(resolve, 5));
            }
        }
    };
    const answer = again();
    const { value: request } = await within(next, 'the next answerer', [answerer]);
    assert.deepEqual(request?.bytes, Uint8Array.of(2));
    request?.answer(Uint8Array.of(3));
    assert.deepEqual(await within(answer, 'a call', [answerer]), Uint8Array.of(3));
});

test('calls: the death of a calling thread leaves no state behind', async (t) => {
    const answerer = newAnswerer(t, 2);
    const { handle } = answerer;
    const { below } = randomOf(seedFor(t));
    const answered = answerAll(answerer, below);
    for (let sender = 0; sender < DEATHS; sender += 1) {
        const board = makeBoard(2 * DEATHS);
        const data = { handle, sender, calls: Infinity, seed: below(2 ** 32), board };
        const worker = startThread(t, 'calls-caller', data);
        await until(() => Number(board[2 * sender + 1]) > below(40), 'calls', [answerer]);
        await worker.terminate();
        // After the deaths both stations are free.
        const caller = Caller.from(handle);
        const calls = Array.from({ length: 4 }, (_, number) => {
            const bytes = makeMessage(DEATHS + 4 * sender + number, 0, 3);
            return caller.callAsync(bytes).then((answer) => assert.deepEqual(answer, bytes));
        });
        await within(Promise.all(calls), 'calls', [answerer]);
    }
    answerer.close();
    await within(answered, 'the answerer', [answerer]);
});
