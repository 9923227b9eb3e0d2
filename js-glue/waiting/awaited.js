/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { AGENT_ASKED_OFFSET, AGENT_BLOCKED_OFFSET } from '../memory/layout.js';
import { slotOf } from '../memory/slot.js';
import { environment } from '../thread/environment.js';
import { SHOWN_AFTER_MS } from '../thread/times.js';
import { blockFor } from './blocking.js';

/** What this thread waits for at one place: its slot shows that to others, who ask when a program hangs. */
export class Awaited {
    #attachment;
    #place;
    #askedSince = 0;

    /**
     * @param {import('../memory/attachment.js').Attachment} attachment
     * @param {number} byteOffset
     * @param {number} kind of what stands there (hf__kind_at)
     */
    constructor(attachment, byteOffset, kind) {
        this.#attachment = attachment;
        this.#place = byteOffset | kind;
    }

    /**
     * Blocks as `blockFor`.
     *
     * @param {Parameters<typeof blockFor>[0]} wait
     * @param {number} timeout milliseconds
     * @param {number} [token]
     * @param {() => number} [look] at times; since when the holder has held it, as far as is known, or 0
     */
    block(wait, timeout, token, look) {
        let isShown = false;
        try {
            return blockFor(wait, timeout, token, (waited) => {
                const held = look?.();
                if (waited >= SHOWN_AFTER_MS) {
                    isShown = true;
                    this.#show(AGENT_BLOCKED_OFFSET, this.#place, environment.date() - waited, held);
                }
            });
        } finally {
            if (isShown) {
                this.#show(AGENT_BLOCKED_OFFSET);
            }
        }
    }

    /**
     * The event loop waits for it. Of several it shows the first.
     *
     * @param {number} [held] as above
     */
    ask(held) {
        const attachment = this.#attachment;
        attachment.asked ??= this;
        if (attachment.asked === this) {
            this.#askedSince ||= environment.date();
            this.#show(AGENT_ASKED_OFFSET, this.#place, this.#askedSince, held);
        }
    }

    askNoMore() {
        if (this.#attachment.asked === this) {
            this.#attachment.asked = undefined;
            this.#askedSince = 0;
            this.#show(AGENT_ASKED_OFFSET);
        }
    }

    /**
     * @param {number} which of the slot's waits
     * @param {number} [place] 0: it waits no more
     * @param {number} [since] when, on `environment.date`
     * @param {number} [held]
     */
    #show(which, place = 0, since = 0, held = 0) {
        const slot = slotOf(this.#attachment, this.#attachment.self);
        // The place last, which says that there is a wait.
        [held, since, place].forEach((value, at) => {
            if (slot !== undefined) {
                environment.store(slot, which / 4 + 2 - at, value | 0);
            }
        });
    }
}
