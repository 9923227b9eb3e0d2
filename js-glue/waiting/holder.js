/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { environment } from '../thread/environment.js';
import { PROBE_AFTER_MS } from '../thread/times.js';
import { RWLOCK_MOST, THREAD_MARK } from '../memory/layout.js';
import { deadSince, nameOrNumber, slotOf } from '../memory/slot.js';

/** @typedef {import('../memory/attachment.js').Attachment} Attachment */

/** The holder of a lock that this thread waits for, and whether it lives (c-src/agents.h). */
export class Holder {
    #attachment;
    #byteOffset;
    /** The holder's identity; 0: none seen. */
    known = 0;
    /** When the holder was first seen, across waits, so that repeated short waits also probe. */
    #first = 0;
    /** When this wait first saw the holder: between two waits it may have released the lock and locked it again. */
    since = 0;

    /** @param {{ attachment: Attachment, byteOffset: number }} found */
    constructor({ attachment, byteOffset }) {
        this.#attachment = attachment;
        this.#byteOffset = byteOffset;
    }

    /**
     * Called from time to time during a wait. Marks a dead holder in the lock and wakes all waiters. Takes a dead
     * upgradable reader out of the lock.
     * @param {boolean} goesOn whether this wait has probed before
     */
    probe(goesOn) {
        if (this.#attachment.table === 0) {
            return;
        }
        const now = environment.now();
        if (!goesOn) {
            this.since = now;
        }
        // Probe a holder only after it was seen for a while: each probe uses up one of its entries.
        const known = now - this.#first >= PROBE_AFTER_MS && this.isOther ? this.known : 0;
        const holder = this.owner(known, environment.date() >>> 0);
        if (holder !== this.known) {
            this.known = holder;
            this.since = this.#first = now;
        }
    }

    /**
     * True if another thread holds the lock exclusively or upgradable. `known` is then its identity, above
     * RWLOCK_MOST. Otherwise it is a count of readers.
     */
    get isOther() {
        return this.known !== this.#attachment.self && this.known > RWLOCK_MOST;
    }

    /**
     * The identity of the holder, also of a dead one; 0: not held.
     * @param {number} [known] to be probed
     * @param {number} [now]
     */
    owner(known = 0, now = 0) {
        const { exports, table } = this.#attachment;
        return exports.owner_probe(this.#byteOffset, table, known, now);
    }

    /**
     * The holder, and how long it has held the lock at least, for an error.
     * @returns {import('../errors.js').Held | undefined}
     */
    held() {
        const owner = this.owner();
        const slot = slotOf(this.#attachment, owner);
        return (
            slot && {
                holder: nameOrNumber(slot, owner),
                // No time for a hold of this thread: its code knows when the hold began.
                heldFor:
                    owner === this.known && this.isOther ? (environment.now() - this.since) | 0 : undefined,
            }
        );
    }

    /**
     * For an error: the dead thread, '' if no longer known, and when it was found dead.
     * @returns {[string, number?]}
     */
    dead() {
        const owner = this.owner();
        // An owner without the mark is repairing the lock.
        const slot = owner & THREAD_MARK && slotOf(this.#attachment, owner & ~THREAD_MARK);
        return slot ? [nameOrNumber(slot, owner), deadSince(slot)] : [''];
    }
}
