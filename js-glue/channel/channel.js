/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { HoldfastError } from '../errors.js';
import { initChannel, withChannel } from '../memory/channel.js';
import {
    CHANNEL_ALIGN,
    CHANNEL_BYTES,
    CHANNEL_CLOSED,
    CHANNEL_COUNT_OFFSET,
    CHANNEL_HEADER,
    CHANNEL_LARGEST_RING,
    CHANNEL_LEAST_PLACE,
    CHANNEL_RECEIVERS_OFFSET,
    CHANNEL_RING_OFFSET,
    CHANNEL_SENDERS_OFFSET,
    CHANNEL_WORD_OFFSET,
    RESULT_CLOSED,
    RESULT_OVERFLOW,
} from '../memory/layout.js';
import { foundFor, Placed } from '../memory/placed.js';
import {
    checkCallback,
    checkCount,
    checkLimit,
    checkNoLimit,
    checkNoLimitIn,
    checkOptions,
    checkWait,
    valueError,
    WITHOUT_LIMIT,
} from '../options.js';
import { environment } from '../thread/environment.js';
import { afterTurn, isTurnAwaited, isTurnDue, promised, settled } from '../thread/event-loop.js';
import { lockError } from '../waiting/about.js';
import { bytesOf, checkRing, DEFAULT_RING, isRing } from './message.js';
import { RECEIVERS, SENDERS } from '../waiting/channel-side.js';
import { queueOf } from '../waiting/queue-of.js';
import { request } from '../waiting/request.js';
import { notAsync } from '../waiting/section.js';

/**
 * @typedef {import('../waiting/channel-side.js').ChannelSide} Side
 * @typedef {import('../waiting/channel-side.js').SideKind} SideKind
 * @typedef {import('../waiting/queue.js').Queue<Side>} SideQueue
 * @typedef {import('../options.js').TimeLimit} TimeLimit
 * @typedef {import('../options.js').WaitOptions} WaitOptions
 * @typedef {import('./message.js').Message} Message
 */

/** How many messages a loop receives at once. */
const BATCH = 64;

const MOST = 1024;

/** The option names of a time limit. As a second argument a bare number would be ambiguous. */
const LIMIT = ['timeout', 'deadline'];
const MANY = ['most'];
const MANY_LIMIT = ['most', 'timeout', 'deadline'];
const MANY_WAIT = ['timeout', 'deadline', 'signal', 'most'];

/** @param {unknown} size */
function checkSize(size) {
    return checkCount(size, 'size', 0, CHANNEL_LARGEST_RING);
}

/** @param {{ most?: number | undefined }} [options] */
function checkMost({ most = MOST } = {}) {
    return checkCount(most, 'most', 1, MOST);
}

/** @param {unknown} messages @returns {Uint8Array[]} */
function allBytesOf(messages) {
    if (!Array.isArray(messages)) {
        throw valueError('HF_BAD_MESSAGE', 'Pass an array of messages', messages);
    }
    const all = []; // Array.from() takes Node five times as long
    for (const message of messages) {
        all.push(bytesOf(message)); // refuses holes too
    }
    return all;
}

/**
 * @template {{} | undefined} T
 * @param {T} value undefined: there are no more
 * @returns {IteratorResult<Exclude<T, undefined>, undefined>}
 */
export function resultOf(value) {
    return /** @type {any} */ ({ value, done: value === undefined });
}

/**
 * Not a generator, which takes Firefox several microseconds for each value.
 * @template T
 * @param {() => Promise<IteratorResult<T, undefined>>} next
 * @returns {AsyncIterableIterator<T>}
 */
export function iteratorOf(next) {
    return {
        next,
        [Symbol.asyncIterator]() {
            return this;
        },
    };
}

const IN_PLACE_ASYNC = 'The callback returned a promise. Use the bytes before the callback returns.';

