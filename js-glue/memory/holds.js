/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { HoldfastError } from '../errors.js';
import { environment } from '../thread/environment.js';
import { identities } from '../thread/identities.js';
import { Attachment } from './attachment.js';
import { addFamily } from './family.js';
import { HOLDS_TEXT } from './holds-bytes.js';
import {
    AGENTS_COUNT_OFFSET,
    AGENTS_ID_OFFSET,
    RESULT_NOT_OWNER,
    RESULT_OK,
    RWLOCK_SHARED,
} from './layout.js';
import { instantiate } from './module.js';

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
 * @property {(address: number, self: number) => number} holds_of how much the thread holds, but alone
 * @property {(address: number, table: number, self: number, now: number) => void} holds_look
 */

const WAITS_FOR_ITSELF =
    'This thread holds a part of it already, and would wait for itself. Release that part first, or use acquireAsync().';

/** A thread's record: how much it holds, and its identity. */
const RECORD_BYTES = 8;

/**
 * A name is in a block of its own, which has no records behind it.
 *
 * @param {Attachment} base
 * @param {import('./names.js').Names} names
 * @returns {import('./names.js').Names}
 */
function namesBy(base, names) {
    return {
        ...names,
        naming(name, kind) {
            const give = names.naming(name, kind);
            return (_attachment, byteOffset) => give(base, byteOffset);
        },
    };
}

/** The amounts that this thread holds in a space, by address: kept for life, as its identity there. */
class Counts {
    #queues;
    /** @type {Map<number, number>} */
    #held;

    /** @param {Attachment} attachment */
    constructor({ memory, queues, table }) {
        const own = identities();
        const id = new BigUint64Array(memory.buffer, table + AGENTS_ID_OFFSET)[0] ?? 0n;
        own.held ??= new Map();
        this.#held = own.held.get(id) ?? new Map();
        own.held.set(id, this.#held);
        this.#queues = queues;
        this.#held.forEach((_, address) => this.#endsWith(address));
    }

    /** @param {number} address */
    get(address) {
        return this.#held.get(address) ?? 0;
    }

    /** @param {number} address @param {number} change */
    add(address, change) {
        this.#held.set(address, this.get(address) + change);
        this.#endsWith(address);
    }

    /** The next lock there is another one. @param {number} address */
    #endsWith(address) {
        const there = this.#queues.get(address) ?? new Map();
        there.set(this, { free: () => this.#held.delete(address), isIdle: true, lasting: 0 });
        this.#queues.set(address, there);
    }
}

/**
 * A thread without a slot has no record: it counts for itself what it holds.
 *
 * @param {HoldsExports} made
 * @param {Counts} counts
 * @returns {HoldsExports}
 */
function counting(made, counts) {
    /**
     * @template {number | bigint} Result
     * @param {Result} result
     * @param {number} address
     * @param {number} amount
     * @param {number} capacity an identity is more
     */
    const passed = (result, address, amount, capacity) => {
        if (Number(result) === RESULT_OK && amount <= capacity) {
            counts.add(address, amount);
        }
        return result;
    };
    return {
        ...made,
        gate_step: (at, self, kind, token, amount, capacity) =>
            passed(made.gate_step(at, self, kind, token, amount, capacity), at, amount, capacity),
        gate_wait: (at, self, token, limit, amount, capacity) =>
            passed(made.gate_wait(at, self, token, limit, amount, capacity), at, amount, capacity),
        gate_try_after: (at, self, watched, amount, capacity) =>
            passed(made.gate_try_after(at, self, watched, amount, capacity), at, amount, capacity),
        holds_leave(at, self, amount) {
            const result =
                amount >>> 0 > counts.get(at) ? RESULT_NOT_OWNER : made.holds_leave(at, self, amount);
            if (result === RESULT_OK) {
                counts.add(at, -amount);
            }
            return result;
        },
        holds_of: (at) => counts.get(at),
    };
}

/** A space as this thread uses it for gates with holds. */
class HoldsAttachment extends Attachment {
    #recordBytes;
    #base;

    /** @param {Attachment} base */
    constructor(base) {
        super(base.memory, base.exports, base.self, true, base.table);
        this.#base = base;
        this.queues = base.queues; // which free() empties
        Object.defineProperty(this, 'packs', {
            get: () => base.packs,
            set: (value) => {
                base.packs = value;
            },
        });
        Object.defineProperty(this, 'names', { get: () => base.names && namesBy(base, base.names) });
        const count = environment.load(this.words, (this.table + AGENTS_COUNT_OFFSET) / 4);
        this.#recordBytes = count * RECORD_BYTES;
        addFamily(this);
        this.exports = { ...this.exports, ...this.#exports() };
    }

    /** @type {Attachment['bytesFor']} */
    bytesFor(bytes) {
        return bytes + this.#recordBytes;
    }

    /** @type {Attachment['check']} */
    check(byteOffset, bytes, align) {
        return this.#base.check(byteOffset, this.bytesFor(bytes), align);
    }

    /** @returns {HoldsExports & Partial<Exports>} */
    #exports() {
        const { exports, self, table } = this;
        const module = /** @type {HoldsExports} */ (
            /** @type {unknown} */ (instantiate(this.memory, HOLDS_TEXT))
        );
        const made = exports.agents_slot(table, self) === 0 ? counting(module, new Counts(this)) : module;
        return {
            ...made,
            gate_wait(address, self, token, limit, amount, capacity) {
                const held = made.holds_of(address, self);
                if (held > 0 && amount > capacity - held) {
                    throw new HoldfastError('HF_DEADLOCK', WAITS_FOR_ITSELF);
                }
                return made.gate_wait(address, self, token, limit, amount, capacity);
            },
            semaphore_leave: (address, permits) => made.holds_leave(address, self, permits),
            rwlock_unlock: (address, amount) => {
                // A writer's hold is in the word of the gate.
                const result = amount === self ? RESULT_OK : made.holds_leave(address, self, amount);
                return amount === RWLOCK_SHARED ? result : exports.rwlock_unlock(address, amount);
            },
            owner_probe: (address, table, known, now) => {
                // Without a time it is only read.
                if (now !== 0) {
                    made.holds_look(address, table, self, now);
                }
                return exports.owner_probe(address, table, known, now);
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
