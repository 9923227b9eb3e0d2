/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTask } from 'node:timers/promises';
import { Channel } from '../../js-glue/channel.js';
import { LockSpace, Mutex } from '../../js-glue/index.js';
import {
    CHANNEL_COUNT_OFFSET,
    CHANNEL_RECEIVERS_OFFSET,
    CHANNEL_RING_OFFSET,
    CHANNEL_SENDERS_OFFSET,
    CHANNEL_WORD_OFFSET,
} from '../../js-glue/memory/layout.js';
import { work } from '../support/board.js';
import { waitWithoutLimit } from '../support/endless.js';
import { replaceInEnvironment } from '../support/environment.js';
import { errorWith } from '../support/errors.js';
import { jobEnds } from '../support/event-loop.js';
import { within } from '../support/watchdog.js';

/* The channel on one thread. Threads use it in channel-threads.test.js. */

waitWithoutLimit();

/** @type {<T>(promise: Promise<T>, channel: Channel) => Promise<T>} */
const met = (promise, channel) => within(promise, 'a request', [channel]);

/** @param {number} size @param {number} number */
const messageOf = (size, number = 0) => Uint8Array.from({ length: size }, (_, at) => number * 31 + at);

const empty = new Uint8Array();

/** Fills a channel with messages of 8 bytes. @param {Channel} channel @returns {number} how many */
function fill(channel) {
    let count = 0;
    while (channel.trySend(messageOf(8, count))) {
        count += 1;
    }
    return count;
}

/** @param {Channel} channel all of whose messages are read */
function drain(channel) {
    const messages = [];
    for (let next = channel.tryReceive(); next; next = channel.tryReceive()) {
        messages.push(next);
    }
    return messages;
}

const LONGER_THAN_A_BURST_MS = 6;

test('channel: messages of each size arrive in order, wherever they begin in the ring buffer', () => {
    const channel = new Channel({ bytes: 256 });
    assert.deepEqual(
        [channel.bytes, channel.largest, channel.length, channel.isClosed],
        [256, 120, 0, false],
    );
    for (let round = 0; round < 10; round += 1) {
        for (let size = 0; size <= channel.largest; size += 1) {
            channel.send(messageOf(size, round));
            assert.equal(channel.length, 1);
            const received = channel.receive();
            assert.deepEqual(received, messageOf(size, round));
            assert.equal(channel.length, 0);
        }
    }
    assert.equal(channel.tryReceive(), undefined);
});

test('channel: sent and received messages are copies', () => {
    const channel = new Channel();
    const sent = messageOf(8, 1);
    channel.send(sent);
    sent.fill(0);
    const received = channel.receive();
    channel.send(messageOf(8, 2));
    assert.deepEqual(received, messageOf(8, 1));
    assert.ok(received?.buffer instanceof ArrayBuffer);
    assert.deepEqual(channel.receive(), messageOf(8, 2));
});

test('channel: a message may be any ArrayBufferView, or a buffer', () => {
    const channel = new Channel();
    const shared = new SharedArrayBuffer(4);
    const messages = [
        new Float64Array([1]),
        new DataView(messageOf(9).buffer, 3, 4),
        messageOf(5).buffer,
        shared,
        new Uint8Array(shared),
        messageOf(12).subarray(2, 4),
    ];
    messages.forEach((message) => channel.send(message));
    const received = channel.receiveMany() ?? [];
    assert.deepEqual(
        received.map((bytes) => [...bytes]),
        [
            [0, 0, 0, 0, 0, 0, 240, 63],
            [3, 4, 5, 6],
            [0, 1, 2, 3, 4],
            [0, 0, 0, 0],
            [0, 0, 0, 0],
            [2, 3],
        ],
    );
});

test(
    'channel: a message that is resized while it waits is refused',
    { skip: !('resize' in ArrayBuffer.prototype) },
    async () => {
        const channel = new Channel({ space: new LockSpace(), bytes: 64 });
        const end = channel.byteOffset + Channel.BYTES + channel.bytes;
        for (const resize of [4, 0, 64]) {
            const count = fill(channel);
            const buffer = new /** @type {any} */ (ArrayBuffer)(8, { maxByteLength: 64 });
            const message = new Uint8Array(buffer);
            const sent = channel.sendAsync(message);
            await jobEnds();
            buffer.resize(resize);
            message.fill(0xa5);
            const behind = new Uint8Array(channel.memory.buffer).slice(end, end + 64);
            channel.receive();
            const isChanged = errorWith('HF_BAD_MESSAGE', /The message was resized/);
            await assert.rejects(met(sent, channel), isChanged);
            assert.deepEqual(new Uint8Array(channel.memory.buffer).slice(end, end + 64), behind);
            assert.equal(drain(channel).length, count - 1);
        }
    },
);

