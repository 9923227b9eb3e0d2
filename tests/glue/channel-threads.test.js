/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Channel } from '../../js-glue/channel.js';
import { LockSpace } from '../../js-glue/index.js';
import { makeBoard, reach, reached } from '../support/board.js';
import { Received } from '../support/channel-messages.js';
import { replaceInEnvironment } from '../support/environment.js';
import { randomOf, seedFor } from '../support/seed.js';
import { messageOf, startThread } from '../support/thread.js';
import { within } from '../support/watchdog.js';

/* Channels among threads: each message arrives once, whole, in the order of its sender. */

const MESSAGES = 500;

for (const [senders, receivers] of /** @type {[number, number][]} */ ([
    [1, 1],
    [3, 1],
    [1, 3],
    [3, 3],
])) {
    test(`channel: each message arrives once, in order (${senders} senders, ${receivers} receivers, an event loop)`, async (t) => {
        const channel = new Channel({ space: new LockSpace({ pages: 2 }), bytes: 1024 });
        t.after(() => channel.close()); // the loop of a failed test would keep the process alive
        const { handle } = channel;
        const board = makeBoard(senders);
        const { below } = randomOf(seedFor(t));
        const seed = () => below(2 ** 32);
        const numbers = Array.from({ length: senders }, (_, sender) => sender);
        const sent = numbers.map((sender) => {
            const data = { handle, sender, messages: MESSAGES, seed: seed(), board };
            return messageOf(startThread(t, 'channel-sender', data), `sender ${sender}`, [channel]);
        });
        const got = Array.from({ length: receivers }, () =>
            messageOf(startThread(t, 'channel-receiver', { handle, seed: seed() }), 'a receiver', [channel]),
        );
        const here = new Received();
        const receive = async () => {
            for await (const bytes of channel) {
                here.add(bytes);
            }
        };
        const receiving = receive();
        const counts = await Promise.all(sent);
        channel.close();
        await within(receiving, 'the main event loop', [channel]);
        const all = [here.senders, ...(await Promise.all(got))];
        for (const sender of numbers) {
            const count = all.reduce((sum, each) => sum + (each[sender]?.count ?? 0), 0);
            assert.equal(count, counts[sender], `of sender ${sender}`);
        }
        assert.equal(channel.length, 0);
    });
}

test('channel: a blocking receive waits for the message of another thread', async (t) => {
    const channel = new Channel({ space: new LockSpace({ pages: 2 }), bytes: 1024 });
    const board = makeBoard(1);
    for (const receive of [
        () => channel.receive(),
        () => channel.receiveInPlace((bytes) => bytes.slice()),
        () => channel.receiveMany(1)?.[0],
    ]) {
        const data = { handle: channel.handle, sender: 0, messages: 1, seed: 2, board };
        const worker = startThread(t, 'channel-sender', data);
        assert.ok(receive() instanceof Uint8Array); // the thread may not have begun yet
        await worker.terminate();
        await channel.receiveManyAsync({ timeout: 0 }).catch(() => {}); // it may send several at once
    }
});

test('channel: a send with a timeout ends in time, although room comes and goes', async (t) => {
    const channel = new Channel({ space: new LockSpace({ pages: 2 }), bytes: 64 });
    while (channel.trySend(new Uint8Array(8))) {
        // until it is full
    }
    const board = makeBoard(4);
    startThread(t, 'channel-victim', { handle: channel.handle, way: 'too little room', board, stage: 0 });
    await within(reached(board, 0), 'the other thread', [channel]);
    assert.equal(channel.trySend(new Uint8Array(24), { timeout: 200 }), false);
    reach(board, 2);
    assert.equal(board[3], 0, 'before the other thread stops');
});

test('channel: a send with a timeout ends in time, although another thread sends when there is room', async (t) => {
    const channel = new Channel({ space: new LockSpace({ pages: 2 }), bytes: 64 });
    channel.sendMany([1, 2, 3].map(() => new Uint8Array(8)));
    const board = makeBoard(4);
    startThread(t, 'channel-victim', { handle: channel.handle, way: 'room, but no turn', board, stage: 0 });
    await within(reached(board, 0), 'the other thread', [channel]);
    // The time limit ends as soon as there is room.
    const now = () => performance.now() + (Atomics.load(board, 1) > 0 ? 100_000 : 0);
    t.after(replaceInEnvironment({ now }));
    assert.equal(channel.trySend(new Uint8Array(24), { timeout: 60_000 }), false);
    reach(board, 2);
    assert.equal(board[3], 0, 'before the other thread stops');
});
