/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { AbandonedError, checkAborted, isTimeout } from '../errors.js';
import { CHANNEL_ALIGN, THREAD_MARK } from '../memory/layout.js';
import { checkLimit, checkWait } from '../options.js';
import { checkMayBlock } from '../thread/capabilities.js';
import { environment } from '../thread/environment.js';
import { PROBE_AFTER_MS } from '../thread/times.js';
import { about, lockError, timeoutError } from '../waiting/about.js';
import { Calls, checkFits, HEAD, headOf, REFUSED, stationOf, withHead } from './calls.js';
import { STATION_HEADER } from './station.js';

/**
 * @typedef {import('../options.js').TimeLimit} TimeLimit
 * @typedef {import('../options.js').Wait} Wait
 * @typedef {import('../options.js').WaitOptions} WaitOptions
 * @typedef {import('./station.js').Station} Station
 */

/** The option names of a time limit, which follows the bytes. */
const LIMIT = ['timeout', 'deadline'];

/** The time between two probes of the answering thread. */
const SLICE_MS = PROBE_AFTER_MS;

/**
 * Asks another thread, and waits for its answer: `call()` blocks, as a worker may, while the thread of the `Answerer` goes on.
 * If that thread dies, the calls end by an error within about a second. A caller that dies leaves nothing behind.
 *
 * ```js
 * const caller = Caller.from(handle); // of the Answerer
 * const reply = caller.call(bytes, { timeout: 1000 });
 * ```
 */
export class Caller extends Calls {
    static KIND = 'Answerer';
    /** The size of the header alone. With the channels behind it: (192 + `bytes`) * (`callers` + 1). */
    static BYTES = STATION_HEADER;
    static ALIGN = CHANNEL_ALIGN;

    /** Counts the calls that found no free station, so that each waits for another one than the call before. */
    #turn = 0;

    /**
     * Makes a new caller, for an answerer of the same handle. Blocks: never. Callable from: any thread.
     * @overload
     * @param {import('./calls.js').CallsOptions} [options] as for `Answerer`
     * @throws {import('../errors.js').HoldfastError} as `new Answerer()`
     */
    /** @param {any[]} args */
    constructor(...args) {
        super(args);
    }

