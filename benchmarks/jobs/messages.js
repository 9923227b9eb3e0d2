/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { parentPort } from 'node:worker_threads';
import { keepBusy } from '../busy.js';

/* Messages from thread to thread, in workers and on an event loop. A message begins with three words: its number, its sender, and
 * the time. */

/** The number of a sender's last message. */
const END = 0xffff_ffff;

/** Messages that are sent before the clock is read again; also the size of a batch. */
const GROUP = 64;

/** The size of a ring. The largest batch has 64 KiB. */
export const RING_BYTES = 2 ** 18;

/** The time before the measurement, in which engines compile the loops. */
const WARM_UP_MS = 100;

/** Takes a message that was received; true: it was the last one. @typedef {(bytes: Uint8Array, offset?:
 * number) => boolean} Take */

/**
 * A thread's end of a connection.
 * @typedef {object} End
 * @property {any} shared as made by the messenger
 * @property {{ postMessage: (message: any) => void, onmessage: any }[]} ports to the other threads
 * @property {number} size bytes of a message
 * @property {boolean} blocks whether this thread may block
 *
 * @typedef {object} Messenger a way of messages
 * @property {string} title
 * @property {'many' | 'joined'} [batches] whether it sends arrays of messages, or messages in one array of bytes
 * @property {() => unknown} [make] what the threads share
 * @property {(end: End) => (message: any) => unknown} sender sends a message, or a batch
 * @property {(end: End, take: Take) => Promise<void>} receive until `take` says that it is over
 *
 * @typedef {object} Caller a way to call an event loop from a worker
 * @property {string} title
 * @property {() => unknown} make
 * @property {(end: End) => (bytes: Uint8Array) => unknown} caller blocks until it is answered
 * @property {(end: End) => () => void} answer until it is ended
 */

/** @param {Uint8Array} bytes @param {number} offset */
function wordAt(bytes, offset) {
    const half = (/** @type {number} */ at) => (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8);
    return (half(offset) | (half(offset + 2) << 16)) >>> 0;
}

/** The time as a word: hundredths of a millisecond, on a clock that all threads share. */
function timeNow() {
    return ((performance.timeOrigin + performance.now()) * 100) >>> 0;
}

/** Milliseconds since a message was sent. @param {Uint8Array} bytes @param {number} offset */
function ageOf(bytes, offset) {
    return Math.max((timeNow() - wordAt(bytes, offset + 8)) | 0, 0) / 100;
}

/**
 * @typedef {object} Sending
 * @property {number} seconds
 * @property {number} [most] messages
 * @property {number} [everyMs] the time between two messages
 */

/**
 * Sends until the time is over.
 * @param {Messenger} messenger @param {End} end @param {number} sender its number @param {Sending} sending
 */
export async function sendAll(messenger, end, sender, { seconds, most = Infinity, everyMs = 0 }) {
    const { size } = end;
    const group = everyMs > 0 ? 1 : GROUP;
    const joined = new Uint8Array(group * size);
    const messages = Array.from({ length: group }, (_, index) =>
        messenger.batches === 'joined'
            ? joined.subarray(index * size, (index + 1) * size)
            : new Uint8Array(size),
    );
    const words = messages.map(({ buffer, byteOffset }) => new Uint32Array(buffer, byteOffset, 3));
    const send = messenger.sender(end);
    const parcels = { many: [messages], joined: [joined], one: messages }[messenger.batches ?? 'one'];
    const start = performance.now();
    let number = 0;
    for (let now = start; number < most && now < start + seconds * 1000; now = performance.now()) {
        keepBusy(everyMs && Math.max(start + number * everyMs - now, 0));
        const time = timeNow();
        for (const word of words) {
            word.set([number, sender, time]);
            number += 1;
        }
        for (const parcel of parcels) {
            const sent = send(parcel);
            if (sent) {
                await sent;
            }
        }
    }
    words.forEach((word) => word.set([END, sender, timeNow()]));
    await send(parcels[0]);
}

/**
 * @typedef {object} Received
 * @property {number} rate messages a second
 * @property {number[]} ages in ms, of messages when they were received
 * @property {number} lastAge of the last one
 */

