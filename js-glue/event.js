/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import {
    AT_EVENT,
    EVENT_ALIGN,
    EVENT_BYTES,
    EVENT_CAPACITY,
    EVENT_STATE_OFFSET,
    RESULT_OK,
} from './memory/layout.js';
import { HoldfastError } from './errors.js';
import { checkLimit, quoted, valueError, WITHOUT_LIMIT } from './options.js';
import { promised } from './thread/event-loop.js';
import { Gate, tryPass } from './waiting/gate.js';
import { askPhase, Phase } from './waiting/phase.js';
import { addFamily } from './memory/family.js';
import { attachmentFor, offsetFor, Placed } from './memory/placed.js';
import { queueOf } from './waiting/queue-of.js';
import { ask, checkMayWait } from './waiting/request.js';
import { askWithRef, unreferenced } from './waiting/unreferenced.js';

/** @typedef {import('./memory/attachment.js').Attachment} Attachment */

const INSTEAD = 'waitAsync()';

/** An event without `autoReset`. */
/** @type {import('./waiting/phase.js').PhaseKind} */
const EVENT = {
    Waits: Phase,
    offset: EVENT_STATE_OFFSET,
    step: (exports, at, token) => exports.event_step(at, token),
    wait: (exports, at, token, before, limit) => exports.event_wait(at, token, before, limit),
    at: AT_EVENT,
    instead: INSTEAD,
};

/** An event with `autoReset`: a gate. */
const AUTO_EVENT = {
    Waits: Gate,
    capacityOf: () => EVENT_CAPACITY,
    leaveOf: () => () => RESULT_OK,
    refusal: nothing,
    at: AT_EVENT,
    instead: INSTEAD,
};

/**
 * The newest signal of each event, with the token of its wait. The key is the event's queue.
 * @type {WeakMap<object, { controller: AbortController, token: number }>}
 */
const controllers = new WeakMap();

/** The callback of a granted wait: it holds nothing. @returns {undefined} */
function nothing() {}

/**
 * An event: threads wait until it is set. With `autoReset`, a set lets one waiter through, which resets the
 * event; further sets before that change nothing, however many wait. Without it, the event stays set, and a
 * set lets all present waiters through, even if it is reset at once.
 *
 * ```js
 * const go = new Event();
 * worker.postMessage({ go: go.handle });
 * go.set();
 * ```
 * @extends {Placed<'Event'>}
 */
export class Event extends Placed {
    static KIND = 'Event';
    static BYTES = EVENT_BYTES;
    static ALIGN = EVENT_ALIGN;

    /** @type {Attachment} */
    #attachment;

    /**
     * Makes a new event, not set. Blocks: never. Callable from: any thread.
     * @overload
     * @param {{ autoReset?: boolean | undefined } & import('./memory/placed.js').PlaceOptions} [options] `autoReset`:
     *     false by default
     * @throws {HoldfastError} `HF_NO_SPACE`, `HF_NO_ALLOCATOR`, `HF_NO_WEBASSEMBLY`, `HF_BAD_OPTION`
     */
    /** @param {any[]} args */
    constructor(...args) {
        super(
            args,
            ({ autoReset = false }) => {
                if (typeof autoReset !== 'boolean') {
                    throw valueError('HF_BAD_OPTION', 'autoReset must be true or false', quoted(autoReset));
                }
                return (exports, byteOffset) => exports.event_init(byteOffset, Number(autoReset));
            },
            addFamily,
            ['autoReset'],
        );
        this.#attachment = attachmentFor(this);
    }

    /** `true` if each granted wait resets the event. */
    get autoReset() {
        return this.#attachment.exports.event_resets_itself(offsetFor(this)) !== 0;
    }

    /** `true` if it is set. The value may be late. */
    get isSet() {
        return this.#attachment.exports.event_is_set(offsetFor(this)) !== 0;
    }

