/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { parentPort } from 'node:worker_threads';
import { keepBusy } from '../event-loop.js';

/* Messages from thread to thread, in workers and on an event loop. A message begins with three words: its number, its sender, and
 * the time. */

/** The number of a sender's last message. */
const END = 0xffff_ffff;

/** Messages that are sent before the clock is read again; also the size of a batch. */
const GROUP = 64;

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
 * @typedef {import('../messages-run.js').MessageRun & { shared: any[], senders: number, times: number }} Run `shared` of both
 *     directions; `times`: the number of questions
 * @typedef {object} Here what only this thread knows
 * @property {any} [ports] to the other threads; by default to the thread that has started this one
 * @property {boolean} [blocks] false on an event loop
 * @property {() => void} [look] called from time to time; with it, ages are recorded too
 * @property {() => Promise<void>} [pause] before the first question, while both threads wait
 * @property {Promise<unknown>} [until] the calls are over
 * @typedef {import('./jobs.js').TaskOf<Run & Here>} Task
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

/** @param {Task} task @returns {[End, End]} the end that leads to the other threads, and the end that leads back */
function endsOf({ options: { shared, size, ports = [parentPort ?? self], blocks = true } }) {
    return /** @type {any} */ (shared.map((one) => ({ shared: one, ports, size, blocks })));
}

/* The jobs, of workers and of the event loop. Each begins to listen before its first await, so it misses no message. */

/** Sends until the time is over. @param {Task} task @param {Messenger} messenger */
export async function sendMessages(task, messenger) {
    const { size, seconds, most = Infinity, everyMs = 0 } = task.options;
    const group = everyMs > 0 ? 1 : GROUP;
    const joined = new Uint8Array(group * size);
    const messages = Array.from({ length: group }, (_, index) =>
        messenger.batches === 'joined'
            ? joined.subarray(index * size, (index + 1) * size)
            : new Uint8Array(size),
    );
    const words = messages.map(({ buffer, byteOffset }) => new Uint32Array(buffer, byteOffset, 3));
    const send = messenger.sender(endsOf(task)[0]);
    const parcels = { many: [messages], joined: [joined], one: messages }[messenger.batches ?? 'one'];
    const start = performance.now();
    let number = 0;
    for (let now = start; number < most && now < start + seconds * 1000; now = performance.now()) {
        keepBusy(everyMs && Math.max(start + number * everyMs - now, 0));
        const time = timeNow();
        for (const word of words) {
            word.set([number, task.thread, time]);
            number += 1;
        }
        for (const parcel of parcels) {
            const sent = send(parcel);
            if (sent) {
                await sent;
            }
        }
    }
    words.forEach((word) => word.set([END, task.thread, timeNow()]));
    await send(parcels[0]);
}

/**
 * Receives all messages, and checks that none is lost or out of order. `rate`: messages a second. `ages`, `lastAge`: of messages when
 * they were received, in ms.
 * @param {Task} task @param {Messenger} messenger
 */
export async function receiveMessages(task, messenger) {
    const { senders, look } = task.options;
    const next = new Array(senders).fill(0);
    /** @type {number[]} */
    const ages = [];
    let left = senders;
    let count = 0;
    let first = { at: 0, count: 0 };
    let isCold = true;
    let lastAge = 0;
    await messenger.receive(endsOf(task)[0], (bytes, offset = 0) => {
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

/** Asks the other thread again and again. Returns the time of each answer. @param {Task} task @param {Messenger} messenger */
export async function askMessages(task, messenger) {
    const [end, back] = endsOf(task);
    const { times, pause } = task.options;
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

/** Sends each message back. @param {Task} task @param {Messenger} messenger */
export function answerMessages(task, messenger) {
    const [end, back] = endsOf(task);
    const answer = messenger.sender(back);
    return messenger.receive(end, (bytes, offset = 0) => {
        void answer(bytes);
        return wordAt(bytes, offset) === END;
    });
}

/** Calls the event loop that started this thread. @param {Task} task @param {Caller} contestant */
export function callLoop(task, { caller }) {
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

/** @param {Task} task @param {Caller} contestant */
export async function answerCalls(task, { answer }) {
    const stop = answer(endsOf(task)[0]);
    await task.options.until;
    stop();
}