/**
 * Receives all messages, and checks that none is lost or out of order.
 * @param {Messenger} messenger @param {End} end @param {number} senders
 * @param {() => void} [look] called from time to time; with it, ages are recorded too @returns {Promise<Received>}
 */
export async function receiveAll(messenger, end, senders, look) {
    const next = new Array(senders).fill(0);
    /** @type {number[]} */
    const ages = [];
    let left = senders;
    let count = 0;
    let first = { at: 0, count: 0 };
    let isCold = true;
    let lastAge = 0;
    await messenger.receive(end, (bytes, offset = 0) => {
        const number = wordAt(bytes, offset);
        const sender = wordAt(bytes, offset + 4);
        if (number === END) {
            left -= next[sender] === END ? 0 : 1;
            next[sender] = END; // each message of the last batch has END
            lastAge = ageOf(bytes, offset);
            return left === 0;
        }
        if (number !== next[sender]) {
            throw new Error(`sender ${sender}: expected message ${next[sender]}, received ${number}`);
        }
        next[sender] += 1;
        count += 1;
        if (count % GROUP === 1 && isCold) {
            const at = performance.now();
            isCold = count === 1 || at < first.at + WARM_UP_MS;
            first = count === 1 || !isCold ? { at, count } : first;
        }
        if (look) {
            ages.push(ageOf(bytes, offset));
            if (count % GROUP === 0) {
                look();
            }
        }
        return false;
    });
    return { rate: (count - first.count) / ((performance.now() - first.at) / 1000), ages, lastAge };
}

/**
 * Asks the other thread again and again. Returns the time of each answer.
 * @param {Messenger} messenger @param {End} end @param {End} back @param {number} times
 * @param {() => Promise<void>} [pause] before the first question, while both threads wait
 */
export async function askAll(messenger, end, back, times, pause) {
    const message = new Uint8Array(end.size);
    const word = new Uint32Array(message.buffer, 0, 1);
    const send = messenger.sender(end);
    /** @type {number[]} */
    const waits = [];
    let asked = 0;
    const ask = () => {
        word[0] = waits.length < times ? waits.length : END;
        asked = performance.now();
        void send(message);
    };
    const answers = () =>
        messenger.receive(back, (bytes, offset = 0) => {
            if (wordAt(bytes, offset) === END) {
                return true;
            }
            waits.push(performance.now() - asked);
            ask();
            return false;
        });
    if (end.blocks) {
        ask();
        await answers();
    } else {
        const answered = answers();
        await pause?.();
        ask();
        await answered;
    }
    return { waits };
}

/**
 * @typedef {object} Task
 * @property {number} thread
 * @property {Sending & { contestant: string, shared: any[], ports?: any[], size: number, senders: number, times: number }} options
 */

/** @param {Task} task @returns {[End, End]} the end that leads to the other threads, and the end that leads back */
function endsOf({ options: { shared, size, ports = [parentPort ?? self] } }) {
    return /** @type {any} */ (shared.map((one) => ({ shared: one, ports, size, blocks: true })));
}

/* The jobs of workers. Each job begins to listen before its first await, so it misses no message. */

/** @param {Task} task @param {Messenger} messenger */
export function sendMessages(task, messenger) {
    return sendAll(messenger, endsOf(task)[0], task.thread, task.options);
}

/** @param {Task} task @param {Messenger} messenger */
export function receiveMessages(task, messenger) {
    return receiveAll(messenger, endsOf(task)[0], task.options.senders);
}

/** @param {Task} task @param {Messenger} messenger */
export function askMessages(task, messenger) {
    return askAll(messenger, ...endsOf(task), task.options.times);
}

/** Calls the event loop that started this thread. @param {Task} task @param {Caller} contestant */
export function callMessages(task, { caller }) {
    const [end] = endsOf(task);
    const call = caller(end);
    const message = new Uint8Array(end.size);
    const waits = Array.from({ length: task.options.times }, () => {
        const asked = performance.now();
        call(message);
        return performance.now() - asked;
    });
    return { waits };
}

/** Sends each message back. @param {Task} task @param {Messenger} messenger */
export function answerMessages(task, messenger) {
    const [end, back] = endsOf(task);
    const answer = messenger.sender(back);
    return messenger.receive(end, (bytes, offset = 0) => {
        void answer(bytes);
        return wordAt(bytes, offset) === END;
    });
}
