/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { parentPort, workerData } from 'node:worker_threads';
import { Channel } from '../../../js-glue/channel.js';
import { randomOf } from '../seed.js';
import { Received } from '../channel-messages.js';

/* Receives messages in all ways, by turns, until the channel is closed and empty, and posts the messages. */

const { handle, seed } = workerData;
const channel = Channel.from(handle);
const { below: random } = randomOf(seed);
const received = new Received();

/** Ways to receive; each returns null once the channel is closed and empty. @type {(() => any)[]} */
const WAYS = [
    () => channel.receive(),
    () => channel.receiveAsync(),
    () => channel.tryReceive(random(2)),
    () => channel.receiveMany(1 + random(20)),
    () => channel.receiveManyAsync({ most: 1 + random(20) }),
    () => channel.receiveInPlace((bytes) => bytes.slice()),
    () => channel.receiveInPlaceAsync((bytes) => bytes.slice()),
];

for (;;) {
    const some = await WAYS[random(WAYS.length)]?.();
    if (some === null) {
        break;
    }
    [some ?? []].flat().forEach((message) => received.add(message));
}
parentPort?.postMessage(received.senders);
