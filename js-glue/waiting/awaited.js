/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import {
    AGENT_ASKED_OFFSET,
    AGENT_BLOCKED_OFFSET,
    AGENT_WAIT_ENDS,
    AGENT_WAIT_FLAGS,
    AGENT_WAIT_WATCHES,
    RESULT_TIMEOUT,
} from '../memory/layout.js';
import { slotOf } from '../memory/slot.js';
import { environment } from '../thread/environment.js';
import { BLOCKED_BEFORE_MS, SHOWN_AFTER_MS } from '../thread/times.js';

/** @typedef {import('./holder.js').Holder} Holder */

/** The limit of one call is 32 bits of microseconds. */
const LONGEST_WAIT_MS = 60_000;

/**
 * The deadline is absolute, so waking in vain does not stretch it.
 *
 * @param {(token: number, limitMicroseconds: number) => number} wait steps and waits once; without a limit left it ends
 *     the wait; negative: the token for the next call
 * @param {number} timeout milliseconds
 * @param {number} [token] of the wait so far
 * @param {(waited: number) => boolean} [between] called between two waits, with how long this has waited; whether to give up
 * @returns {number} an hf_result
 */
function blockFor(wait, timeout, token = 0, between) {
    const began = environment.now();
    let result = token;
    do {
        const waited = environment.now() - began;
        const ends = result < 0 && between?.(waited);
        const left = ends ? 0 : Math.min(timeout - waited, LONGEST_WAIT_MS);
        result = wait(result, left > 0 ? Math.ceil(left * 1000) : 0);
    } while (result < 0);
    return result;
}

/** When a wait began, as a slot says it. @param {number} waited */
function timeOf(waited) {
    return (environment.date() - waited) & ~AGENT_WAIT_FLAGS;
}

/** What this thread waits for at one place: its slot shows that to others, who ask when a program hangs. */
export class Awaited {
    #attachment;
    #place;
    /** Whether another thread holds it alone: only that makes rings. @type {boolean | undefined} */
    #hasOwner;
    #askedSince = 0;

    /**
     * @param {import('../memory/attachment.js').Attachment} attachment
     * @param {number} place with its kind (hf__kind_at)
     */
    constructor(attachment, place) {
        this.#attachment = attachment;
        this.#place = place;
    }

    /**
     * Blocks as `blockFor`.
     *
     * @param {Parameters<typeof blockFor>[0]} wait
     * @param {number} timeout milliseconds
     * @param {number} [token] of the wait so far
     * @param {() => Holder | undefined} [look] at times, at who holds it
     * @throws {import('../errors.js').HoldfastError} `HF_DEADLOCK`
     */
    block(wait, timeout, token, look) {
        const attachment = this.#attachment;
        const before = token ? BLOCKED_BEFORE_MS : 0;
        let since = 0;
        /** @type {import('../errors.js').HoldfastError | undefined} */
        let deadlock;
        try {
            const result = blockFor(wait, timeout, token, (waitedHere) => {
                const waited = before + waitedHere;
                const holder = look?.();
                if (waited >= SHOWN_AFTER_MS) {
                    since ||= timeOf(waited) | (timeout === Infinity ? 0 : AGENT_WAIT_ENDS);
                    this.#show(AGENT_BLOCKED_OFFSET, since, holder);
                    deadlock = attachment.watch?.(AGENT_BLOCKED_OFFSET);
                    this.#show(AGENT_BLOCKED_OFFSET, since, holder); // what a handler blocked for has stood there
                }
                return deadlock !== undefined;
            });
            if (deadlock && result === RESULT_TIMEOUT) {
                throw deadlock;
            }
            return result;
        } finally {
            if (since !== 0) {
                this.#show(AGENT_BLOCKED_OFFSET);
            }
        }
    }

    /**
     * The event loop waits for it. Of several it shows the first, and before those the first that another thread holds alone.
     *
     * @param {Holder} [holder]
     */
    ask(holder) {
        const attachment = this.#attachment;
        if (attachment.table === 0) {
            return; // there is no slot
        }
        this.#askedSince ||= timeOf(0);
        this.#hasOwner = holder?.isOther;
        if (!attachment.asked || (this.#hasOwner && !attachment.asked.#hasOwner)) {
            attachment.asked = this;
        }
        if (attachment.asked === this) {
            this.#show(AGENT_ASKED_OFFSET, this.#askedSince, holder);
            attachment.watch?.(AGENT_ASKED_OFFSET);
        }
    }

    askNoMore() {
        this.#askedSince = 0;
        if (this.#attachment.asked === this) {
            this.#attachment.asked = undefined;
            this.#show(AGENT_ASKED_OFFSET);
        }
    }

    /**
     * @param {number} which of the slot's waits
     * @param {number} [since] 0: it waits no more
     * @param {Holder} [holder]
     */
    #show(which, since = 0, holder) {
        const slot = slotOf(this.#attachment, this.#attachment.self);
        const watches = this.#attachment.watch ? AGENT_WAIT_WATCHES : 0; // a LockSpace may come later than the wait
        const held = holder?.heldSince ?? 0;
        // The place last, which says that there is a wait.
        [held, since && since | watches, since && this.#place].forEach(
            (value, at) => slot && environment.store(slot, which / 4 + 2 - at, value),
        );
    }
}
