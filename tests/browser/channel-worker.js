/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { Answerer, Caller, Channel } from '../../js-glue/channel.js';
import { makeMessage, Received } from '../support/channel-messages.js';

/* The worker's end of a channel (channel.js). */

const MORE = 50;

function stay() {
    postMessage('inside');
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}

/** @type {Record<string, (channel: any, messages: number) => unknown>} */
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
    /** @param {Caller} caller @returns the number of right answers */
    caller(caller, messages) {
        const answers = Array.from({ length: messages }, (_, number) => caller.call(Uint32Array.of(number)));
        return answers.filter((answer, number) => new Uint32Array(answer.buffer)[0] === number + 1).length;
    },
    /** @param {Caller} caller @returns the outcome of a call whose answer is late, and of the next call */
    'impatient caller'(caller) {
        try {
            caller.call(Uint32Array.of(1), { timeout: 50 });
            return 'answered';
        } catch (error) {
            return [
                /** @type {any} */ (error).code,
                new Uint32Array(caller.call(Uint32Array.of(2)).buffer)[0],
            ];
        }
    },
    /** @param {Answerer} answerer */
    async 'dying answerer'(answerer) {
        for await (const request of answerer) {
            if (request.bytes.length === 0) {
                stay();
            }
            request.answer(request.bytes);
        }
    },
    'dying sender': (channel) => channel.sendInPlace(8, stay),
    'dying receiver': (channel) => channel.receiveInPlace(stay),
};

/** @param {string} role */
function classOf(role) {
    return role.endsWith('caller') ? Caller : role.endsWith('answerer') ? Answerer : Channel;
}

onmessage = async ({ data: { role, handle, messages } }) => {
    postMessage(await ROLES[role]?.(classOf(role).from(handle), messages));
};