/**
 * A channel: messages of bytes from any threads to any threads, first in, first out, in a ring of fixed size.
 * A full channel makes senders wait, so nothing piles up. Each message goes to one receiver. The receiver of
 * a message sees all that its sender wrote before sending.
 *
 * If a thread dies while it sends, nothing was sent. If it dies while it receives, the next receiver gets the
 * message. The others go on within about a second, without an error.
 *
 * ```js
 * const channel = new Channel();
 * worker.postMessage({ channel: channel.handle }); // there: Channel.from(handle).send(bytes)
 * for await (const bytes of channel) {
 *     draw(bytes);
 * }
 * ```
 * @extends {Placed<'Channel'>}
 */
export class Channel extends Placed {
    static KIND = 'Channel';
    /** The size without the ring behind it. */
    static BYTES = CHANNEL_BYTES;
    static ALIGN = CHANNEL_ALIGN;

    /** @type {import('../memory/channel.js').ChannelExports} */
    #exports;
    /** @type {number} */
    #byteOffset;
    /** @type {Int32Array} */
    #words;
    /** The bytes of the memory. @type {Uint8Array} */
    #bytes;
    /** @type {number} */
    #ring;
    /** @type {SideQueue | undefined} */
    #knownSenders;
    /** @type {SideQueue | undefined} */
    #knownReceivers;
    /** Messages that a loop has received and not yet yielded. @type {Uint8Array[]} */
    #kept = [];