test('channel: on a full channel a try fails, a timed send times out, and requests wait in their order', async () => {
    const channel = new Channel({ bytes: 64 });
    assert.equal(fill(channel), 4);
    assert.equal(channel.length, 4);
    assert.equal(channel.trySend(empty), false);
    assert.equal(channel.trySend(empty, { timeout: 1 }), false);
    const isLate = errorWith('HF_TIMEOUT', /^Timed out after 1 ms waiting for Channel at \d+\.$/);
    await assert.rejects(channel.sendAsync(empty, { timeout: 1 }), isLate);
    await assert.rejects(channel.sendAsync(empty, { timeout: 0 }), errorWith('HF_TIMEOUT', /after 0 ms/));

    const sent = [20, 0, 5].map((size) => channel.sendAsync(messageOf(size, size)));
    await jobEnds();
    assert.equal(channel.length, 4);
    channel.receive();
    await jobEnds();
    assert.equal(channel.length, 3, 'a small message does not overtake a large one of its thread');
    assert.equal(drain(channel).length, 3);
    await met(Promise.all(sent), channel);
    assert.deepEqual(
        drain(channel).map(({ length }) => length),
        [20, 0, 5],
    );
});

test('channel: a call with a timeout sleeps while it waits', (t) => {
    const channel = new Channel({ bytes: 64 });
    let readings = 0;
    const now = () => {
        readings += 1;
        return performance.now();
    };
    t.after(replaceInEnvironment({ now }));
    assert.equal(channel.tryReceive(50), undefined);
    fill(channel);
    assert.equal(channel.trySend(empty, { timeout: 50 }), false);
    assert.ok(readings < 300, `${readings} readings of the clock`);
});

test('channel: after a request is aborted or times out, the next request sends', async () => {
    const channel = new Channel({ bytes: 64 });
    fill(channel);
    const aborter = new AbortController();
    const large = channel.sendAsync(messageOf(24), { signal: aborter.signal });
    const small = channel.sendAsync(messageOf(8, 9));
    await jobEnds();
    channel.receive();
    await jobEnds();
    aborter.abort('enough');
    await assert.rejects(met(large, channel), (reason) => reason === 'enough');
    await met(small, channel);
    assert.deepEqual(drain(channel).at(-1), messageOf(8, 9));
});

test('channel: receivers are served in the order in which they wait, and can time out or abort', async () => {
    const channel = new Channel();
    assert.equal(channel.tryReceive(1), undefined);
    await assert.rejects(channel.receiveAsync({ timeout: 1 }), errorWith('HF_TIMEOUT', /after 1 ms/));
    const aborter = new AbortController();
    const first = channel.receiveAsync({ signal: aborter.signal });
    const others = [channel.receiveAsync(), channel.receiveInPlaceAsync((bytes) => bytes[0])];
    await jobEnds();
    aborter.abort('enough');
    await assert.rejects(met(first, channel), (reason) => reason === 'enough');
    channel.send(messageOf(3, 1));
    channel.send(Uint8Array.of(77));
    assert.deepEqual(await met(Promise.all(others), channel), [messageOf(3, 1), 77]);
});

test('channel: calls that do not wait never take the message or the room of a pending request', async () => {
    const channel = new Channel({ bytes: 64 });
    const received = channel.receiveAsync();
    await jobEnds();
    channel.sendMany([Uint8Array.of(1), Uint8Array.of(2)]);
    assert.deepEqual(channel.tryReceive(), Uint8Array.of(1));
    assert.deepEqual(await met(received, channel), Uint8Array.of(2));

    fill(channel);
    const sent = channel.sendAsync(messageOf(8, 9));
    await jobEnds();
    channel.receive();
    assert.equal(channel.trySend(messageOf(24)), false);
    await met(sent, channel);
    assert.deepEqual(drain(channel).at(-1), messageOf(8, 9));
});

