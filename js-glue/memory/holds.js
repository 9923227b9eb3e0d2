/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { HoldfastError } from '../errors.js';
import { environment } from '../thread/environment.js';
import { identities } from '../thread/identities.js';
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

/* Gates that know how much each thread holds of them (c-src/holds.h). Their block is larger: behind each gate
 * is a record for every slot of the table of threads. */

/**
 * @typedef {import('./attachment.js').Attachment} Attachment
 * @typedef {import('./module.js').Exports} Exports
 */

/**
 * The module of gates with holds (c-src/holds_exports.c). Its functions replace those of the same name in the base
 * module.
 * @typedef {Pick<Exports, 'gate_step' | 'gate_wait' | 'gate_try_after'> & MoreExports} HoldsExports
 * @typedef {object} MoreExports
 * @property {(address: number, self: number) => void} holds_join
 * @property {(address: number, self: number, amount: number) => number} holds_leave
 * @property {(address: number, self: number) => number} holds_downgrade
 * @property {(address: number, self: number) => number} holds_of how much the thread holds, without exclusive holds
 * @property {(address: number, table: number, self: number, now: number) => void} holds_look
 */

const WAITS_FOR_ITSELF =
    'This thread already holds this lock shared, or some of its permits, and would wait for itself. Release those first, or use acquireAsync().';

/** A thread's record: how much it holds, and its identity. */
const RECORD_BYTES = 8;

/**
 * For a thread without a slot, and so without a record: counts its holds in this thread.
 * @param {any} made
 * @param {Attachment} attachment
 * @returns {HoldsExports}
 */
function counting(made, { memory, queues, table }) {
    const id = new BigUint64Array(memory.buffer, table + AGENTS_ID_OFFSET)[0] ?? 0n;
    const own = identities();
    own.held ??= new Map();
    /** The amount that this thread holds of each lock, by the lock's address. @type {Map<number, number>} */
    const held = own.held.get(id) ?? new Map();
    own.held.set(id, held);
    const heldAt = (/** @type {number} */ at) => held.get(at) ?? 0;
    const count = (/** @type {number} */ at, /** @type {number} */ change) => {
        held.set(at, heldAt(at) + change);
        const there = queues.get(at) ?? new Map();
        // Forget the holds when the lock is freed: the next one at that address is another lock.
        there.set(held, { free: () => held.delete(at), isIdle: true, lasting: 0 });
        queues.set(at, there);
    };
    held.forEach((_, at) => count(at, 0));
    /** @param {(at: number, ...args: number[]) => number | bigint} pass */
    const counted =
        (pass) =>
        (/** @type {[number, ...number[]]} */ ...args) => {
            const result = pass(...args);
            const [amount = 0, capacity = 0] = args.slice(-2);
            // A larger amount is an identity: an exclusive hold, which is not counted.
            if (Number(result) === RESULT_OK && amount <= capacity) {
                count(args[0], amount);
            }
            return result;
        };
    return {
        .../** @type {any} */ ({
            gate_step: counted(made.gate_step),
            gate_wait: counted(made.gate_wait),
            gate_try_after: counted(made.gate_try_after),
        }),
        ...{ holds_join: made.holds_join, holds_look: made.holds_look, holds_of: heldAt },
        holds_leave(at, self, amount) {
            const result = amount >>> 0 > heldAt(at) ? RESULT_NOT_OWNER : made.holds_leave(at, self, amount);
            if (result === RESULT_OK) {
                count(at, -amount);
            }
            return result;
        },
        holds_downgrade(at, self) {
            const result = made.holds_downgrade(at, self);
            if (result === RESULT_OK) {
                count(at, RWLOCK_SHARED);
            }
            return result;
        },
    };
}

/** @param {Attachment} attachment @returns {HoldsExports & Exports} */
function exportsFor(attachment) {
    const { memory, exports, self, table } = attachment;
    const module = /** @type {any} */ (instantiate(memory, HOLDS_TEXT));
    /** @type {HoldsExports} */
    const made = exports.agents_slot(table, self) === 0 ? counting(module, attachment) : module;
    return {
        ...exports,
        ...made,
        gate_wait(address, thread, token, limit, amount, capacity) {
            const held = made.holds_of(address, self);
            if (held > 0 && amount > capacity - held) {
                throw new HoldfastError('HF_DEADLOCK', WAITS_FOR_ITSELF);
            }
            return made.gate_wait(address, thread, token, limit, amount, capacity);
        },
        semaphore_leave: (address, permits) => made.holds_leave(address, self, permits),
        rwlock_unlock: (address, amount) => {
            // A writer's hold is in the gate's word, not in a record.
            const result = amount === self ? RESULT_OK : made.holds_leave(address, self, amount);
            return amount === RWLOCK_SHARED ? result : exports.rwlock_unlock(address, amount);
        },
        rwlock_downgrade: made.holds_downgrade,
        owner_probe: (address, threads, known, now) => {
            // Time 0: read the owner only, probe nobody.
            if (now !== 0) {
                made.holds_look(address, threads, self, now);
            }
            return exports.owner_probe(address, threads, known, now);
        },
    };
}

/** @typedef {Attachment & { exports: Exports & MoreExports }} HoldsAttachment */

/** @type {WeakMap<Attachment, HoldsAttachment>} */
const known = new WeakMap();

/** @param {Attachment} base @returns {HoldsAttachment} that shares the base's queues, names and view */
function attachmentOn(base) {
    const made = Object.create(base);
    addFamily(made);
    const records = environment.load(base.words, (base.table + AGENTS_COUNT_OFFSET) / 4) * RECORD_BYTES;
    /** @type {Attachment['bytesFor']} */
    const bytesFor = (bytes) => bytes + records;
    /** @type {Attachment['check']} */
    const check = (byteOffset, bytes, align) => base.check(byteOffset, bytesFor(bytes), align);
    return Object.assign(made, { exports: exportsFor(made), bytesFor, check, sections: 0 });
}

/**
 * @param {Attachment} attachment
 * @returns {HoldsAttachment} an attachment to the same memory for gates with holds
 * @throws {HoldfastError} `HF_NO_ALLOCATOR` if the memory is not a space
 */
export function withHolds(attachment) {
    if (!attachment.isSpace) {
        throw new HoldfastError(
            'HF_NO_ALLOCATOR',
            "Recoverable locks live in a LockSpace; this is another program's memory.",
        );
    }
    const made = known.get(attachment) ?? attachmentOn(attachment);
    known.set(attachment, made);
    return made;
}
