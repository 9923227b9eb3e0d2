/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { parentPort, workerData } from 'node:worker_threads';
import { Channel } from '../../../js-glue/channel.js';
import { randomOf } from '../seed.js';
import { makeMessage } from '../channel-messages.js';

/* Sends messages in all ways, by turns. Counts returned calls on the board, and posts a message at its
 * end. */

const { handle, sender, messages, seed, board } = workerData;
const channel = Channel.from(handle);
const { below: random } = randomOf(seed);
let number = 0;
const next = (more = random(random(4) === 0 ? channel.largest - 12 : 24)) => {
    const message = makeMessage(sender, number, more);
    number += 1;
    return message;
};

const WAYS = [
    () => channel.send(next()),
    () => channel.sendAsync(next()),
    () => {
        const message = next();
        while (!channel.trySend(message, { timeout: random(2) })) {
            // the channel is full
        }
    },
    () => {
        const message = next();
        channel.sendInPlace(message.length, (bytes) => bytes.set(message));
    },
    () => channel.sendMany([next(), next(), next()]),
    () => Promise.all([channel.sendAsync(next()), channel.sendAsync(next())]),
];

while (number < messages) {
    await WAYS[random(WAYS.length)]?.();
    Atomics.store(board, sender, number);
}
parentPort?.postMessage(number);