test('channel: a closed channel gives its remaining messages, and then null', async () => {
    const channel = new Channel({ bytes: 64, name: 'pipe' });
    const count = fill(channel);
    const waiting = channel.sendAsync(empty);
    await jobEnds();
    channel.close();
    channel.close();
    const isClosed = errorWith('HF_CLOSED', /^Channel 'pipe' is closed\.$/);
    await assert.rejects(met(waiting, channel), isClosed);
    assert.throws(() => channel.send(empty), isClosed);
    assert.throws(() => channel.trySend(empty), isClosed);
    assert.throws(() => channel.sendMany([empty]), isClosed);
    assert.throws(() => channel.sendInPlace(1, () => {}), isClosed);
    await assert.rejects(channel.sendAsync(empty), isClosed);
    assert.equal(channel.isClosed, true);
    assert.equal(channel.length, count);
    assert.equal(drain(channel).length, count);
    assert.equal(channel.receive(), null);
    assert.equal(channel.tryReceive(), null);
    assert.equal(channel.receiveMany(), null);
    assert.equal(channel.tryReceiveMany({ most: 1, timeout: 10 }), null);
    assert.equal(
        channel.receiveInPlace(() => 1),
        null,
    );
    assert.equal(await channel.receiveAsync(), null);
    assert.equal(await channel.receiveManyAsync(), null);
});

test('channel: close() ends the waits of receivers', async () => {
    const channel = new Channel();
    const waits = [channel.receiveAsync(), channel.receiveManyAsync(), channel.receiveInPlaceAsync(() => 1)];
    await jobEnds();
    channel.close();
    assert.deepEqual(await met(Promise.all(waits), channel), [null, null, null]);
});

test('channel: batches are sent and received at once, even across the end of the ring buffer', () => {
    const channel = new Channel({ bytes: 128 });
    for (let round = 0; round < 40; round += 1) {
        const messages = [7, 0, 3, 11].map((size) => messageOf(size, round));
        channel.sendMany(messages);
        assert.equal(channel.length, 4);
        const received = channel.receiveMany(3);
        assert.deepEqual(received, messages.slice(0, 3));
        assert.deepEqual(channel.tryReceiveMany(), messages.slice(3));
        channel.sendMany(messages);
        assert.deepEqual(channel.tryReceiveMany({ most: 1 }), messages.slice(0, 1));
        assert.equal(channel.receiveMany()?.length, 3);
        assert.equal(channel.tryReceiveMany(), undefined);
    }
});

test('channel: a try sends the part of a batch that fits, and nothing if a message is too large', () => {
    const channel = new Channel({ bytes: 64 });
    const five = Array.from({ length: 5 }, (_, number) => messageOf(8, number));
    assert.equal(channel.trySendMany(five), 4);
    assert.equal(channel.trySendMany(five, { timeout: 1 }), 0);
    assert.deepEqual(channel.receiveMany(), five.slice(0, 4));
    assert.equal(channel.trySendMany([]), 0);
    assert.throws(
        () => channel.sendMany([empty, new Uint8Array(25)]),
        errorWith('HF_OVERFLOW', /A message of 25 bytes is too large for Channel at \d+, which takes 24/),
    );
    assert.equal(channel.length, 0);
});

test('channel: callbacks write and read a message in place', async () => {
    const channel = new Channel({ bytes: 64 });
    channel.sendInPlace(3, (bytes) => {
        assert.equal(bytes.length, 3);
        bytes.set([1, 2, 3]);
        assert.equal(channel.length, 0);
    });
    assert.equal(
        channel.trySendInPlace(2, (bytes) => bytes.set([4, 5])),
        true,
    );
    await channel.sendInPlaceAsync(1, (bytes) => bytes.fill(6));
    const texts = [
        channel.receiveInPlace((bytes) => {
            assert.equal(channel.length, 3, 'it is there until the callback returns');
            return bytes.join();
        }),
        channel.tryReceiveInPlace((bytes) => bytes.join()),
        await channel.receiveInPlaceAsync((bytes) => bytes.join()),
    ];
    assert.deepEqual(texts, ['1,2,3', '4,5', '6']);
    assert.equal(
        channel.tryReceiveInPlace(() => 1),
        undefined,
    );
    fill(channel);
    assert.equal(
        channel.trySendInPlace(1, () => {}),
        false,
    );
});

test('channel: a callback that throws sends and removes nothing', async () => {
    const channel = new Channel();
    const error = new Error('no');
    const fail = () => {
        throw error;
    };
    const isIt = (/** @type {unknown} */ reason) => reason === error;
    assert.throws(() => channel.sendInPlace(8, fail), isIt);
    await assert.rejects(channel.sendInPlaceAsync(8, fail), isIt);
    assert.equal(channel.length, 0);
    channel.send(messageOf(2, 7));
    assert.throws(() => channel.receiveInPlace(fail), isIt);
    await assert.rejects(channel.receiveInPlaceAsync(fail), isIt);
    assert.deepEqual(channel.receive(), messageOf(2, 7));
});