    /**
     * Sets it; an event that is set stays so. A thread that the event lets through, or that resets it next, sees
     * everything that this thread wrote before.
     * Blocks: never. Callable from: any thread.
     */
    set() {
        this.#attachment.exports.event_set(offsetFor(this));
    }

    /**
     * Resets it, even if a waiter that a set let through has not run yet. An event that is not set stays so. This
     * thread then sees data that was written before earlier sets. So no signal is lost if one thread resets, checks
     * the data, and then waits. With two such threads, one may take back a set that the other has not waited for yet.
     * Blocks: never. Callable from: any thread.
     */
    reset() {
        this.#attachment.exports.event_reset(offsetFor(this));
    }

    /**
     * Waits until the event is set.
     * Blocks: until then, for `timeout` at most. Callable from: workers, and Node's main thread; with a timeout of 0
     * any thread.
     * @param {number | import('./options.js').TimeLimit} [timeout] milliseconds; without limit by default
     * @returns {boolean} whether it was set; false: the time is up
     * @throws {HoldfastError} `HF_MAY_NOT_BLOCK` where blocking is not allowed; `HF_BAD_TIMEOUT`
     */
    wait(timeout = Infinity) {
        if (this.autoReset) {
            return tryPass(this.#gate().gate, EVENT_CAPACITY, checkLimit(timeout, Infinity));
        }
        return this.#phase().gate.block(this.#begin(), timeout);
    }

    /**
     * Waits until the event is set, without blocking.
     * Blocks: never. Callable from: any thread; in an audio worklet only if it is set.
     * @param {import('./waiting/unreferenced.js').EventWaitOptions} [options] `ref: false`: the process may end
     *     meanwhile
     * @returns {Promise<void>} rejects with a `TimeoutError`, with the signal's reason, or with a `HoldfastError`
     *     (`HF_BAD_TIMEOUT`, `HF_BAD_SIGNAL`, `HF_BAD_OPTION`, `HF_NO_TIMERS`)
     */
    waitAsync(options) {
        return promised(() =>
            askWithRef(options, (wait) =>
                this.autoReset
                    ? ask(this.#gate(), EVENT_CAPACITY, nothing, undefined, wait)
                    : askPhase(this.#phase(), this.#begin(), undefined, wait),
            ),
        );
    }

    /**
     * A signal that aborts when the event is set, in whatever thread: `fetch(url, { signal: stop.signal })`. It has
     * aborted already if the event is set as you read this. After `reset()` the next reading gives a new signal. It
     * does not keep the process alive. It never aborts after `LockSpace.free(event)`.
     * Blocks: never. Callable from: any thread but audio worklets.
     * @returns {AbortSignal}
     * @throws {HoldfastError} `HF_BAD_OPTION` with `autoReset`, where each set is for one wait; `HF_NO_TIMERS`
     */
    get signal() {
        if (this.autoReset) {
            throw new HoldfastError(
                'HF_BAD_OPTION',
                'An event with autoReset has no signal. Make the event without autoReset, or await waitAsync().',
            );
        }
        const queue = this.#phase();
        checkMayWait(queue);
        const { isSet } = this;
        const token = this.#begin();
        const known = controllers.get(queue);
        // A signal with another token is about to abort, since the event was set and reset.
        const isCurrent = isSet || (known?.token === token && !known.controller.signal.aborted);
        const newest = known && isCurrent ? known : { controller: new AbortController(), token };
        const { controller } = newest;
        controllers.set(queue, newest);
        if (isSet) {
            controller.abort();
        } else if (newest !== known) {
            unreferenced(askPhase(queue, token, undefined, WITHOUT_LIMIT)).then(
                () => controller.abort(),
                () => {},
            );
        }
        return controller.signal;
    }

    #begin() {
        return this.#attachment.exports.event_begin(offsetFor(this));
    }

    #gate() {
        return queueOf(this, AUTO_EVENT);
    }

    #phase() {
        return queueOf(this, EVENT);
    }
}
