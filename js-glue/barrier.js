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
import { promised, settled } from './thread/event-loop.js';
import { askPhase, Phase } from './waiting/phase.js';
import { queueOf } from './waiting/queue-of.js';
import { addFamily } from './memory/family.js';
import { attachmentFor, offsetFor, Placed } from './memory/placed.js';

/** @typedef {import('./memory/attachment.js').Attachment} Attachment */
/** @typedef {import('./memory/placed.js').PlaceOptions} PlaceOptions */
/** @typedef {import('./memory/module.js').Exports} Exports */

const INSTEAD = 'arriveAndWaitAsync()';

/* The step's result for the last arrival of a round. The others get the round's number, which has 31 bits. */
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
 * A barrier: a fixed number of threads, its parties, wait for each other in rounds. A party that arrives for
 * the next round early waits there. A thread that dies while it waits stays arrived; the next round then
 * never completes. Free a barrier only when the calls of all parties have returned: one that has returned
 * does not show that the others have.
 *
 * ```js
 * const barrier = new Barrier({ parties: 4 });
 * worker.postMessage({ barrier: barrier.handle });
 * if (await barrier.arriveAndWaitAsync()) {
 *     // one of the four comes here
 * }
 * ```
 * @extends {Placed<'Barrier'>}
 */
export class Barrier extends Placed {
    static KIND = 'Barrier';
    static BYTES = BARRIER_BYTES;
    static ALIGN = BARRIER_ALIGN;

    // Cached: threads that meet often spend most of a round in this glue.
    /** @type {Attachment} */
    #attachment;
    /** @type {Exports} */
    #exports;
    /** @type {number} */
    #byteOffset;

    /**
     * Makes a new barrier. Blocks: never. Callable from: any thread.
     * @overload
     * @param {{ parties: number } & PlaceOptions} options `parties`: how many arrive in each round, 1 to 65,535
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
     * Blocks: until all have arrived, for `timeout` at most. Callable from: workers, and Node's main thread; with a
     * timeout of 0 any thread.
     * @param {number | import('./options.js').TimeLimit} [timeout] milliseconds; without limit by default
     * @returns {boolean | null} whether this was the last to arrive, which is true for one party of each round; null:
     *     the time is up, and the arrival is taken back
     * @throws {HoldfastError} `HF_MAY_NOT_BLOCK` where blocking is not allowed, before it has arrived;
     *     `HF_BAD_TIMEOUT`
     */
    arriveAndWait(timeout = Infinity) {
        const limit = checkLimit(timeout, Infinity);
        if (limit !== 0) {
            checkMayBlock(INSTEAD);
        }
        const arrival = this.#exports.barrier_arrive(this.#byteOffset);
        if (arrival === LAST) {
            return true;
        }
        return this.#queue().gate.blockFor(roundOf(arrival), limit) ? false : null;
    }

    /**
     * Arrives at once, and waits for the others without blocking.
     * Blocks: never. Callable from: any thread; in an audio worklet only if it is the last to arrive.
     * @param {import('./options.js').WaitOptions} [options]
     * @returns {Promise<boolean>} whether this was the last to arrive. Rejects with a `TimeoutError` or with the
     *     signal's reason, and then the arrival is taken back. Also rejects with a `HoldfastError` (`HF_BAD_TIMEOUT`,
     *     `HF_BAD_SIGNAL`, `HF_BAD_OPTION`, `HF_NO_TIMERS`)
     */
    arriveAndWaitAsync(options) {
        return promised(() => {
            const wait = checkWait(options);
            const arrival = this.#exports.barrier_arrive(this.#byteOffset);
            return arrival === LAST
                ? settled(Promise.resolve(true))
                : askPhase(this.#queue(), roundOf(arrival), false, wait);
        });
    }

    #queue() {
        return queueOf(this, BARRIER);
    }
}

/** @param {bigint} arrival */
function roundOf(arrival) {
    return Number(BigInt.asIntN(ROUND_BITS, arrival));
}