test('channel: a callback in place that returns a promise is refused, without effect', async () => {
    const channel = new Channel();
    const isAsync = errorWith('HF_BAD_CALLBACK', /returned a promise/);
    assert.throws(() => channel.sendInPlace(8, async () => {}), isAsync);
    await assert.rejects(
        channel.sendInPlaceAsync(8, async () => {}),
        isAsync,
    );
    channel.send(messageOf(2, 7));
    assert.throws(() => channel.receiveInPlace(/** @type {any} */ (async () => {})), isAsync);
    assert.deepEqual(channel.receive(), messageOf(2, 7));
    assert.equal(channel.length, 0);
});

test('channel: a call that would wait for its own callback is refused', async () => {
    const channel = new Channel();
    const isDeadlock = errorWith('HF_DEADLOCK', /A callback of this thread uses Channel at \d+ in place/);
    /** @type {Promise<void> | undefined} */
    let later;
    channel.sendInPlace(1, (bytes) => {
        bytes[0] = 1;
        assert.throws(() => channel.send(empty), isDeadlock);
        assert.throws(() => channel.trySend(empty, { timeout: 0.5 }), isDeadlock);
        assert.equal(channel.trySend(empty), false);
        assert.equal(
            channel.trySendInPlace(0, () => {}),
            false,
        );
        assert.equal(channel.trySendMany([empty]), 0);
        later = channel.sendAsync(Uint8Array.of(2));
    });
    await met(/** @type {Promise<void>} */ (later), channel);
    channel.receiveInPlace((bytes) => {
        assert.equal(bytes[0], 1);
        assert.throws(() => channel.receive(), isDeadlock);
        assert.equal(channel.tryReceive(), undefined);
        assert.equal(
            channel.tryReceiveInPlace(() => {}),
            undefined,
        );
        assert.equal(channel.tryReceiveMany(), undefined);
        channel.send(empty);
    });
    assert.deepEqual(channel.receive(), Uint8Array.of(2));
    assert.deepEqual(channel.receive(), empty);
});

test('channel: a callback in place may not wait for its own end', () => {
    const channel = new Channel({ bytes: 64 });
    const isDeadlock = errorWith('HF_DEADLOCK', /A callback of this thread uses Channel at \d+ in place/);
    channel.sendInPlace(1, () => {
        assert.throws(() => channel.receive(), isDeadlock);
        assert.throws(() => channel.tryReceive(5), isDeadlock);
        assert.throws(() => Channel.from(channel.handle).receiveMany(), isDeadlock);
        assert.equal(channel.tryReceive(), undefined);
    });
    assert.equal(channel.length, 1);
    channel.receive();
    const count = fill(channel);
    channel.receiveInPlace(() => {
        assert.throws(() => channel.send(empty), isDeadlock);
        assert.throws(() => channel.trySend(empty, { timeout: 5 }), isDeadlock);
        assert.throws(() => channel.sendMany([empty, empty]), isDeadlock);
        assert.equal(channel.trySend(empty), false);
    });
    assert.equal(channel.length, count - 1);
    channel.send(empty);
});

test('channel: free() is refused while a callback uses the channel in place', () => {
    const space = new LockSpace({ pages: 2 });
    const channel = new Channel({ space, bytes: 64 });
    const isUsed = errorWith('HF_BAD_ADDRESS', /A callback of this thread uses this channel in place/);
    channel.sendInPlace(1, (bytes) => {
        assert.throws(() => space.free(channel), isUsed);
        assert.throws(() => space.free(channel.byteOffset), isUsed);
        bytes[0] = 7;
    });
    channel.receiveInPlace((bytes) => {
        assert.throws(() => space.free(channel), isUsed);
        assert.equal(bytes[0], 7);
    });
    assert.equal(channel.length, 0);
    space.free(channel);
});

test('channel: a for-await loop takes one message at a time while other requests wait', async () => {
    const channel = new Channel();
    const other = Channel.from(channel.handle);
    const loop = channel[Symbol.asyncIterator]();
    const first = loop.next();
    const requests = [channel.receiveAsync(), other.receiveInPlaceAsync((bytes) => bytes[0])];
    const more = channel.receiveManyAsync();
    for (let number = 0; number < 5; number += 1) {
        channel.send(Uint8Array.of(number));
    }
    assert.deepEqual((await met(first, channel)).value, Uint8Array.of(0));
    const [alone, inPlace] = await met(Promise.all(requests), channel);
    assert.deepEqual([alone, inPlace], [Uint8Array.of(1), 2]);
    assert.deepEqual(await met(more, channel), [Uint8Array.of(3), Uint8Array.of(4)]);
});

test('channel: a for-await loop gets all messages, and ends when the channel is closed', async () => {
    const channel = new Channel({ bytes: 1024 });
    const send = async () => {
        for (let number = 0; number < 500; number += 1) {
            await channel.sendAsync(messageOf(number % 100, number));
        }
        channel.close();
    };
    const all = send();
    let number = 0;
    for await (const bytes of channel) {
        assert.deepEqual(bytes, messageOf(number % 100, number));
        number += 1;
    }
    await all;
    assert.equal(number, 500);
});

