/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* The messages of a program: their contents, and the fate of each. All threads write the fates into shared memory,
 * where they outlast a thread that dies. */

export const MOST_CHANNELS = 2;
const MOST_STREAMS = 16;
/** The messages of a stream. */
const MOST_MESSAGES = 1024;
/** The referee's number among the threads that send and receive: the largest one. */
export const REFEREE = MOST_STREAMS / 2 - 1;

/** A word for each message: how its send has ended, and how often it was received. */
const [BEGUN, SENT, REFUSED] = [1, 2, 3];
const SEND = 3;
const ONE_RECEIPT = 4;

/** A message begins with its stream, its number there, its size, and a sum of all bytes but these. */
const [STREAM, NUMBER, SIZE, SUM] = [0, 1, 2, 3];
export const LEAST_SIZE = 16;
const FACTOR = 31;

/** Words for each channel: the number of damaged messages; whether a thread has seen the channel closed and
 * empty. */
const [DAMAGED, ENDED] = [0, 1];
const FIRST = MOST_CHANNELS * 2;
const WORDS = FIRST + MOST_CHANNELS * MOST_STREAMS * MOST_MESSAGES;

/** @typedef {{ stream: number, number: number }} Letter */

/** @param {Uint8Array} bytes */
function sumOf(bytes) {
    return bytes.subarray(LEAST_SIZE).reduce((sum, byte) => (sum * FACTOR + byte) | 0, bytes.length);
}

export class Mail {
    /** @type {Int32Array<SharedArrayBuffer>} for messages */
    shared;
    /** The number of messages of each stream that this object has made. @type {Map<number, number>} */
    #made = new Map();

    constructor(shared = new Int32Array(new SharedArrayBuffer(WORDS * Int32Array.BYTES_PER_ELEMENT))) {
        this.shared = shared;
    }

    /** @param {number} channel @param {Letter} letter */
    #at(channel, { stream, number }) {
        return FIRST + (channel * MOST_STREAMS + stream) * MOST_MESSAGES + number;
    }

    /**
     * Makes the next message of a stream. Only one object makes and sends the messages of a stream, in this order.
     *
     * @param {number} channel
     * @param {number} stream
     * @param {number} size in bytes
     * @returns {(Letter & { bytes: Uint8Array }) | undefined} undefined: there have been too many
     */
    make(channel, stream, size) {
        const key = channel * MOST_STREAMS + stream;
        const number = this.#made.get(key) ?? 0;
        if (number === MOST_MESSAGES) {
            return undefined;
        }
        this.#made.set(key, number + 1);
        const words = new Int32Array(Math.ceil(size / 4));
        const bytes = new Uint8Array(words.buffer, 0, size);
        bytes.forEach((_, index) => (bytes[index] = number + index));
        words.set([stream, number, size, sumOf(bytes)], STREAM);
        Atomics.store(this.shared, this.#at(channel, { stream, number }), BEGUN);
        return { stream, number, bytes };
    }

    /** @param {number} channel @param {Letter} letter @param {boolean} isSent */
    ends(channel, letter, isSent) {
        Atomics.add(this.shared, this.#at(channel, letter), (isSent ? SENT : REFUSED) - BEGUN);
    }

    /** @param {number} channel */
    seesTheEnd(channel) {
        Atomics.store(this.shared, channel * 2 + ENDED, 1);
    }

    /** @param {number} channel @param {Uint8Array} bytes @returns {Letter | undefined} undefined: the message is damaged */
    receives(channel, bytes) {
        const copy = bytes.slice();
        const head = copy.length < LEAST_SIZE ? [] : new Int32Array(copy.buffer, 0, LEAST_SIZE / 4);
        const [stream = -1, number = -1] = [head[STREAM], head[NUMBER]];
        const isOne = stream >= 0 && stream < MOST_STREAMS && number >= 0 && number < MOST_MESSAGES;
        if (!isOne || head[SIZE] !== copy.length || head[SUM] !== sumOf(copy)) {
            Atomics.add(this.shared, channel * 2 + DAMAGED, 1);
            return undefined;
        }
        Atomics.add(this.shared, this.#at(channel, { stream, number }), ONE_RECEIPT);
        return { stream, number };
    }

    /**
     * Compares what was sent with what was received, when all threads are done and the channel is empty.
     *
     * @param {number} channel
     * @param {{ mayBeLost: number, left: number }} counts messages that dead receivers may have taken with them; messages that were
     *     in the channel at the end
     * @returns {string[]}
     */
    wrong(channel, { mayBeLost, left }) {
        const wrong = [];
        let lost = 0;
        for (let stream = 0; stream < MOST_STREAMS; stream += 1) {
            for (let number = 0; number < MOST_MESSAGES; number += 1) {
                const word = Atomics.load(this.shared, this.#at(channel, { stream, number }));
                const [send, receipts] = [word & SEND, Math.floor(word / ONE_RECEIPT)];
                const most = send === SENT || send === BEGUN ? 1 : 0;
                if (receipts > most) {
                    const how = ['never sent', 'not sent to the end', 'sent', 'refused'][send];
                    wrong.push(
                        `message ${number} of stream ${stream}: ${how}, and received ${receipts} times`,
                    );
                }
                lost += Number(send === SENT && receipts === 0);
            }
        }
        const damaged = Atomics.load(this.shared, channel * 2 + DAMAGED);
        const hasEnded = Atomics.load(this.shared, channel * 2 + ENDED) === 1;
        return [
            ...wrong,
            ...(lost > mayBeLost ? [`${lost} messages are lost, of which ${mayBeLost} may be`] : []),
            ...(damaged > 0 ? [`${damaged} messages are damaged`] : []),
            ...(hasEnded && left > 0 ? [`${left} messages came after the close`] : []),
        ];
    }
}
