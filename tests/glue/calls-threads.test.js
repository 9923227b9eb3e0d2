/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { Answerer, Caller } from '../../js-glue/channel.js';
import { stationOf } from '../../js-glue/channel/calls.js';
import { makeBoard, reached } from '../support/board.js';
import { answerAll } from '../support/channel-messages.js';
import { replaceInEnvironment } from '../support/environment.js';
import { errorWith } from '../support/errors.js';
import { randomOf, seedFor } from '../support/seed.js';
import { messageOf, startThread } from '../support/thread.js';
import { isQuick } from '../support/tier.js';
import { until, within } from '../support/watchdog.js';

/* Threads that call, and threads that answer: each call ends once, by its own answer or by an error. */

const CALLS = isQuick ? 150 : 600;

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

for (const [threads, callers] of /** @type {[number, number][]} */ ([
    [1, 1],
    [4, 4],
    [5, 2],
    [2, 1],
])) {
    test(`calls: ${threads} threads, ${callers} calls at a time, get their own answers or time out`, async (t) => {
        const answerer = newAnswerer(t, callers);
        const { handle } = answerer;
        const { below } = randomOf(seedFor(t));
        const board = makeBoard(2 * threads);
        const ends = Array.from({ length: threads }, (_, sender) => {
            const data = { handle, sender, calls: CALLS, seed: below(2 ** 32), board };
            return messageOf(startThread(t, 'calls-caller', data), `caller ${sender}`, [answerer]);
        });
        const answered = answerAll(answerer, below);
        for (const all of await Promise.all(ends)) {
            const { answered: count = 0, HF_TIMEOUT: late = 0, ...others } = all;
            assert.deepEqual(others, {});
            assert.equal(count + late, CALLS);
            assert.ok(count >= CALLS / 2, `${count} answers`);
        }
        answerer.close();
        await within(answered, 'the answerer', [answerer]);
    });
}

test('calls: close() ends blocking calls', async (t) => {
    const answerer = newAnswerer(t, 2);
    const board = makeBoard(6);
    const ends = [0, 1, 2].map((sender) => {
        const data = { handle: answerer.handle, sender, calls: Infinity, seed: sender, board };
        return messageOf(startThread(t, 'calls-caller', data), `caller ${sender}`, [answerer]);
    });
    await until(() => [0, 2, 4].every((at) => Number(board[at]) > 0), 'the callers', [answerer]);
    answerer.close();
    for (const all of await Promise.all(ends)) {
        assert.equal(all.HF_CLOSED, 1);
        assert.equal(all.answered, undefined);
    }
});

test('calls: close() ends the loop of a thread that waits for its turn to answer', async (t) => {
    for (const answersHere of [true, false]) {
        const answerer = newAnswerer(t, 1);
        const board = makeBoard(2);
        const start = () => startThread(t, 'answerer', { handle: answerer.handle, board, most: -1 });
        const loop = answerer[Symbol.asyncIterator]();
        if (answersHere) {
            const call = Caller.from(answerer.handle).callAsync(new Uint8Array(1));
            await within(loop.next(), 'a call', [answerer]);
            start();
            await within(reached(board, 1), 'the other thread', [answerer]);
            answerer.close();
            await assert.rejects(call, errorWith('HF_CLOSED', /is closed/));
        } else {
            start();
            await within(Caller.from(answerer.handle).callAsync(new Uint8Array(1)), 'a call', [answerer]);
            const next = loop.next();
            answerer.close();
            assert.equal((await within(next, 'the end here', [answerer])).done, true);
        }
        await within(reached(board, 0), 'the end there', [answerer]);
    }
});

test('calls: a thread that waits for an answer for long is not declared dead', async (t) => {
    const answerer = newAnswerer(t, 1);
    const board = makeBoard(2);
    const data = { handle: answerer.handle, sender: 0, calls: 1, seed: 3, board };
    const worker = startThread(t, 'calls-caller', data);
    const exit = once(worker, 'exit');
    const { value: request } = await within(answerer[Symbol.asyncIterator]().next(), 'a call', [answerer]);
    await new Promise((resolve) => setTimeout(resolve, 700)); // longer than the detection of a death takes
    request?.answer(request.bytes);
    await within(exit, 'the caller', [answerer]);
    answerer.close();
});

test('calls: a blocking call that finds all places taken sleeps until its timeout', async (t) => {
    const answerer = newAnswerer(t, 2);
    const caller = Caller.from(answerer.handle);
    const bytes = new Uint8Array(1);
    const own = caller.callAsync(bytes);
    const data = {
        handle: answerer.handle,
        sender: 0,
        calls: 1,
        seed: 3,
        board: makeBoard(2),
        timeout: Infinity,
    };
    const exit = once(startThread(t, 'calls-caller', data), 'exit');
    await until(() => stationOf(answerer, 0).channel.length === 2, 'both calls', [answerer]);
    let readings = 0;
    const now = () => {
        readings += 1;
        return performance.now();
    };
    t.after(replaceInEnvironment({ now }));
    for (let tries = 0; tries < 2; tries += 1) {
        assert.throws(() => caller.call(bytes, { timeout: 50 }), errorWith('HF_TIMEOUT', /after 50 ms/));
    }
    assert.ok(readings < 300, `it sleeps: ${readings} readings of the clock`);
    const loop = answerer[Symbol.asyncIterator]();
    for (let calls = 0; calls < 2; calls += 1) {
        const { value: request } = await within(loop.next(), 'a call', [answerer]);
        request?.answer(request.bytes);
    }
    await within(Promise.all([own, exit]), 'the calls', [answerer]);
});

test('calls: a blocking call that waits long for room then sends its request', async (t) => {
    const answerer = newAnswerer(t, 3);
    const { handle } = answerer;
    const caller = Caller.from(handle);
    const calls = [1, 2].map(() => caller.callAsync(new Uint8Array(caller.largest))); // fill the ring
    const data = { handle, sender: 0, calls: 1, seed: 3, board: makeBoard(2), timeout: Infinity };
    const exit = once(startThread(t, 'calls-caller', data), 'exit');
    await until(() => data.board[0] === 1, 'the caller', [answerer]);
    await new Promise((resolve) => setTimeout(resolve, 700)); // longer than the call waits at a time
    const answer = async () => {
        for await (const request of answerer) {
            request.answer(request.bytes);
        }
    };
    const answered = answer();
    await within(Promise.all([...calls, exit]), 'the calls', [answerer]);
    answerer.close();
    await answered;
});

test('calls: a blocking call that has timed out no longer waits for its answer', async (t) => {
    const answerer = newAnswerer(t, 1);
    const data = {
        handle: answerer.handle,
        sender: 0,
        calls: 1,
        seed: 4,
        board: makeBoard(2),
        timeout: 1000,
    };
    const exit = once(startThread(t, 'calls-caller', data), 'exit');
    const { value: request } = await within(answerer[Symbol.asyncIterator]().next(), 'a call', [answerer]);
    await within(exit, 'the caller', [answerer]);
    assert.equal(request?.isAwaited, false);
    assert.equal(request?.answer(request.bytes), false);
});