test('channel: after a break, messages that the loop has received but not yielded are received next', async () => {
    const channel = new Channel();
    channel.sendMany([1, 20, 2, 3, 4, 5, 6].map((number) => Uint8Array.of(number)));
    for await (const bytes of channel) {
        assert.equal(bytes[0], 1);
        break;
    }
    assert.equal(channel.length, 0);
    channel.send(Uint8Array.of(7));
    assert.deepEqual(await channel.receiveManyAsync({ most: 1 }), [Uint8Array.of(20)]);
    assert.equal(channel.tryReceive()?.[0], 2);
    assert.equal((await channel.receiveAsync())?.[0], 3);
    assert.throws(() => channel.receiveInPlace(() => assert.fail()), assert.AssertionError);
    assert.equal(
        channel.receiveInPlace(([first]) => first),
        4,
    );
    assert.equal(await channel.receiveInPlaceAsync(([first]) => first), 5);
    channel.close();
    const rest = [];
    for await (const bytes of channel) {
        rest.push(bytes[0]);
    }
    assert.deepEqual(rest, [6, 7]);
});

test('channel: after a break, one message that the loop has received but not yielded is received next', async () => {
    const channel = new Channel();
    for (const receive of [
        async () => (await channel.receiveManyAsync())?.map(([first]) => first),
        async () => channel.receiveMany()?.map(([first]) => first),
        async () => [await channel.receiveInPlaceAsync(([first]) => first)],
        async () => [channel.receiveInPlace(([first]) => first)],
        async () => [(await channel.receiveAsync())?.[0]],
    ]) {
        channel.sendMany([Uint8Array.of(1), Uint8Array.of(2)]);
        for await (const bytes of channel) {
            assert.equal(bytes[0], 1);
            break;
        }
        channel.send(Uint8Array.of(3));
        assert.deepEqual(await met(receive(), channel), [2]);
        assert.deepEqual(drain(channel), [Uint8Array.of(3)]);
    }
});

test('channel: if a callback in place closes the channel, its message is not sent', async () => {
    const isClosed = errorWith('HF_CLOSED', /is closed/);
    const closing = (/** @type {Channel} */ channel) => () => channel.close();
    const channels = [new Channel(), new Channel(), new Channel()];
    const [first, second, third] = /** @type {[Channel, Channel, Channel]} */ (channels);
    assert.throws(() => first.sendInPlace(1, closing(first)), isClosed);
    assert.throws(() => second.trySendInPlace(1, closing(second)), isClosed);
    await assert.rejects(third.sendInPlaceAsync(1, closing(third)), isClosed);
    channels.forEach((channel) => assert.equal(channel.receive(), null));
});

test('channel: in a callback in place, a request with timeout 0 times out, and is not refused', async () => {
    const channel = new Channel();
    const isLate = errorWith('HF_TIMEOUT', /after 0 ms/);
    /** @type {Promise<unknown>[]} */
    const late = [];
    channel.sendInPlace(24, () => {
        late.push(channel.sendAsync(messageOf(24), { timeout: 0 }));
    });
    channel.receiveInPlace(() => {
        late.push(channel.receiveAsync({ timeout: 0 }));
    });
    for (const request of late) {
        await assert.rejects(met(request, channel), isLate);
    }
    assert.equal(channel.length, 0);
});

test('channel: an object of a freed channel serves the next channel at its address', async () => {
    const space = new LockSpace({ pages: 1 });
    const channel = new Channel({ space, bytes: 64 });
    /** @type {Promise<unknown>[]} */
    const waits = [channel.receiveAsync()];
    fill(channel);
    waits.push(channel.sendAsync(empty));
    space.free(channel);
    await Promise.allSettled(waits);
    const next = new Channel({ space, bytes: 64 });
    assert.equal(next.byteOffset, channel.byteOffset);
    await met(channel.sendAsync(messageOf(3)), channel);
    assert.deepEqual(await met(channel.receiveAsync(), channel), messageOf(3));
});

test('channel: length is right after more than 2,147,483,647 messages', () => {
    const channel = new Channel();
    const words = new Int32Array(channel.memory.buffer);
    for (const side of [CHANNEL_SENDERS_OFFSET, CHANNEL_RECEIVERS_OFFSET]) {
        words[(channel.byteOffset + side + CHANNEL_COUNT_OFFSET) / 4] = 0x7fff_ffff;
    }
    assert.equal(channel.length, 0);
    channel.sendMany([empty, empty]);
    assert.equal(channel.length, 2);
    assert.equal(drain(channel).length, 2);
    assert.equal(channel.length, 0);
});