    /**
     * Sends a request, and waits for its answer. If no thread answers yet, the call waits for one.
     * Blocks: until it is answered, for `timeout` at most, which is without limit by default. Callable from: workers,
     * and Node's main thread.
     * @param {import('./message.js').Message} bytes of the request, `largest` at most
     * @param {TimeLimit} [limit] `{ timeout, deadline }`
     * @returns {Uint8Array} a copy of the answer, which belongs to the program
     * @throws {import('../errors.js').HoldfastError} a `TimeoutError`; an `AbandonedError` if the thread that
     *     answered has died; `HF_CLOSED`; `HF_REFUSED` with the reason that the answerer gave; `HF_OVERFLOW`;
     *     `HF_MAY_NOT_BLOCK` where blocking is not allowed; `HF_DEADLOCK` in the thread that answers, or if all calls
     *     under way are this thread's; or the code for a bad argument
     */
    call(bytes, limit) {
        const timeout = checkLimit(limit, Infinity, LIMIT);
        const request = checkFits(this, bytes, 'A request');
        checkMayBlock('callAsync()');
        if (this.#answering.isMine) {
            throw lockError(
                this.#answering.gate,
                'HF_DEADLOCK',
                'This thread answers the calls of %, and would wait for itself. Use callAsync().',
            );
        }
        const end = environment.now() + timeout;
        const deaths = this.#checkAnswers();
        /** @template T @param {(limit: number) => T | undefined} wait @returns {T} */
        const until = (wait) => {
            for (;;) {
                const result = wait(this.#sliceUntil(end, timeout));
                if (result !== undefined) {
                    return result;
                }
                this.#checkAnswers(deaths);
            }
        };
        const [number, station] = until((slice) => this.#take(slice));
        try {
            const call = station.count();
            const { channel } = this.#answering;
            const message = withHead(number, call, request);
            until((timeout) => channel.trySendInPlace(...message, { timeout }) || undefined);
            const read = readerOf(call);
            return this.#answerIn(until((timeout) => station.channel.tryReceiveInPlace(read, { timeout })));
        } finally {
            station.count();
            station.leave();
        }
    }

    /**
     * Sends a request, and waits for its answer without blocking.
     * Blocks: never. Callable from: any thread but audio worklets.
     * @param {import('./message.js').Message} bytes of the request, `largest` at most: do not change them before the
     *     promise settles
     * @param {WaitOptions} [options]
     * @returns {Promise<Uint8Array>} of the answer. Rejects as `call()` throws, and with the signal's reason,
     *     `HF_BAD_SIGNAL` or `HF_NO_TIMERS`
     */
    async callAsync(bytes, options) {
        const { timeout, signal } = checkWait(options);
        const request = checkFits(this, bytes, 'A request');
        const end = environment.now() + timeout;
        const deaths = this.#checkAnswers();
        /** @template T @param {(wait: Wait) => Promise<T | undefined>} wait @returns {Promise<T>} */
        const until = async (wait) => {
            for (;;) {
                const slice = this.#sliceUntil(end, timeout);
                try {
                    const result = await wait({ timeout: slice, signal });
                    if (result !== undefined) {
                        return result;
                    }
                } catch (error) {
                    checkAborted(signal);
                    if (!isTimeout(error)) {
                        throw error;
                    }
                }
                this.#checkAnswers(deaths);
            }
        };
        const [number, station] = await until((wait) => this.#takeAsync(wait));
        try {
            const call = station.count();
            const { channel } = this.#answering;
            const message = withHead(number, call, request);
            await until(async (wait) => {
                await channel.sendInPlaceAsync(...message, wait);
                return true;
            });
            const read = readerOf(call);
            return this.#answerIn(await until((wait) => station.channel.receiveInPlaceAsync(read, wait)));
        } finally {
            station.count();
            station.leave();
        }
    }

    get #answering() {
        return stationOf(this, 0);
    }

    /**
     * @param {number} end
     * @param {number} timeout
     * @returns {number} how long to wait before the next check
     * @throws {import('../errors.js').TimeoutError}
     */
    #sliceUntil(end, timeout) {
        const left = end - environment.now();
        if (left <= 0) {
            throw timeoutError(this.#answering, timeout);
        }
        return Math.min(left, SLICE_MS);
    }

    /**
     * @param {number} [before] how many answering threads had died when the call began
     * @returns {number} how many have died by now
     * @throws {AbandonedError} if one has died since
     */
    #checkAnswers(before) {
        const { gate, number } = this.#answering;
        const holder = /** @type {import('../waiting/holder.js').Holder} */ (gate.holder);
        holder.probe(true);
        if (holder.known & THREAD_MARK || number !== (before ?? number)) {
            const dead = holder.dead();
            const text = `% is abandoned: ${dead[0] || 'a thread'} died answering. Another thread may begin to answer.`;
            throw new AbandonedError(...about(gate, text), ...dead);
        }
        return number;
    }

    /** @returns {[number, Station] | undefined} a free station, now taken by this thread, and its number */
    #free() {
        for (let number = 1; number <= this.callers; number += 1) {
            const station = stationOf(this, number);
            if (station.gate.tryNow(station.gate.alone)) {
                return [number, station];
            }
        }
        return undefined;
    }

    /** @returns {[number, Station]} the station to wait for */
    #next() {
        this.#turn = (this.#turn % this.callers) + 1;
        return [this.#turn, stationOf(this, this.#turn)];
    }

    /** @param {number} limit milliseconds @returns {[number, Station] | undefined} */
    #take(limit) {
        const free = this.#free();
        if (free) {
            return free;
        }
        for (let tries = 0; tries < this.callers; tries += 1) {
            const next = this.#next();
            if (!next[1].isMine) {
                return next[1].take(limit) ? next : undefined;
            }
        }
        throw lockError(
            this.#answering.gate,
            'HF_DEADLOCK',
            `This thread already has ${this.callers} pending calls of %. To allow more, make it with more { callers }.`,
        );
    }

    /** @param {Wait} wait @returns {Promise<[number, Station]>} */
    async #takeAsync(wait) {
        const free = this.#free();
        if (free) {
            return free;
        }
        const next = this.#next();
        await next[1].takeAsync(wait);
        return next;
    }

    /** @param {[number, Uint8Array] | null} answer @returns {Uint8Array} */
    #answerIn(answer) {
        const { gate } = this.#answering;
        if (answer === null) {
            throw lockError(gate, 'HF_CLOSED', '% is closed.');
        }
        const [kind, bytes] = answer;
        if (kind === REFUSED) {
            throw lockError(gate, 'HF_REFUSED', new TextDecoder().decode(bytes));
        }
        return bytes;
    }
}

/**
 * Reads an answer in place.
 * @param {number} call its number
 * @returns {(bytes: Uint8Array) => [number, Uint8Array] | undefined} undefined: the answer was for an earlier call
 */
function readerOf(call) {
    return (bytes) => {
        const [number, kind] = headOf(bytes);
        return number === call ? [kind, bytes.slice(HEAD)] : undefined;
    };
}
