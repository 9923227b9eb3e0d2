/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import {
    AGENT_ASKED_OFFSET,
    AGENT_BLOCKED_OFFSET,
    AGENT_WAIT_ENDS,
    AGENT_WAIT_FLAGS,
    AGENT_WAIT_WATCHES,
    AT_RWLOCK,
    RESULT_TIMEOUT,
} from '../memory/layout.js';
import { slotOf } from '../memory/slot.js';
import { environment } from '../thread/environment.js';
import { BLOCKED_BEFORE_MS, SHOWN_AFTER_MS } from '../thread/times.js';
import { blockFor } from './blocking.js';

/** What this thread waits for at one place: its slot shows that to others, who ask when a program hangs. */
export class Awaited {
    #attachment;
    #place;
    /** Only what a thread holds alone is of rings. */
    #isOwned;
    #askedSince = 0;

    /**
     * @param {import('../memory/attachment.js').Attachment} attachment
     * @param {number} byteOffset
     * @param {number} kind of what stands there (hf__kind_at)
     */
    constructor(attachment, byteOffset, kind) {
        this.#attachment = attachment;
        this.#place = byteOffset | kind;
        this.#isOwned = kind <= AT_RWLOCK;
    }

    /**
     * Blocks as `blockFor`.
     *
     * @param {Parameters<typeof blockFor>[0]} wait
     * @param {number} timeout milliseconds
     * @param {number} [token] of the wait so far
     * @param {() => number} [look] at times; since when the holder has held it, as far as is known, or 0
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
                const held = look?.();
                if (waited >= SHOWN_AFTER_MS) {
                    since ||= this.#since(waited, timeout === Infinity ? 0 : AGENT_WAIT_ENDS);
                    this.#show(AGENT_BLOCKED_OFFSET, since, held);
                    deadlock = attachment.watch?.(AGENT_BLOCKED_OFFSET);
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
     * The event loop waits for it. Of several it shows the first, and before those the first that has one owner.
     *
     * @param {number} [held] as above
     */
    ask(held) {
        const attachment = this.#attachment;
        if (attachment.table === 0) {
            return; // there is no slot
        }
        if (!attachment.asked || (this.#isOwned && !attachment.asked.#isOwned)) {
            attachment.asked = this;
        }
        if (attachment.asked === this) {
            this.#askedSince ||= this.#since(0, 0);
            this.#show(AGENT_ASKED_OFFSET, this.#askedSince, held);
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
     * When a wait began, as its slot says it.
     *
     * @param {number} waited
     * @param {number} flags hf__wait_flag
     */
    #since(waited, flags) {
        return ((environment.date() - waited) & ~AGENT_WAIT_FLAGS) | flags;
    }

    /**
     * @param {number} which of the slot's waits
     * @param {number} [since] 0: it waits no more
     * @param {number} [held] when, on `environment.date`
     */
    #show(which, since = 0, held = 0) {
        const slot = slotOf(this.#attachment, this.#attachment.self);
        const watches = this.#attachment.watch ? AGENT_WAIT_WATCHES : 0; // a LockSpace may come later than the wait
        // The place last, which says that there is a wait.
        [held, since && since | watches, since && this.#place].forEach((value, at) => {
            if (slot !== undefined) {
                environment.store(slot, which / 4 + 2 - at, value | 0);
            }
        });
    }
}