test('channel: a message that a loop has received is not received again by receiveInPlace()', async () => {
    const channel = new Channel();
    channel.sendMany([1, 2, 3, 4].map((number) => Uint8Array.of(number)));
    for await (const bytes of channel) {
        assert.equal(bytes[0], 1);
        break;
    }
    const both = channel.receiveInPlace(([first]) => [first, channel.tryReceive()?.[0]]);
    assert.deepEqual(both, [2, 3]);
    assert.deepEqual(channel.tryReceive(), Uint8Array.of(4));
});

test('channel: two loops of one object share its messages, in order', async () => {
    const channel = new Channel();
    /** @type {(number | undefined)[]} */
    const got = [];
    const loop = async () => {
        for await (const bytes of channel) {
            got.push(bytes[0]);
            await nextTask();
        }
    };
    const loops = [loop(), loop()];
    await jobEnds();
    channel.sendMany([1, 2, 3, 4, 5].map((number) => Uint8Array.of(number)));
    while (got.length === 0) {
        await nextTask();
    }
    channel.sendMany([6, 7, 8].map((number) => Uint8Array.of(number)));
    channel.close();
    await met(Promise.all(loops), channel);
    assert.deepEqual(got, [1, 2, 3, 4, 5, 6, 7, 8]);
});

test('channel: a loop that lets other tasks run first leaves the next message to another loop', async () => {
    const channel = new Channel();
    /** @type {(number | undefined)[]} */
    const got = [];
    /** @param {() => unknown} rest after each message */
    const loop = async (rest) => {
        for await (const bytes of channel) {
            got.push(bytes[0]);
            await rest();
        }
    };
    const all = Array.from({ length: 60 }, (_, number) => number);
    channel.sendMany(all.map((number) => Uint8Array.of(number)));
    channel.close();
    const loops = [loop(() => work(LONGER_THAN_A_BURST_MS)), loop(nextTask), loop(nextTask)];
    await met(Promise.all(loops), channel);
    assert.deepEqual(got, all);
});

test('channel: a loop lets other tasks run', async () => {
    const channel = new Channel();
    let tasks = 0;
    let isOver = false;
    const count = async () => {
        while (!isOver) {
            await nextTask();
            tasks += 1;
        }
    };
    const counting = count();
    const began = performance.now();
    while (channel.trySend(empty)) {
        // until it is full
    }
    channel.close();
    for await (const bytes of channel) {
        assert.equal(bytes.length, 0);
        const until = performance.now() + 0.01;
        while (performance.now() < until) {
            // works on it
        }
    }
    const took = performance.now() - began;
    isOver = true;
    await counting;
    assert.ok(tasks > 5, `${tasks} turns in ${took} ms`);
});

test('channel: named(), from() and at() find the same channel', async () => {
    const space = new LockSpace({ pages: 4 });
    const channel = new Channel({ space, name: 'log', bytes: 1024 });
    const same = [
        Channel.named(space, 'log'),
        Channel.from(channel.handle),
        Channel.at(channel.memory, channel.byteOffset),
    ];
    for (const other of same) {
        assert.equal(other.bytes, 1024);
        other.send(messageOf(4));
        assert.deepEqual(channel.receive(), messageOf(4));
    }
    assert.equal(channel.byteOffset % Channel.ALIGN, 0);
    assert.throws(() => Mutex.named(space, 'log'), errorWith('HF_BAD_NAME', /'log' is a Channel/));
    const pending = channel.receiveAsync();
    await jobEnds();
    space.free(channel);
    await assert.rejects(met(pending, channel), errorWith('HF_FREED', /This thread has freed Channel/));
    assert.throws(
        () => new Channel({ space, bytes: 2 ** 18 }),
        errorWith('HF_NO_SPACE', /262272 bytes needed/),
    );
});

test('channel: the largest documented ring buffer fits in a space of its own', () => {
    const channels = [2 ** 16, 2 ** 19, 64].map((bytes) => new Channel({ bytes }));
    channels.forEach((channel) => {
        channel.sendInPlace(channel.largest, (bytes) => bytes.fill(1));
        assert.equal(channel.receive()?.length, channel.largest);
    });
});

