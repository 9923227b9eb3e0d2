/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Messages with a sender, a number and checkable bytes, for the tests of channels. */

const HEADER_BYTES = 12;

/** @param {Uint8Array} bytes */
function sumOf(bytes) {
    return bytes.subarray(HEADER_BYTES).reduce((sum, byte) => (Math.imul(sum, 31) + byte) | 0, bytes.length);
}

/**
 * @param {number} sender
 * @param {number} number of the message, from 0
 * @param {number} more bytes
 */
export function makeMessage(sender, number, more) {
    const bytes = new Uint8Array(HEADER_BYTES + more).map((_, at) => number + at);
    new Int32Array(bytes.buffer, 0, 3).set([sender, number, sumOf(bytes)]);
    return bytes;
}

/** Counts the messages of one receiver, and throws if a message is wrong. */
export class Received {
    /**
     * For each sender, the count and the last number.
     * @type {Record<number, { count: number, last: number }>}
     */
    senders = {};

    /** @param {Uint8Array} bytes */
    add(bytes) {
        const [sender = -1, number = -1, sum] = new Int32Array(bytes.slice().buffer, 0, 3);
        if (sum !== sumOf(bytes)) {
            throw new Error(`a message of ${bytes.length} bytes differs from the one sent`);
        }
        const from = (this.senders[sender] ??= { count: 0, last: -1 });
        if (number <= from.last) {
            throw new Error(`message ${number} of sender ${sender} came after ${from.last}`);
        }
        from.count += 1;
        from.last = number;
    }
}

/**
 * Answers at once, after a while, or twice, always with the bytes of the request.
 *
 * @param {import('../../js-glue/channel.js').Answerer} answerer
 * @param {(most: number) => number} below
 */
export async function answerAll(answerer, below) {
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
