/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Channel } from '../../js-glue/channel.js';
import { LockSpace } from '../../js-glue/index.js';
import {
    CHANNEL_RECEIVERS_OFFSET,
    CHANNEL_SENDERS_OFFSET,
    MUTEX_BYTES,
} from '../../js-glue/memory/layout.js';
import { makeBoard, reached } from '../support/board.js';
import { makeMessage, Received } from '../support/channel-messages.js';
import { errorWith } from '../support/errors.js';
import { randomOf, seedFor } from '../support/seed.js';
import { startThread } from '../support/thread.js';
import { isQuick } from '../support/tier.js';
import { until, within } from '../support/watchdog.js';
import { wordsOf } from '../support/words.js';

/* Threads that die as they send or receive do not block others. */

const DEATHS = isQuick ? 3 : 6;

/**
 * Makes a channel that is closed when the test ends, since the loop of a failed test would keep the process
 * alive.
 *
 * @param {import('node:test').TestContext} t
 */
function newChannel(t, bytes = 1024) {
    const channel = new Channel({ space: new LockSpace({ pages: 2 }), bytes });
    t.after(() => channel.close());
    return channel;
}

/** Checks that both sides are free, and that no mark of a dead thread is left. @param {Channel} channel */
function assertUnlocked(channel) {
    const words = wordsOf(channel);
    for (const side of [CHANNEL_SENDERS_OFFSET, CHANNEL_RECEIVERS_OFFSET]) {
        assert.deepEqual(words.slice(side / 4, (side + MUTEX_BYTES) / 4), new Array(MUTEX_BYTES / 4).fill(0));
    }
}

test('channel: a message is not sent if its thread dies in the send, and other threads can soon send', async (t) => {
    const channel = newChannel(t);
    for (const isBlocking of [false, true]) {
        const board = makeBoard(1);
        const data = { handle: channel.handle, way: 'a send in place', board, stage: 0 };
        const worker = startThread(t, 'channel-victim', data);
        await within(reached(board, 0), 'the victim', [channel]);
        assert.equal(channel.trySend(new Uint8Array(2)), false);
        const isHeld = errorWith('HF_TIMEOUT', /waiting for Channel at \d+, held by worker \d+/);
        await assert.rejects(channel.sendAsync(new Uint8Array(2), { timeout: 1 }), isHeld);
        const sent = isBlocking ? undefined : channel.sendAsync(new Uint8Array(2));
        await sleep(20);
        void worker.terminate();
        if (sent) {
            await within(sent, 'a send', [channel]);
        } else {
            channel.send(new Uint8Array(2));
        }
        assert.equal(channel.receive()?.length, 2);
        assert.equal(channel.length, 0);
        assertUnlocked(channel);
    }
});

test('channel: if a thread dies in a receive, the next receiver gets the message', async (t) => {
    const channel = newChannel(t);
    for (const isBlocking of [false, true]) {
        const board = makeBoard(1);
        channel.send(Uint8Array.of(1));
        channel.send(Uint8Array.of(2));
        const data = { handle: channel.handle, way: 'a receive in place', board, stage: 0 };
        const worker = startThread(t, 'channel-victim', data);
        await within(reached(board, 0), 'the victim', [channel]);
        assert.equal(channel.tryReceive(), undefined);
        const got = isBlocking ? undefined : channel.receiveAsync();
        await sleep(20);
        void worker.terminate();
        const first = got ? await within(got, 'a receive', [channel]) : channel.receive();
        assert.deepEqual(first, Uint8Array.of(1));
        assert.deepEqual(channel.receive(), Uint8Array.of(2));
        assertUnlocked(channel);
    }
});

test('channel: a thread that uses a message in place for long keeps it, and others can send meanwhile', async (t) => {
    const channel = newChannel(t);
    const board = makeBoard(1);
    channel.send(Uint8Array.of(1));
    const data = { handle: channel.handle, way: 'a receive in place', board, stage: 0 };
    const worker = startThread(t, 'channel-victim', data);
    await within(reached(board, 0), 'the receiver', [channel]);
    const late = channel.receiveAsync({ timeout: 700 }); // longer than the detection of a death takes
    assert.equal(channel.trySend(Uint8Array.of(2)), true);
    const isHeld = errorWith('HF_TIMEOUT', /waiting for Channel at \d+, held by worker \d+/);
    await within(assert.rejects(late, isHeld), 'the time limit', [channel]);
    assert.equal(channel.length, 2);
    await worker.terminate();
    assert.deepEqual(await within(channel.receiveAsync(), 'a receive', [channel]), Uint8Array.of(1));
});

test('channel: threads that die while they wait lose no message', async (t) => {
    const channel = newChannel(t, 64);
    for (const [way, free] of /** @type {const} */ ([
        ['a wait for room', async () => assert.ok(await channel.receiveManyAsync())],
        ['a wait for a message', () => channel.sendAsync(Uint8Array.of(1))],
    ])) {
        const board = makeBoard(1);
        const worker = startThread(t, 'channel-victim', { handle: channel.handle, way, board, stage: 0 });
        await within(reached(board, 0), 'the victim', [channel]);
        await until(() => way !== 'a wait for room' || channel.length === 8, 'a full channel', [channel]);
        await sleep(30); // long enough for the thread to fall asleep
        await worker.terminate();
        await within(free(), way, [channel]);
        await within(channel.sendAsync(Uint8Array.of(2)), 'a send', [channel]);
        const got = await within(channel.receiveManyAsync(), 'a receive', [channel]);
        assert.deepEqual(got?.at(-1), Uint8Array.of(2));
    }
});

test('channel: senders that are terminated at any time lose no message whose send has returned', async (t) => {
    const channel = newChannel(t);
    const { below } = randomOf(seedFor(t));
    const received = new Received();
    const receive = async () => {
        for await (const bytes of channel) {
            received.add(bytes);
        }
    };
    const receiving = receive();
    for (let sender = 0; sender < DEATHS; sender += 1) {
        const board = makeBoard(DEATHS);
        const data = { handle: channel.handle, sender, messages: Infinity, seed: below(2 ** 32), board };
        const worker = startThread(t, 'channel-sender', data);
        await until(() => Number(board[sender]) > 20 + below(200), 'messages', [channel]);
        await worker.terminate();
        const told = Number(board[sender]);
        await within(channel.sendAsync(makeMessage(DEATHS, sender, 0)), 'a send', [channel]);
        const isThere = () => (received.senders[sender]?.count ?? 0) >= told;
        await until(isThere, `${told} messages`, [channel]);
        const { count, last } = received.senders[sender] ?? { count: 0, last: 0 };
        assert.equal(count, last + 1, 'none is missing in the middle');
    }
    channel.close();
    await within(receiving, 'the end', [channel]);
});