test("channel: in another program's memory, at() with options makes a channel, and at() without options needs one", () => {
    const memory = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true });
    const isNone = errorWith('HF_CORRUPT', /There is no channel at 128/);
    assert.throws(() => Channel.at(memory, 128), isNone);
    new Uint8Array(memory.buffer).fill(0xa5);
    assert.throws(() => Channel.at(memory, 128), isNone);
    const channel = Channel.at(memory, 128, { bytes: 4096 });
    channel.send(messageOf(3));
    assert.deepEqual(Channel.at(memory, 128).receive(), messageOf(3));
    const end = memory.buffer.byteLength - Channel.BYTES - 64;
    Channel.at(memory, end, { bytes: 64 });
    assert.equal(Channel.at(memory, end).bytes, 64);
    const isNoAddress = errorWith('HF_BAD_ADDRESS', /multiple of 64/);
    assert.throws(() => Channel.at(memory, 96, {}), isNoAddress);
    assert.throws(() => Channel.at(memory, 128, { bytes: 65536 }), isNoAddress);
    new Int32Array(memory.buffer)[(128 + CHANNEL_RING_OFFSET) / 4] = 65536;
    assert.throws(() => Channel.at(memory, 128), isNoAddress);
});

test('channel: bad sizes, options, messages and callbacks are refused', async () => {
    for (const bytes of [0, 1, 63, 65, 100, -64, 64.5, 2 ** 31, NaN, '64', null]) {
        assert.throws(() => new Channel(/** @type {any} */ ({ bytes })), {
            code: 'HF_BAD_COUNT',
            message: `bytes must be a power of two from 64 to 1073741824, not ${bytes}.`,
        });
    }
    assert.throws(() => new Channel({ bytes: 2 ** 30 }), errorWith('HF_NO_SPACE', /1073741952 bytes/));
    assert.throws(
        () => new Channel(/** @type {any} */ ({ size: 64 })),
        errorWith('HF_BAD_OPTION', /No option 'size'/),
    );
    const channel = new Channel({ bytes: 64 });
    for (const message of [undefined, null, 'text', 3, [1, 2], {}, new Mutex()]) {
        const shown = Object(message) === message ? 'an object' : message;
        const isNone = errorWith(
            'HF_BAD_MESSAGE',
            new RegExp(`^A message must be a Uint8Array.*, not ${shown}\\.$`),
        );
        assert.throws(() => channel.send(/** @type {any} */ (message)), isNone);
        assert.throws(() => channel.trySend(/** @type {any} */ (message)), isNone);
        assert.throws(() => channel.sendMany(/** @type {any} */ ([message])), isNone);
        await assert.rejects(channel.sendAsync(/** @type {any} */ (message)), isNone);
    }
    assert.throws(() => channel.sendMany(new Array(1)), errorWith('HF_BAD_MESSAGE', /not undefined/));
    assert.throws(
        () => channel.sendMany(/** @type {any} */ (empty)),
        errorWith('HF_BAD_MESSAGE', /^Pass an array of messages, not .+\.$/),
    );
    const isLarge = errorWith('HF_OVERFLOW', /A message of 25 bytes is too large for Channel at \d+/);
    assert.throws(() => channel.send(new Uint8Array(25)), isLarge);
    assert.throws(() => channel.sendInPlace(25, () => assert.fail()), isLarge);
    await assert.rejects(channel.sendAsync(new Uint8Array(25)), isLarge);
    for (const size of [-1, 0.5, NaN, 2 ** 30 + 1, 2 ** 32, '1']) {
        const isBad = errorWith('HF_BAD_COUNT', /size must be a whole number from 0/);
        assert.throws(() => channel.sendInPlace(/** @type {any} */ (size), () => {}), isBad);
        await assert.rejects(
            channel.sendInPlaceAsync(/** @type {any} */ (size), () => {}),
            isBad,
        );
    }
    for (const most of [0, -1, 1025, 0.5]) {
        const isBad = errorWith('HF_BAD_COUNT', /most must be a whole number from 1 to 1024/);
        assert.throws(() => channel.receiveMany(most), isBad);
        await assert.rejects(channel.receiveManyAsync({ most }), isBad);
    }
    const isNoFunction = errorWith('HF_BAD_CALLBACK', /A callback must be a function/);
    assert.throws(() => channel.sendInPlace(1, /** @type {any} */ (undefined)), isNoFunction);
    assert.throws(() => channel.receiveInPlace(/** @type {any} */ (5)), isNoFunction);
    await assert.rejects(channel.receiveInPlaceAsync(/** @type {any} */ (5)), isNoFunction);
    await assert.rejects(channel.sendInPlaceAsync(1, /** @type {any} */ (5)), isNoFunction);
    assert.throws(
        () => /** @type {any} */ (channel).send(empty, 5),
        errorWith('HF_BAD_OPTION', /Use trySend\(message, \{ timeout \}\)/),
    );
    const limited = /** @type {any} */ (channel);
    for (const [call, instead] of /** @type {[() => void, string][]} */ ([
        [() => limited.receive(5), 'tryReceive(timeout)'],
        [() => limited.sendInPlace(1, () => {}, 5), 'trySendInPlace(size, fill, { timeout })'],
        [() => limited.sendMany([empty], 5), 'trySendMany(messages, { timeout })'],
        [() => limited.receiveInPlace(() => {}, 5), 'tryReceiveInPlace(use, { timeout })'],
    ])) {
        assert.throws(call, {
            code: 'HF_BAD_OPTION',
            message: `This call takes no timeout. Use ${instead}.`,
        });
    }
    assert.throws(
        () => channel.trySend(empty, { timeout: NaN }),
        errorWith('HF_BAD_TIMEOUT', /number in ms/),
    );
    assert.throws(() => channel.tryReceive(NaN), errorWith('HF_BAD_TIMEOUT', /number in ms/));
    assert.throws(
        () => Channel.from(/** @type {any} */ (new Mutex().handle)),
        errorWith('HF_BAD_HANDLE', /Channel/),
    );
    assert.equal(channel.length, 0);
});