    /**
     * Makes a new, empty channel. Blocks: never. Callable from: any thread.
     * @overload
     * @param {{ bytes?: number | undefined } & import('../memory/placed.js').PlaceOptions} [options] `bytes`: the
     *     size of the ring, a power of two from 64 to 1,073,741,824, 65,536 by default; `space`: where it lives, by
     *     default a space of this thread's, which has room for a ring of 524,288; `name`: for errors and `inspect()`,
     *     and with a `space` for `named()`
     * @throws {HoldfastError} `HF_BAD_COUNT`, `HF_NO_SPACE`, `HF_NO_ALLOCATOR`, `HF_NO_WEBASSEMBLY`, `HF_BAD_OPTION`
     */
    /** @param {any[]} args */
    constructor(...args) {
        /** @type {number | undefined} */
        let ring;
        /** @type {WebAssembly.Memory} */
        let memory;
        super(
            args,
            ({ bytes = DEFAULT_RING }) => {
                const checked = (ring = checkRing(bytes));
                return (_, byteOffset) => initChannel(memory, byteOffset, checked);
            },
            (base) => {
                memory = base.memory;
                return withChannel(base, ring);
            },
            ['bytes'],
        );
        const found = foundFor(this);
        const { attachment, byteOffset } = found;
        found.isKnown = true; // the block is not used again: another object there may need more bytes
        this.#exports = /** @type {any} */ (attachment.exports);
        this.#byteOffset = byteOffset;
        this.#words = attachment.words;
        this.#bytes = new Uint8Array(attachment.memory.buffer);
        this.#ring = this.#word(CHANNEL_SENDERS_OFFSET + CHANNEL_RING_OFFSET);
        if (!isRing(this.#ring)) {
            throw new HoldfastError(
                'HF_CORRUPT',
                `There is no channel at ${byteOffset}. To make one, pass options to at(): {} is enough.`,
            );
        }
        if (ring === undefined) {
            attachment.check(byteOffset, CHANNEL_BYTES + this.#ring, CHANNEL_ALIGN);
        }
    }

    /** The size of its ring. */
    get bytes() {
        return this.#ring;
    }

    /** The size of the largest message in bytes: half the ring less 8. */
    get largest() {
        return this.#ring / 2 - CHANNEL_HEADER;
    }

    /** The number of messages in the channel. Other threads may have changed it already. */
    get length() {
        const received = this.#word(CHANNEL_RECEIVERS_OFFSET + CHANNEL_COUNT_OFFSET);
        return (this.#word(CHANNEL_SENDERS_OFFSET + CHANNEL_COUNT_OFFSET) - received) | 0;
    }

    /** `true` if the channel is closed. It may still have messages. */
    get isClosed() {
        return (this.#word(CHANNEL_SENDERS_OFFSET + CHANNEL_WORD_OFFSET) & CHANNEL_CLOSED) !== 0;
    }

    /**
     * Closes the channel, for all threads: pending sends fail, messages in the channel are still received, and then
     * receivers get `null`. Closing again does nothing.
     * Blocks: never. Callable from: any thread.
     */
    close() {
        this.#exports.channel_close(this.#byteOffset);
    }

    /**
     * Sends a copy of the bytes.
     * Blocks: until there is room, without limit (`trySend(message, { timeout })` has one). Callable from: workers,
     * and Node's main thread.
     * @overload
     * @param {Message} message
     * @returns {void}
     * @throws {HoldfastError} `HF_CLOSED`; `HF_OVERFLOW` if it is larger than `largest`; `HF_MAY_NOT_BLOCK` where
     *     blocking is not allowed; `HF_DEADLOCK` in a callback that sends in place to the same channel; `HF_CORRUPT`
     */
    /** @param {any} message @param {unknown} [limit] */
    send(message, limit) {
        checkNoLimit(limit, 'trySend(message, { timeout })');
        this.#sendWithin(bytesOf(message), Infinity);
    }

    /**
     * Sends a copy of the bytes if there is room within the timeout.
     * Blocks: for `timeout` at most, so never by default. Callable from: any thread, an audio worklet too; with a
     * timeout the same as `send()`.
     * @param {Message} message
     * @param {TimeLimit} [limit] `timeout`: 0 by default, milliseconds, fractions allowed, 0 or less: do not wait; or
     *     `deadline`
     * @returns {boolean} whether it was sent; without a timeout false too while another thread is sending
     * @throws {HoldfastError} as `send()`; `HF_BAD_TIMEOUT`, `HF_BAD_OPTION`
     */
    trySend(message, limit) {
        return this.#sendWithin(bytesOf(message), checkLimit(limit, 0, LIMIT));
    }

    /**
     * Sends a copy of the bytes, made when there is room: do not change them until the promise settles. The requests
     * of one thread send in the order made.
     * Blocks: never. Callable from: any thread; an audio worklet only while there is room.
     * @param {Message} message
     * @param {WaitOptions} [options]
     * @returns {Promise<void>} rejects with a `TimeoutError`, with the signal's reason, or with `HF_CLOSED`,
     *     `HF_OVERFLOW`, `HF_NO_TIMERS`, `HF_CORRUPT`, or the code for a bad argument
     */
    sendAsync(message, options) {
        return promised(() => {
            const bytes = bytesOf(message);
            const start = () => this.#sendOne(bytes.length, (place) => this.#write(place, bytes));
            return this.#ask(this.#senders(), bytes.length, start, undefined, checkWait(options));
        });
    }

    /**
     * Sends a message of that size, which the callback writes directly into the ring: no copy is made. At first the
     * bytes have any values. Nothing is sent if the callback throws. Do not use the bytes afterwards.
     * Blocks: until there is room, without limit. Callable from: the same as `send()`.
     * @overload
     * @param {number} size in bytes
     * @param {(bytes: Uint8Array) => void} fill not async
     * @returns {void}
     * @throws {HoldfastError} as `send()`; `HF_BAD_COUNT`; `HF_BAD_CALLBACK`; and what the callback throws
     */
    /** @param {number} size @param {(bytes: Uint8Array) => void} fill @param {unknown} [limit] */
    sendInPlace(size, fill, limit) {
        checkNoLimit(limit, 'trySendInPlace(size, fill, { timeout })');
        this.#sendInPlaceWithin(size, fill, Infinity);
    }

    /**
     * Writes a message in place, as `sendInPlace()` does, if there is room within the timeout.
     * Blocks: as `trySend()`. Callable from: the same as `trySend()`.
     * @param {number} size in bytes
     * @param {(bytes: Uint8Array) => void} fill not async
     * @param {TimeLimit} [limit] as of `trySend()`
     * @returns {boolean} whether it was sent
     * @throws {HoldfastError} as `sendInPlace()`; `HF_BAD_TIMEOUT`, `HF_BAD_OPTION`
     */
    trySendInPlace(size, fill, limit) {
        return this.#sendInPlaceWithin(size, fill, checkLimit(limit, 0, LIMIT));
    }

    /**
     * Writes a message in place, as `sendInPlace()` does, without blocking.
     * Blocks: never. Callable from: the same as `sendAsync()`.
     * @param {number} size in bytes
     * @param {(bytes: Uint8Array) => void} fill not async
     * @param {WaitOptions} [options]
     * @returns {Promise<void>} rejects as `sendAsync()`, and with what the callback throws
     */
    sendInPlaceAsync(size, fill, options) {
        return promised(() => {
            checkCallback(fill);
            const start = (/** @type {SideQueue} */ _, /** @type {typeof fill} */ callback) =>
                this.#sendOne(size, (place) => this.#inPlace(place, size, callback));
            return this.#ask(this.#senders(), checkSize(size), start, fill, checkWait(options));
        });
    }

    /**
     * Sends copies of all messages, in their order, several at a time. Messages of other threads may come between
     * them.
     * Blocks: until there was room for all, without limit. Callable from: the same as `send()`.
     * @overload
     * @param {readonly Message[]} messages
     * @returns {void}
     * @throws {HoldfastError} as `send()`: with `HF_OVERFLOW` none was sent, with `HF_CLOSED` some may have been
     */
    /** @param {any} messages @param {unknown} [limit] */
    sendMany(messages, limit) {
        checkNoLimit(limit, 'trySendMany(messages, { timeout })');
        this.#sendManyWithin(allBytesOf(messages), Infinity);
    }

    /**
     * Sends copies of the first messages, as many as there is room for within the timeout.
     * Blocks: as `trySend()`. Callable from: the same as `trySend()`.
     * @param {readonly Message[]} messages
     * @param {TimeLimit} [limit] as of `trySend()`
     * @returns {number} how many it has sent
     * @throws {HoldfastError} as `sendMany()`; `HF_BAD_TIMEOUT`, `HF_BAD_OPTION`
     */
    trySendMany(messages, limit) {
        return this.#sendManyWithin(allBytesOf(messages), checkLimit(limit, 0, LIMIT));
    }

    /**
     * Receives a message.
     * Blocks: until there is one or the channel is closed, without limit (`tryReceive(timeout)` has one). Callable
     * from: workers, and Node's main thread.
     * @overload
     * @returns {Uint8Array | null} a copy, which belongs to the program; null: the channel is closed and empty
     * @throws {HoldfastError} `HF_MAY_NOT_BLOCK` where blocking is not allowed; `HF_DEADLOCK` in a callback that
     *     receives in place from the same channel; `HF_CORRUPT`
     */
    /** @param {unknown} [limit] */
    receive(limit) {
        checkNoLimit(limit, 'tryReceive(timeout)');
        return this.#receiveWithin(Infinity);
    }

    /**
     * Receives a message if there is one within the timeout.
     * Blocks: for `timeout` at most, so never by default. Callable from: any thread, an audio worklet too; with a
     * timeout the same as `receive()`.
     * @param {number | TimeLimit} [timeout] milliseconds; 0 or less: do not wait
     * @returns {Uint8Array | null | undefined} a copy; null: it is closed and empty; undefined: none came in time;
     *     without a timeout also while another thread is receiving
     * @throws {HoldfastError} as `receive()`; `HF_BAD_TIMEOUT`
     */
    tryReceive(timeout = 0) {
        return this.#receiveWithin(checkLimit(timeout));
    }

    /**
     * Receives a message without blocking. The requests of one thread are served in the order made.
     * Blocks: never. Callable from: any thread; an audio worklet only while there is a message.
     * @param {WaitOptions} [options]
     * @returns {Promise<Uint8Array | null>} of a copy; null: it is closed and empty. Rejects with a `TimeoutError`,
     *     with the signal's reason, or with a `HoldfastError` (`HF_BAD_TIMEOUT`, `HF_BAD_SIGNAL`, `HF_BAD_OPTION`,
     *     `HF_NO_TIMERS`, `HF_CORRUPT`)
     */
    receiveAsync(options) {
        return promised(() => {
            const wait = checkWait(options);
            const kept = this.#kept.shift();
            return kept
                ? settled(Promise.resolve(kept))
                : this.#ask(this.#receivers(), 0, () => this.#receiveOne(), undefined, wait);
        });
    }

    /**
     * Lets the callback read the next message in the ring itself, and then removes it. If the callback throws, the
     * message stays the next one. Do not use the bytes afterwards.
     * Blocks: until there is one or the channel is closed, without limit. Callable from: the same as `receive()`.
     * @template T
     * @overload
     * @param {(bytes: Uint8Array) => import('../waiting/section.js').NotAsync<T>} use not async
     * @returns {T | null} what the callback returns; null: it is closed and empty
     * @throws {HoldfastError} as `receive()`; `HF_BAD_CALLBACK`; and what the callback throws
     */
    /** @param {(bytes: Uint8Array) => any} use @param {unknown} [limit] */
    receiveInPlace(use, limit) {
        checkNoLimit(limit, 'tryReceiveInPlace(use, { timeout })');
        return this.#receiveInPlaceWithin(use, Infinity);
    }

    /**
     * Reads a message in place, as `receiveInPlace()` does, if there is one within the timeout.
     * Blocks: as `tryReceive()`. Callable from: the same as `tryReceive()`.
     * @template T
     * @param {(bytes: Uint8Array) => import('../waiting/section.js').NotAsync<T>} use not async
     * @param {TimeLimit} [limit] as of `trySend()`
     * @returns {T | null | undefined} what the callback returns; null: it is closed and empty; undefined: none came
     *     in time
     * @throws {HoldfastError} as `receiveInPlace()`; `HF_BAD_TIMEOUT`, `HF_BAD_OPTION`
     */
    tryReceiveInPlace(use, limit) {
        return this.#receiveInPlaceWithin(use, checkLimit(limit, 0, LIMIT));
    }

    /**
     * Reads a message in place, as `receiveInPlace()` does, without blocking.
     * Blocks: never. Callable from: the same as `receiveAsync()`.
     * @template T
     * @param {(bytes: Uint8Array) => import('../waiting/section.js').NotAsync<T>} use not async
     * @param {WaitOptions} [options]
     * @returns {Promise<T | null>} of what the callback returns; null: it is closed and empty. Rejects as
     *     `receiveAsync()`, and with what the callback throws
     */
    receiveInPlaceAsync(use, options) {
        return promised(() => {
            checkCallback(use);
            const wait = checkWait(options);
            const start = (/** @type {SideQueue} */ _, /** @type {typeof use} */ callback) =>
                this.#receiveOneInPlace(callback);
            return this.#kept.length > 0
                ? settled(Promise.resolve(this.#useKept(use)))
                : this.#ask(this.#receivers(), 0, start, use, wait);
        });
    }

    /**
     * Receives the messages that are there. They share one ArrayBuffer.
     * Blocks: until there is one or the channel is closed, without limit. Callable from: the same as `receive()`.
     * @param {number | { most?: number | undefined }} [most] how many at most, 1 to 1,024, which is the default
     * @returns {Uint8Array[] | null} copies; null: it is closed and empty
     * @throws {HoldfastError} as `receive()`; `HF_BAD_COUNT`
     */
    receiveMany(most) {
        checkNoLimitIn(most, 'tryReceiveMany({ most, timeout })');
        const options = typeof most === 'object' ? checkOptions(most, MANY) : { most };
        return /** @type {any} */ (this.#receiveManyWithin(options, Infinity));
    }

    /**
     * Receives the messages that are there, if there are some within the timeout.
     * Blocks: as `tryReceive()`. Callable from: the same as `tryReceive()`.
     * @param {TimeLimit & { most?: number | undefined }} [options] `most`: as of `receiveMany()`; `timeout`,
     *     `deadline`: as of `trySend()`
     * @returns {Uint8Array[] | null | undefined} copies; null: it is closed and empty; undefined: none came in time
     * @throws {HoldfastError} as `receiveMany()`; `HF_BAD_TIMEOUT`, `HF_BAD_OPTION`
     */
    tryReceiveMany(options) {
        return this.#receiveManyWithin(options, checkLimit(options, 0, MANY_LIMIT));
    }

    /**
     * Receives the messages that are there, and waits for one without blocking.
     * Blocks: never. Callable from: the same as `receiveAsync()`.
     * @param {WaitOptions & { most?: number | undefined }} [options] `most`: as of `receiveMany()`
     * @returns {Promise<Uint8Array[] | null>} rejects as `receiveAsync()`, and with `HF_BAD_COUNT`
     */
    receiveManyAsync(options) {
        return promised(() => {
            const wait = checkWait(options, MANY_WAIT);
            const most = checkMost(options);
            return this.#kept.length > 0
                ? settled(Promise.resolve(this.#kept.splice(0, most)))
                : this.#ask(this.#receivers(), 0, () => this.#receiveSome(most), undefined, wait);
        });
    }

    /**
     * All messages, until the channel is closed and empty: `for await (const bytes of channel)`. It receives up to 64
     * messages at once, but only one at a time while other requests of this thread wait. It lets other work of this
     * thread run about every 4 ms. After a `break`, this object first gives the messages that the loop had received
     * and not used.
     * @returns {AsyncIterableIterator<Uint8Array>}
     */
    [Symbol.asyncIterator]() {
        // Messages go into `#kept` in one step, so several loops keep them in order.
        const start = (/** @type {SideQueue} */ { first }) => {
            // Only one if other requests wait, since those cannot get what is in `#kept`.
            const some = this.#receiveSome(first ? 1 : BATCH);
            this.#kept.push(...(some ?? []));
            return resultOf(this.#kept.shift());
        };
        // A message must not overtake an earlier one, whose promise settles after a turn.
        const take = (/** @type {boolean} */ isDue) => {
            if (this.#kept.length === 0) {
                return this.#ask(this.#receivers(), 0, start, undefined, WITHOUT_LIMIT, isDue);
            }
            const promise = Promise.resolve(resultOf(this.#kept.shift()));
            return isDue ? afterTurn(promise) : promise;
        };
        return iteratorOf(() => promised(() => take(isTurnDue() || isTurnAwaited())));
    }

    /** @param {number} offset @returns {number} */
    #word(offset) {
        return environment.load(this.#words, (this.#byteOffset + offset) / 4);
    }

    #senders() {
        if (this.#knownSenders === undefined || this.#knownSenders.isFreed) {
            this.#knownSenders = queueOf(this, SENDERS);
        }
        return this.#knownSenders;
    }

    #receivers() {
        if (this.#knownReceivers === undefined || this.#knownReceivers.isFreed) {
            this.#knownReceivers = queueOf(this, RECEIVERS);
        }
        return this.#knownReceivers;
    }

    /**
     * @template C
     * @param {SideQueue} queue
     * @param {number} size
     * @param {(queue: SideQueue, callback: C) => any} start with the side's result
     * @param {C} callback
     * @param {import('../options.js').Wait} wait
     * @param {boolean} [isDue] whether other work of this thread has its turn before the promise settles
     * @returns {Promise<any>}
     */
    #ask(queue, size, start, callback, wait, isDue = isTurnDue()) {
        const { gate } = queue;
        if (queue.admits && (wait.timeout === 0 ? gate.enter(size, 0) : gate.tryNow(size))) {
            const promise = Promise.resolve(start(queue, callback));
            return isDue ? afterTurn(promise) : promise;
        }
        return request(queue, size, start, callback, wait, isDue);
    }

    /** @param {Side} side @param {number} [size] of a message */
    #refusal(side, size) {
        switch (side.result) {
            case RESULT_CLOSED:
                return lockError(side, 'HF_CLOSED', '% is closed.');
            case RESULT_OVERFLOW:
                return lockError(
                    side,
                    'HF_OVERFLOW',
                    `A message of ${size} bytes is too large for %, which takes ${this.largest} at most. Make it with more { bytes }.`,
                );
            default:
                return lockError(
                    side,
                    'HF_CORRUPT',
                    'The memory of % holds no valid channel: other code wrote there, or none was made there.',
                );
        }
    }

    /** @param {number} place @param {Uint8Array} bytes */
    #write(place, bytes) {
        // A message that was resized meanwhile would overwrite the bytes behind it.
        if (bytes.length !== this.#sizeAt(place)) {
            throw new HoldfastError('HF_BAD_MESSAGE', 'The message was resized while it waited for room.');
        }
        this.#bytes.set(bytes, this.#byteOffset + place);
    }

    /** @param {number} place @param {number} size @param {(bytes: Uint8Array) => any} callback */
    #inPlace(place, size, callback) {
        const begin = this.#byteOffset + place;
        return notAsync(callback(this.#bytes.subarray(begin, begin + size)), IN_PLACE_ASYNC);
    }

    /** @param {number} place */
    #sizeAt(place) {
        return /** @type {number} */ (this.#words[(this.#byteOffset + place - CHANNEL_HEADER) / 4]);
    }

    /** Requires: the senders' side has a result. @param {number} size @param {(place: number) => void} write */
    #sendOne(size, write) {
        const { gate } = this.#senders();
        if (gate.result < CHANNEL_LEAST_PLACE) {
            throw this.#refusal(gate, size);
        }
        let isSent;
        try {
            write(gate.result);
            isSent = gate.moveOn();
        } finally {
            gate.unlock();
        }
        if (!isSent) {
            gate.result = RESULT_CLOSED;
            throw this.#refusal(gate);
        }
    }

    /** @param {Uint8Array} bytes @param {number} limit */
    #sendWithin(bytes, limit) {
        const isReady = this.#senders().gate.enter(bytes.length, limit);
        if (isReady) {
            this.#sendOne(bytes.length, (place) => this.#write(place, bytes));
        }
        return isReady;
    }

    /** @param {number} size @param {(bytes: Uint8Array) => void} fill @param {number} limit */
    #sendInPlaceWithin(size, fill, limit) {
        checkCallback(fill);
        const isReady = this.#senders().gate.enter(checkSize(size), limit);
        if (isReady) {
            this.#sendOne(size, (place) => this.#inPlace(place, size, fill));
        }
        return isReady;
    }

    /** @param {Uint8Array[]} messages @param {number} limit @returns {number} how many were sent */
    #sendManyWithin(messages, limit) {
        const { gate } = this.#senders();
        const large = messages.find(({ length }) => length > this.largest);
        if (large) {
            gate.result = RESULT_OVERFLOW;
            throw this.#refusal(gate, large.length);
        }
        const end = environment.now() + limit;
        let sent = 0;
        let left = limit;
        for (let first = messages[0]; first && gate.enter(first.length, left); first = messages[sent]) {
            let more = sent;
            this.#sendOne(first.length, (place) => {
                for (let next = place; next >= CHANNEL_LEAST_PLACE;) {
                    this.#write(next, /** @type {Uint8Array} */ (messages[more]));
                    more += 1;
                    const following = messages[more];
                    next = following ? gate.more(following.length) : 0;
                }
            });
            sent = more;
            left = end - environment.now();
        }
        return sent;
    }

    /**
     * Requires: the receivers' side has a result.
     * @template T
     * @param {(place: number) => T} read
     * @returns {T | null}
     */
    #receiveBy(read) {
        const { gate } = this.#receivers();
        if (gate.result < CHANNEL_LEAST_PLACE) {
            if (gate.result === RESULT_CLOSED) {
                return null;
            }
            throw this.#refusal(gate);
        }
        try {
            const value = read(gate.result);
            gate.moveOn();
            return value;
        } finally {
            gate.unlock();
        }
    }

    #receiveOne() {
        return this.#receiveBy((place) => this.#copy(place, place));
    }

