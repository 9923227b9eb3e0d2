/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { CHANNEL_ALIGN } from '../memory/layout.js';
import { valueError, WITHOUT_LIMIT } from '../options.js';
import { ANSWERED, Calls, checkFits, HEAD, headOf, REFUSED, stationOf, withHead } from './calls.js';
import { iteratorOf, resultOf } from './channel.js';
import { STATION_HEADER } from './station.js';

/**
 * @typedef {import('./message.js').Message} Message
 * @typedef {import('./station.js').Station} Station
 */

/** The time limit of an answer that waits for room. A thread that died while it answered has the room until it is found dead. */
const LATE_ANSWER = { timeout: 10_000 };

/** A call that waits for its answer. */
export class CallRequest {
    #answerer;
    #station;
    #number;

    /**
     * @internal
     * @param {Answerer} answerer
     * @param {Station} station of the call
     * @param {number} number of the call
     * @param {Uint8Array} bytes
     */
    constructor(answerer, station, number, bytes) {
        this.#answerer = answerer;
        this.#station = station;
        this.#number = number;
        /** A copy of the request, which belongs to the program. @type {Uint8Array} */
        this.bytes = bytes;
    }

    /**
     * `true` while the call has no answer and its caller has not given up. A caller that died still counts as
     * waiting.
     */
    get isAwaited() {
        const { number, channel } = this.#station;
        return number === this.#number && !channel.isClosed;
    }

    /**
     * Answers with a copy of the bytes. If the caller has given up, the answer is dropped.
     * Blocks: never. Callable from: the thread that got the request; of several calls the first one counts.
     * @param {Message} bytes of `largest` bytes at most
     * @returns {boolean} whether the caller still waited
     * @throws {import('../errors.js').HoldfastError} `HF_BAD_MESSAGE`, `HF_OVERFLOW`; after these errors the caller
     *     still waits
     */
    answer(bytes) {
        return this.#reply(ANSWERED, checkFits(this.#answerer, bytes, 'An answer'));
    }

    /**
     * Ends the call by an error: `call()` throws `HF_REFUSED` with this reason.
     * Blocks: never. Callable from: the same as `answer()`.
     * @param {string} reason of `largest` bytes of UTF-8 at most
     * @returns {boolean} as `answer()`
     * @throws {import('../errors.js').HoldfastError} `HF_BAD_OPTION`, `HF_OVERFLOW`; after these errors the caller
     *     still waits
     */
    refuse(reason) {
        if (typeof reason !== 'string') {
            throw valueError('HF_BAD_OPTION', 'The reason given to refuse() must be a string', reason);
        }
        return this.#reply(REFUSED, checkFits(this.#answerer, new TextEncoder().encode(reason), 'A reason'));
    }

    /** @param {number} kind @param {Uint8Array} bytes */
    #reply(kind, bytes) {
        const { isAwaited } = this;
        if (isAwaited) {
            const { channel } = this.#station;
            if (!channel.trySendInPlace(...withHead(this.#number, kind, bytes))) {
                // The channel has no room while it contains a late answer to the station's last call. It stays locked
                // after a death in the middle of an answer, until the death is noticed.
                const later = withHead(this.#number, kind, bytes.slice());
                channel.sendInPlaceAsync(...later, LATE_ANSWER).catch(() => {});
            }
            this.#number = NaN; // a number that no call has
        }
        return isAwaited;
    }
}

/**
 * Answers the calls of other threads. They block in `Caller.call()`; this thread gets their requests by an
 * async loop, which a page may run too. One thread answers at a time, from its first loop until it closes the
 * answerer or dies. Both end the pending calls by an error. Another thread's loop waits until the answering
 * thread has died, and then takes its place.
 *
 * ```js
 * const answerer = new Answerer();
 * worker.postMessage({ files: answerer.handle }); // there: Caller.from(files).call(bytes)
 * for await (const request of answerer) {
 *     request.answer(await read(request.bytes));
 * }
 * ```
 */
export class Answerer extends Calls {
    static KIND = 'Answerer';
    /** The size of the header alone. With the channels behind it: (192 + `bytes`) * (`callers` + 1). */
    static BYTES = STATION_HEADER;
    static ALIGN = CHANNEL_ALIGN;

    /**
     * Makes a new answerer. Blocks: never. Callable from: any thread.
     * @overload
     * @param {import('./calls.js').CallsOptions} [options] `bytes`: the size of each ring, a power of two from 64 to
     *     1,073,741,824, 65,536 by default; `largest`, the limit of a request or an answer, is half of it less 16;
     *     `callers`: how many calls can be under way at a time, 1 to 255, 4 by default; further calls wait
     * @throws {import('../errors.js').HoldfastError} `HF_BAD_COUNT`, `HF_NO_SPACE`, `HF_NO_ALLOCATOR`,
     *     `HF_NO_WEBASSEMBLY`, `HF_BAD_OPTION`
     */
    /** @param {any[]} args */
    constructor(...args) {
        super(args);
    }

    /**
     * The requests, until it is closed: `for await (const request of answerer)`. Requests whose callers have given up
     * are left out. The loop lets other work of this thread run about every 4 ms. After a `break` the callers wait
     * until a loop goes on.
     * @returns {AsyncIterableIterator<CallRequest>}
     */
    [Symbol.asyncIterator]() {
        const own = stationOf(this, 0);
        const take = async () => {
            if (!own.isMine && (await own.takeAsync(WITHOUT_LIMIT))) {
                own.count(); // ends the calls that the dead thread was to answer
            }
        };
        /** @type {Promise<void> | undefined} */
        let taken;
        const next = async () => {
            await (taken ??= take());
            let bytes;
            while ((bytes = await own.channel.receiveAsync())) {
                const [caller, number] = headOf(bytes);
                const request = new CallRequest(this, stationOf(this, caller), number, bytes.subarray(HEAD));
                if (request.isAwaited) {
                    return resultOf(request);
                }
            }
            this.#leave();
            return resultOf(undefined);
        };
        return iteratorOf(next);
    }

    /**
     * Closes the answerer, for all threads: pending and later calls end with `HF_CLOSED`, and the loops end. Closing
     * again does nothing.
     * Blocks: never. Callable from: any thread.
     */
    close() {
        for (let station = 0; station <= this.callers; station += 1) {
            stationOf(this, station).channel.close();
        }
        this.#leave();
    }

    #leave() {
        const own = stationOf(this, 0);
        if (own.isMine) {
            own.leave();
        }
    }
}
