/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import {
    AT_LATCH,
    LATCH_ALIGN,
    LATCH_BYTES,
    LATCH_COUNT_OFFSET,
    LATCH_MOST,
    RESULT_OK,
} from './memory/layout.js';
import { checkCount } from './options.js';
import { promised } from './thread/event-loop.js';
import { lockError } from './waiting/about.js';
import { askPhase, Phase } from './waiting/phase.js';
import { addFamily } from './memory/family.js';
import { attachmentFor, offsetFor, Placed } from './memory/placed.js';
import { queueOf } from './waiting/queue-of.js';
import { askWithRef } from './waiting/unreferenced.js';

/** @typedef {import('./memory/attachment.js').Attachment} Attachment */
/** @typedef {import('./memory/placed.js').PlaceOptions} PlaceOptions */

const NO_TOKEN = 0;

/** @type {import('./waiting/phase.js').PhaseKind} */
const LATCH = {
    Waits: Phase,
    offset: LATCH_COUNT_OFFSET,
    step: (exports, at) => exports.latch_step(at),
    wait: (exports, at, _, before, limit) => exports.latch_wait(at, before, limit),
    at: AT_LATCH,
    instead: 'waitAsync()',
};

/**
 * A latch: threads wait until a count has come down to 0. Then it stays open.
 *
 * ```js
 * const ready = new Latch({ count: workers.length });
 * workers.forEach((worker) => worker.postMessage({ ready: ready.handle }));
 * await ready.waitAsync();
 * ```
 * @extends {Placed<'Latch'>}
 */
export class Latch extends Placed {
    static KIND = 'Latch';
    static BYTES = LATCH_BYTES;
    static ALIGN = LATCH_ALIGN;

    /** @type {Attachment} */
    #attachment;

    /**
     * Makes a new latch. Blocks: never. Callable from: any thread.
     * @overload
     * @param {{ count: number } & PlaceOptions} options `count`: what it counts down from, 0 to 2,147,483,647
     * @throws {HoldfastError} `HF_NO_SPACE`, `HF_NO_ALLOCATOR`, `HF_NO_WEBASSEMBLY`, `HF_BAD_OPTION`, `HF_BAD_COUNT`
     */
    /** @param {any[]} args */
    constructor(...args) {
        super(
            args,
            ({ count }) => {
                checkCount(count, 'count', 0, LATCH_MOST);
                return (exports, byteOffset) => exports.latch_init(byteOffset, count);
            },
            addFamily,
            ['count'],
        );
        this.#attachment = attachmentFor(this);
    }

    /** The remaining count. The value may be late. */
    get count() {
        return this.#attachment.exports.latch_count(offsetFor(this)) >>> 0;
    }

    /**
     * Takes `by` off the count. At 0 all waiters go on. Blocks: never. Callable from: any thread.
     * @param {number} [by] 1 or more
     * @throws {HoldfastError} `HF_OVERFLOW` if the count is less than that; `HF_BAD_COUNT`; nothing is changed then
     */
    countDown(by = 1) {
        checkCount(by, 'by', 1, LATCH_MOST);
        if (this.#attachment.exports.latch_count_down(offsetFor(this), by) !== RESULT_OK) {
            throw lockError(
                this.#queue().gate,
                'HF_OVERFLOW',
                `countDown(${by}) would take % below 0. All countdowns together are at most its initial count.`,
            );
        }
    }

    /**
     * Waits until the count is 0.
     * Blocks: until then, for `timeout` at most. Callable from: workers, and Node's main thread; with a timeout of 0
     * any thread.
     * @param {number | import('./options.js').TimeLimit} [timeout] milliseconds; without limit by default
     * @returns {boolean} whether the count is 0; false: the time is up
     * @throws {HoldfastError} `HF_MAY_NOT_BLOCK` where blocking is not allowed; `HF_BAD_TIMEOUT`
     */
    wait(timeout = Infinity) {
        return this.#queue().gate.block(NO_TOKEN, timeout);
    }

    /**
     * Waits until the count is 0, without blocking.
     * Blocks: never. Callable from: any thread; in an audio worklet only if it is 0.
     * @param {import('./waiting/unreferenced.js').EventWaitOptions} [options]
     * @returns {Promise<void>} rejects with a `TimeoutError`, with the signal's reason, or with a `HoldfastError`
     *     (`HF_BAD_TIMEOUT`, `HF_BAD_SIGNAL`, `HF_BAD_OPTION`, `HF_NO_TIMERS`)
     */
    waitAsync(options) {
        return promised(() =>
            askWithRef(options, (wait) => askPhase(this.#queue(), NO_TOKEN, undefined, wait)),
        );
    }

    #queue() {
        return queueOf(this, LATCH);
    }
}
