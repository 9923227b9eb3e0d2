/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { Answerer, Caller } from '../../js-glue/channel.js';
import { makeBoard, reached } from '../support/board.js';
import { makeMessage, Received } from '../support/channel-messages.js';
import { errorWith } from '../support/errors.js';
import { randomOf, seedFor } from '../support/seed.js';
import { messageOf, startThread } from '../support/thread.js';
import { isQuick } from '../support/tier.js';
import { until, within } from '../support/watchdog.js';

/* Threads that call, and threads that answer: each call ends once, by its own answer or by an error, even if
 * threads die. */

const CALLS = isQuick ? 150 : 1500;
const DEATHS = isQuick ? 3 : 10;

/** @param {number} callers */
const newAnswerer = (callers) => new Answerer({ name: 'files', bytes: 512, callers });

/**
 * Answers at once, after a while, or twice, always with the bytes of the request.
 *
 * @param {Answerer} answerer
 * @param {(most: number) => number} below
 */
async function answerAll(answerer, below) {
    const received = new Received();
    for await (const request of answerer) {
        received.add(request.bytes);
        if (below(8) === 0) {
            setTimeout(() => request.answer(request.bytes), below(6));
        } else {
            request.answer(request.bytes);
            request.answer(Uint8Array.of(1));
        }
    }
    return received.senders;
}

for (const [threads, callers] of /** @type {[number, number][]} */ ([
    [1, 1],
    [4, 4],
    [5, 2],
])) {
    test(`calls: ${threads} threads, ${callers} calls at a time, get their own answers or time out`, async (t) => {
        const answerer = newAnswerer(callers);
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
    const answerer = newAnswerer(2);
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

test('calls: the death of the answering thread ends the calls, and another thread takes its place', async (t) => {
    const answerer = newAnswerer(3);
    const { handle } = answerer;
    const caller = Caller.from(handle);
    const bytes = new Uint8Array(4);
    const board = makeBoard(1);
    const worker = startThread(t, 'answerer', { handle, board, most: 5 });
    for (let number = 0; number < 5; number += 1) {
        assert.deepEqual(caller.call(bytes), bytes);
    }
    const calls = [caller.callAsync(bytes), caller.callAsync(bytes)];
    await within(reached(board, 0), 'the answerer', [answerer]);
    const began = performance.now();
    await worker.terminate();
    const isDead = errorWith('HF_ABANDONED', /^Answerer 'files' is abandoned: .* died answering\./);
    assert.throws(() => caller.call(bytes), isDead);
    for (const call of calls) {
        await within(assert.rejects(call, isDead), 'a call', [answerer]);
    }
    t.diagnostic(`after ${(performance.now() - began).toFixed(0)} ms`);
    assert.throws(() => caller.call(bytes), isDead);
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
    const answerer = newAnswerer(1);
    const { handle } = answerer;
    const board = makeBoard(1);
    const worker = startThread(t, 'answerer', { handle, board, most: 0 });
    const calls = [Caller.from(handle).callAsync(Uint8Array.of(1))];
    await within(reached(board, 0), 'the answerer', [answerer]);
    const next = answerer[Symbol.asyncIterator]().next();
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

test('calls: a thread that dies during a call leaves nothing behind', async (t) => {
    const answerer = newAnswerer(2);
    const { handle } = answerer;
    const { below } = randomOf(seedFor(t));
    const answered = answerAll(answerer, below);
    for (let sender = 0; sender < DEATHS; sender += 1) {
        const board = makeBoard(2 * DEATHS);
        const data = { handle, sender, calls: Infinity, seed: below(2 ** 32), board };
        const worker = startThread(t, 'calls-caller', data);
        await until(() => Number(board[2 * sender + 1]) > below(40), 'calls', [answerer]);
        await worker.terminate();
        // Both stations are free again after the deaths.
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

test('calls: a thread that waits long for an answer is not declared dead', async (t) => {
    const answerer = newAnswerer(1);
    const board = makeBoard(2);
    const data = { handle: answerer.handle, sender: 0, calls: 1, seed: 3, board };
    const worker = startThread(t, 'calls-caller', data);
    const exit = once(worker, 'exit');
    const { value: request } = await within(answerer[Symbol.asyncIterator]().next(), 'a call', [answerer]);
    await new Promise((resolve) => setTimeout(resolve, 700)); // longer than it takes to find a death
    request?.answer(request.bytes);
    await within(exit, 'the caller', [answerer]);
    answerer.close();
});
