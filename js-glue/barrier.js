/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { checkMayBlock } from './thread/capabilities.js';
import {
    AT_BARRIER,
    BARRIER_ALIGN,
    BARRIER_BYTES,
    BARRIER_MOST,
    BARRIER_ROUND_OFFSET,
} from './memory/layout.js';
import { checkCount, checkLimit, checkWait } from './options.js';
import { settled } from './thread/event-loop.js';
import { timeoutError } from './waiting/about.js';
import { askPhase, Phase } from './waiting/phase.js';
import { queueOf } from './waiting/queue-of.js';
import { addFamily } from './memory/family.js';
import { attachmentFor, offsetFor, Placed } from './memory/placed.js';

/** @typedef {import('./memory/attachment.js').Attachment} Attachment */
/** @typedef {import('./memory/placed.js').PlaceOptions} PlaceOptions */
/** @typedef {import('./memory/module.js').Exports} Exports */

const INSTEAD = 'arriveAndWaitAsync()';

/* The result of the last arrival of a round; the others get the round, which has one bit less. */
const ROUND_BITS = 32;
const LAST = 0x1_0000_0000n;

/** @type {import('./waiting/phase.js').PhaseKind} */
const BARRIER = {
    Waits: Phase,
    offset: BARRIER_ROUND_OFFSET,
    step: (exports, at, round) => exports.barrier_step(at, round),
    wait: (exports, at, round, before, limit) => exports.barrier_wait(at, round, before, limit),
    mustEnd: true,
    at: AT_BARRIER,
    instead: INSTEAD,
};

/**
 * A barrier: a number of parties wait until all of them have arrived, round after round. One that runs ahead into the
 * next round waits there for the others of it. A thread that dies while it waits has arrived; the round
 * after that waits for ever. Free it when the calls of all
 * parties have returned: who is let through does not know that of the others.
 *
 * ```js
 * const barrier = new Barrier({ parties: 4 });
 * worker.postMessage({ barrier: barrier.handle });
 * if (await barrier.arriveAndWaitAsync()) {
 *     // one of the four comes here
 * }
 * ```
 *
 * @extends {Placed<'Barrier'>}
 */
export class Barrier extends Placed {
    static KIND = 'Barrier';
    static BYTES = BARRIER_BYTES;
    static ALIGN = BARRIER_ALIGN;

    // Kept here, since threads that meet often spend what is left of a round in this glue.
    /** @type {Attachment} */
    #attachment;
    /** @type {Exports} */
    #exports;
    /** @type {number} */
    #byteOffset;

    /**
     * Makes a new one.
     *
     * Blocks: never. Callable from: any thread.
     *
     * @overload
     * @param {{ parties: number } & PlaceOptions} options `parties`: how many arrive in each round,
     *     1 to 65,535; `space`: where it lives, by default a space of this thread's;
     *     `name`: for errors and `inspect()`, and with a `space` for `named()`
     * @throws {HoldfastError} `HF_NO_SPACE`, `HF_NO_ALLOCATOR`, `HF_NO_WEBASSEMBLY`, `HF_BAD_OPTION`, `HF_BAD_COUNT`
     */
    /** @param {any[]} args */
    constructor(...args) {
        super(
            args,
            ({ parties }) => {
                const checked = checkCount(parties, 'parties', 1, BARRIER_MOST);
                return (exports, byteOffset) => exports.barrier_init(byteOffset, checked);
            },
            addFamily,
            ['parties'],
        );
        this.#attachment = attachmentFor(this);
        this.#exports = this.#attachment.exports;
        this.#byteOffset = offsetFor(this);
    }

    /**
     * Arrives, and waits for the others.
     *
     * Blocks: until all have arrived, for `timeout` at most. Callable from: workers, and Node's main thread.
     *
     * @param {number | import('./options.js').TimeLimit} [timeout] milliseconds, fractions allowed, or `{ timeout, deadline }`; without
     *     limit by default
     * @returns {boolean} whether this was the last to arrive; of each round one is
     * @throws {HoldfastError} a `TimeoutError`, and the arrival is taken back; `HF_MAY_NOT_BLOCK` where blocking is not
     *     allowed, before it has arrived; `HF_BAD_TIMEOUT`
     */
    arriveAndWait(timeout = Infinity) {
        const limit = checkLimit(timeout, Infinity);
        checkMayBlock(INSTEAD);
        const arrival = this.#exports.barrier_arrive(this.#byteOffset);
        if (arrival === LAST) {
            return true;
        }
        const round = roundOf(arrival);
        if (!this.#queue().gate.blockFor(round, limit)) {
            throw timeoutError(this.#queue(), limit);
        }
        return false;
    }

    /**
     * Arrives, and waits for the others without blocking. It has arrived when this call returns.
     *
     * Blocks: never. Callable from: any thread; an audio worklet only as the last.
     *
     * @param {import('./options.js').WaitOptions} [options]
     * @returns {Promise<boolean>} of whether this was the last to arrive. Rejects with a `TimeoutError` or with the
     *     signal's reason, and the arrival is taken back, or with a `HoldfastError` (`HF_BAD_TIMEOUT`, `HF_BAD_SIGNAL`,
     *     `HF_BAD_OPTION`, `HF_NO_TIMERS`)
     */
    arriveAndWaitAsync(options) {
        try {
            const wait = checkWait(options);
            const arrival = this.#exports.barrier_arrive(this.#byteOffset);
            return arrival === LAST
                ? settled(Promise.resolve(true))
                : askPhase(this.#queue(), roundOf(arrival), false, wait);
        } catch (error) {
            return settled(Promise.reject(error));
        }
    }

    #queue() {
        return queueOf(this, BARRIER);
    }
}

/** @param {bigint} arrival */
function roundOf(arrival) {
    return Number(BigInt.asIntN(ROUND_BITS, arrival));
}