test('channel: a message whose buffer was transferred is refused, and none is sent', async () => {
    const channel = new Channel({ bytes: 64 });
    const isGone = errorWith('HF_BAD_MESSAGE', /^The buffer of the message was transferred/);
    for (const make of [
        (/** @type {ArrayBuffer} */ buffer) => new Uint8Array(buffer),
        (/** @type {ArrayBuffer} */ buffer) => new DataView(buffer),
        (/** @type {ArrayBuffer} */ buffer) => buffer,
    ]) {
        const buffer = new ArrayBuffer(8);
        const message = make(buffer);
        structuredClone(buffer, { transfer: [buffer] });
        assert.throws(() => channel.send(message), isGone);
        assert.throws(() => channel.sendMany([messageOf(8), message]), isGone);
        await assert.rejects(channel.sendAsync(message), isGone);
    }
    assert.equal(channel.length, 0);
    channel.send(empty);
    assert.equal(channel.receive()?.length, 0);
});

test('channel: a bare number as second argument is refused, and the message shows the right form', () => {
    const channel = new Channel({ bytes: 64 });
    const any = /** @type {any} */ (channel);
    const isBare = errorWith('HF_BAD_OPTION', /^Pass { timeout, deadline }, not 5\.$/);
    assert.throws(() => any.trySend(empty, 5), isBare);
    assert.throws(() => any.trySendInPlace(1, () => {}, 5), isBare);
    assert.throws(() => any.trySendMany([empty], 5), isBare);
    assert.throws(() => any.tryReceiveInPlace(() => {}, 5), isBare);
    const isMany = errorWith('HF_BAD_OPTION', /^Pass { most, timeout, deadline }, not 5\.$/);
    assert.throws(() => any.tryReceiveMany(5), isMany);
    const isLimited = errorWith(
        'HF_BAD_OPTION',
        /takes no timeout\. Use tryReceiveMany\({ most, timeout }\)/,
    );
    assert.throws(() => any.receiveMany({ timeout: 5 }), isLimited);
    assert.throws(() => any.receiveMany({ size: 5 }), errorWith('HF_BAD_OPTION', /Pass { most }/));
    assert.equal(channel.length, 0);
    channel.sendMany([empty, empty, empty]);
    assert.deepEqual(channel.receiveMany({ most: 2 }), [empty, empty]);
    assert.equal(channel.tryReceive(5)?.length, 0);
});

test('channel: each call on corrupt words throws an error', async () => {
    const isCorrupt = errorWith('HF_CORRUPT', /The memory of Channel at \d+ holds no valid channel/);
    for (const size of [25, 64, 0xffff_fff8, 0xffff_ffff, 1000, 9]) {
        const channel = new Channel({ bytes: 64 });
        channel.send(messageOf(8));
        new Uint32Array(channel.memory.buffer)[(channel.byteOffset + Channel.BYTES) / 4] = size;
        assert.throws(() => channel.receive(), isCorrupt);
        assert.throws(() => channel.receiveMany(), isCorrupt);
        await assert.rejects(channel.receiveAsync(), isCorrupt);
    }
    const channel = new Channel({ bytes: 64 });
    new Uint32Array(channel.memory.buffer)[(channel.byteOffset + CHANNEL_WORD_OFFSET) / 4] = 1 << 20;
    assert.throws(() => channel.receive(), isCorrupt);
    assert.throws(() => channel.send(empty), isCorrupt);
    await assert.rejects(channel.sendAsync(empty), isCorrupt);
});
