/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { Channel } from '../../js-glue/channel.js';
import { makeMessage, Received } from '../support/channel-messages.js';

/* One end of a channel (channel.js). */

const MORE = 50;

function stay() {
    postMessage('inside');
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}

/** @type {Record<string, (channel: Channel, messages: number) => unknown>} */
const ROLES = {
    sender(channel, messages) {
        const sender = Math.floor(Math.random() * 2 ** 30);
        for (let number = 0; number < messages; number += 1) {
            channel.send(makeMessage(sender, number, number % MORE));
        }
        return messages;
    },
    receiver(channel) {
        const received = new Received();
        for (let bytes = channel.receive(); bytes; bytes = channel.receive()) {
            received.add(bytes);
        }
        return received.senders;
    },
    'dying sender': (channel) => channel.sendInPlace(8, stay),
    'dying receiver': (channel) => channel.receiveInPlace(stay),
};

onmessage = ({ data: { role, handle, messages } }) => {
    postMessage(ROLES[role]?.(Channel.from(handle), messages));
};
