/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { HoldfastError } from '../errors.js';
import { environment } from '../thread/environment.js';
import { Attachment } from './attachment.js';
import { addFamily } from './family.js';
import { HOLDS_TEXT } from './holds-bytes.js';
import { AGENTS_COUNT_OFFSET, RESULT_OK, RWLOCK_SHARED } from './layout.js';
import { instantiate } from './module.js';
import { allocate } from './space.js';

/* Gates that know who holds how much of them (c-src/holds.h). Behind each is a record for every slot of the table of
 * threads: its block is that much larger. */

/** @typedef {import('./module.js').Exports} Exports */

/**
 * The module of gates with holds (c-src/holds_exports.c); those of the same name do the same.
 *
 * @typedef {Pick<Exports, 'gate_step' | 'gate_wait' | 'gate_try_after'> & MoreExports} HoldsExports
 *
 * @typedef {object} MoreExports
 * @property {(address: number, self: number) => void} holds_join
 * @property {(address: number, self: number, amount: number) => number} holds_leave
 * @property {(address: number, table: number, self: number, now: number) => void} holds_look
 */

/** Of a thread: how much it holds, and its identity. */
const RECORD_BYTES = 8;

/** What all uses of a memory by a thread have in common. */
const SHARED = /** @type {const} */ (['names', 'asked', 'watch', 'onreport']);

/** A space as this thread uses it for gates with holds. */
class HoldsAttachment extends Attachment {
    #recordBytes;
    #base;

    /** @param {Attachment} base */
    constructor(base) {
        super(base.memory, base.exports, base.self, true, base.table);
        this.#base = base;
        this.queues = base.queues; // which free() empties
        for (const name of SHARED) {
            Object.defineProperty(this, name, {
                get: () => base[name],
                set: (value) => {
                    base[name] = value;
                },
            });
        }
        const count = environment.load(this.words, (this.table + AGENTS_COUNT_OFFSET) / 4);
        this.#recordBytes = count * RECORD_BYTES;
        addFamily(this);
        this.exports = { ...this.exports, ...this.#exports() };
    }

    /** @type {Attachment['check']} */
    check(byteOffset, bytes, align) {
        return this.#base.check(byteOffset, bytes + this.#recordBytes, align);
    }

    /** @returns {HoldsExports & Partial<Exports>} */
    #exports() {
        const { exports, self } = this;
        const made = /** @type {HoldsExports} */ (
            /** @type {unknown} */ (instantiate(this.memory, HOLDS_TEXT))
        );
        return {
            ...made,
            space_alloc: (bytes, align) => allocate(this.#base, bytes + this.#recordBytes, align),
            semaphore_leave: (address, permits) => made.holds_leave(address, self, permits),
            rwlock_unlock: (address, amount) => {
                // A writer's hold is in the word of the gate.
                const result = amount === self ? RESULT_OK : made.holds_leave(address, self, amount);
                return amount === RWLOCK_SHARED ? result : exports.rwlock_unlock(address, amount);
            },
            gate_look: (address, table, known, now) => {
                // Without a time it is only read.
                if (now !== 0) {
                    made.holds_look(address, table, self, now);
                }
                return exports.gate_look(address, table, known, now);
            },
        };
    }
}

/** @type {WeakMap<Attachment, HoldsAttachment>} */
const known = new WeakMap();

/**
 * @param {Attachment} attachment
 * @returns {Attachment & { exports: Exports & MoreExports }} the same memory, for gates with holds
 * @throws {HoldfastError} `HF_NO_ALLOCATOR` if it is no space
 */
export function withHolds(attachment) {
    if (!attachment.isSpace) {
        throw new HoldfastError(
            'HF_NO_ALLOCATOR',
            "Recoverable locks live in a LockSpace; this is another program's memory.",
        );
    }
    const made = known.get(attachment) ?? new HoldsAttachment(attachment);
    known.set(attachment, made);
    return /** @type {Attachment & { exports: Exports & MoreExports }} */ (/** @type {Attachment} */ (made));
}
