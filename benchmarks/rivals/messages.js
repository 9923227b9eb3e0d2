/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { RING_BYTES } from '../arena.js';

/** @typedef {import('../jobs/messages.js').Messenger} Messenger */

/** @type {Messenger} */
export const postMessage = {
    title: 'postMessage',
    sender:
        ({ ports: [port] }) =>
        (bytes) =>
            port?.postMessage(bytes),
    receive: ({ ports }, take) =>
        new Promise((resolve) => {
            for (const port of ports) {
                port.onmessage = (/** @type {MessageEvent} */ { data }) => {
                    if (take(data)) {
                        resolve();
                    }
                };
            }
        }),
};

/** The ring's words: the numbers of bytes written and read, each on a cache line of its own. */
const WRITTEN = 0;
const READ = 16;

/** @param {import('../jobs/messages.js').End} end */
function openRing({ shared: { words, bytes } }) {
    return { words: new Int32Array(words), bytes: new Uint8Array(bytes) };
}

/**
 * The ring of https://github.com/padenot/ringbuf.js, for one sender and one receiver: two positions, and bytes that are
 * copied in one or two parts. It has no way to wait, so a thread that waits spins.
 * @type {Messenger}
 */
export const ring = {
    title: 'the ring of ringbuf.js',
    batches: 'joined',
    make: () => ({ words: new SharedArrayBuffer(128), bytes: new SharedArrayBuffer(RING_BYTES) }),
    sender(end) {
        const { words, bytes } = openRing(end);
        let written = 0;
        return (/** @type {Uint8Array} */ message) => {
            while (((written - Atomics.load(words, READ)) | 0) + message.length > RING_BYTES) {
                /* spins */
            }
            const begin = written & (RING_BYTES - 1);
            bytes.set(message.subarray(0, RING_BYTES - begin), begin);
            bytes.set(message.subarray(RING_BYTES - begin), 0);
            written = (written + message.length) | 0;
            Atomics.store(words, WRITTEN, written);
        };
    },
    async receive(end, take) {
        const { words, bytes } = openRing(end);
        const messages = new Uint8Array(RING_BYTES);
        for (let read = 0, isOver = false; !isOver;) {
            const length = (Atomics.load(words, WRITTEN) - read) | 0;
            const begin = read & (RING_BYTES - 1);
            const first = bytes.subarray(begin, Math.min(begin + length, RING_BYTES));
            messages.set(first);
            messages.set(bytes.subarray(0, length - first.length), first.length);
            read = (read + length) | 0;
            Atomics.store(words, READ, read);
            for (let offset = 0; offset < length && !isOver; offset += end.size) {
                isOver = take(messages, offset);
            }
        }
    },
};

/** A message, and a wait for a word that its receiver changes. @type {import('../jobs/messages.js').Caller} */
export const postAndWait = {
    title: 'postMessage and Atomics.wait',
    make: () => new SharedArrayBuffer(4096),
    caller({ shared, ports: [port] }) {
        const words = new Int32Array(shared);
        const answer = new Uint8Array(shared, 4);
        return (bytes) => {
            const before = Atomics.load(words, 0);
            port?.postMessage(bytes);
            Atomics.wait(words, 0, before);
            return answer.slice(0, bytes.length);
        };
    },
    answer({ shared, ports: [port] }) {
        const words = new Int32Array(shared);
        const answer = new Uint8Array(shared, 4);
        Object.assign(port ?? {}, {
            onmessage(/** @type {MessageEvent} */ { data }) {
                answer.set(data);
                Atomics.add(words, 0, 1);
                Atomics.notify(words, 0);
            },
        });
        return () => {};
    },
};