    /** @param {(bytes: Uint8Array) => any} use */
    #receiveOneInPlace(use) {
        return this.#receiveBy((place) => this.#inPlace(place, this.#sizeAt(place), use));
    }

    /**
     * Copies the bytes from one message to the end of another.
     * @param {number} first place
     * @param {number} last place
     */
    #copy(first, last) {
        const begin = this.#byteOffset + first;
        const bytes = this.#bytes.subarray(begin, begin + last - first + this.#sizeAt(last));
        const copy = new Uint8Array(bytes.length); // slice() takes Firefox several microseconds
        copy.set(bytes);
        return copy;
    }

    /**
     * Copies several messages into one buffer: a buffer for each would take several times as long.
     * @param {number} most
     */
    #receiveSome(most) {
        return this.#receiveBy((place) => {
            const { gate } = this.#receivers();
            const places = [];
            for (let next = place; next >= CHANNEL_LEAST_PLACE;) {
                places.push(next);
                next = places.length < most ? gate.more(0) : 0;
            }
            return places.length === 1 ? [this.#copy(place, place)] : this.#copyAll(places);
        });
    }

    /** @param {number[]} places */
    #copyAll(places) {
        /** @type {Uint8Array[]} */
        const messages = [];
        // The messages may wrap around the end of the ring once.
        const [start = 0] = places;
        const wraps = places.findIndex((place) => place < start);
        for (const part of wraps < 0 ? [places] : [places.slice(0, wraps), places.slice(wraps)]) {
            const [first = 0] = part;
            const { buffer } = this.#copy(first, Number(part.at(-1)));
            part.forEach((place) => {
                messages.push(new Uint8Array(buffer, place - first, this.#sizeAt(place)));
            });
        }
        return messages;
    }

    /** @param {number} limit */
    #receiveWithin(limit) {
        const kept = this.#kept.shift();
        if (kept) {
            return kept;
        }
        return this.#receivers().gate.enter(0, limit) ? this.#receiveOne() : undefined;
    }

    /** @param {(bytes: Uint8Array) => any} use @param {number} limit */
    #receiveInPlaceWithin(use, limit) {
        checkCallback(use);
        if (this.#kept.length > 0) {
            return this.#useKept(use);
        }
        return this.#receivers().gate.enter(0, limit) ? this.#receiveOneInPlace(use) : undefined;
    }

    /** @param {(bytes: Uint8Array) => any} use */
    #useKept(use) {
        const bytes = /** @type {Uint8Array} */ (this.#kept.shift());
        try {
            return notAsync(use(bytes), IN_PLACE_ASYNC);
        } catch (error) {
            this.#kept.unshift(bytes);
            throw error;
        }
    }

    /** @param {{ most?: number | undefined } | undefined} options @param {number} limit */
    #receiveManyWithin(options, limit) {
        const most = checkMost(options);
        if (this.#kept.length > 0) {
            return this.#kept.splice(0, most);
        }
        return this.#receivers().gate.enter(0, limit) ? this.#receiveSome(most) : undefined;
    }
}
