/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { environment } from '../thread/environment.js';
import { HoldfastError } from '../errors.js';
import { identities } from '../thread/identities.js';
import {
    AGENTS_ALIGN,
    AGENTS_BYTES,
    AGENTS_ID_OFFSET,
    AGENTS_MAGIC,
    SPACE_ADDRESS,
    THREAD_MASK,
    THREAD_RANDOM,
} from './layout.js';
import { instantiate } from './module.js';
import { isWhole, valueError } from '../options.js';
import { NO_WEBASSEMBLY } from '../thread/capabilities.js';
import { appear, introduce, isSeenByOthers } from '../thread/presence.js';
import { isMemory, tagOf } from '../thread/tag.js';

/**
 * This thread's attachments by memory id, since each post of a WebAssembly.Memory arrives as another object.
 * @type {Map<bigint | undefined, WeakRef<Attachment>>}
 */
const known = new Map();

/** @type {WeakMap<WebAssembly.Memory, Attachment>} */
const attachments = new WeakMap();

/**
 * Mixes in a clock, since threads of `node --random-seed` draw the same numbers. Not by crypto: Node's takes 2 ms at
 * its first use, and an audio worklet has none.
 */
function random32() {
    return ((Math.random() * 2 ** 32) ^ (environment.now() * 1e6)) >>> 0;
}

/** An id that no other memory of this program has. @returns {[number, number]} 32 bits each */
function newId() {
    return [random32(), (environment.date() * 1000) >>> 0];
}

/**
 * The id of a memory that has a table of threads at that address.
 * @param {ArrayBufferLike} buffer
 * @param {number} table
 */
function idAt(buffer, table) {
    if (buffer.byteLength < table + AGENTS_BYTES) {
        return undefined;
    }
    const isTable = environment.load(new Uint32Array(buffer, table, 1), 0) === AGENTS_MAGIC;
    return isTable ? new BigUint64Array(buffer, table + AGENTS_ID_OFFSET)[0] : undefined;
}

/** The attachments of all memories with an id that this thread uses. */
export function attachmentsHere() {
    return [...known.values()].flatMap((attachment) => attachment.deref() ?? []);
}

/** Slots in the table of threads of a space. They take 4.5 KiB. */
export const DEFAULT_THREADS = 64;

/** One memory as this thread uses it. */
export class Attachment {
    /**
     * The queues, by byte offset and kind (waiting/queue-of.js).
     * @type {Map<number, Map<object, Pick<import('../waiting/queue.js').Queue, 'free' | 'gate' | 'isIdle' |
     *     'lasting'>>>}
     */
    queues = new Map();
    /**
     * A view that covers all checked locks. It stays valid when the memory grows: waits through it and through later
     * views share one wait list.
     * @type {Int32Array}
     */
    words;
    /** Set if this thread has a LockSpace of this memory. @type {import('./names.js').Names | undefined} */
    names;
    /** How many locks of this memory this thread's sections and guards hold alone, plus the queues' `emptyUnlocks`. */
    sections = 0;
    /** How many more locks share cache lines, before the next search for a free line (memory/space.js). */
    packs = 0;

    /**
     * @param {WebAssembly.Memory} memory
     * @param {import('./module.js').Exports} exports
     * @param {number} self
     * @param {boolean} isSpace whether it has our allocator
     * @param {number} table of threads; 0: none
     */
    constructor(memory, exports, self, isSpace, table = 0) {
        this.memory = memory;
        this.exports = exports;
        this.self = self;
        this.isSpace = isSpace;
        this.table = table;
        this.words = new Int32Array(memory.buffer);
    }

    /** Returns how many bytes a lock of that size takes here: adapted attachments add records or a ring. @param {number} bytes */
    bytesFor(bytes) {
        return bytes;
    }

    /**
     * @param {unknown} byteOffset
     * @param {number} bytes
     * @param {number} align
     * @returns {number} the given byteOffset
     */
    check(byteOffset, bytes, align) {
        const end = this.memory.buffer.byteLength;
        const begin = this.isSpace ? this.exports.space_begin() : align;
        if (!isWhole(byteOffset, begin, end - bytes) || byteOffset % align !== 0) {
            throw valueError(
                'HF_BAD_ADDRESS',
                `byteOffset must be a multiple of ${align} from ${begin} to ${end - bytes}`,
                byteOffset,
            );
        }
        if (end > this.words.byteLength) {
            this.words = new Int32Array(this.memory.buffer);
        }
        return byteOffset;
    }
}

/** @param {unknown} memory @returns {WebAssembly.Memory} */
function checkMemory(memory) {
    const isOne = isMemory(memory);
    const tag = tagOf(isOne ? memory.buffer : memory);
    if (isOne && tag === '[object SharedArrayBuffer]') {
        return memory;
    }
    throw new HoldfastError('HF_NOT_SHARED', `Pass a WebAssembly.Memory with shared: true, not ${tag}.`);
}

/**
 * @param {WebAssembly.Memory} memory
 * @param {import('./module.js').Exports} exports
 * @param {number} table
 * @param {string} more advice: how to get room for more threads
 * @returns {number} this thread's identity
 */
function join(memory, exports, table, more) {
    const self = exports.agents_join(table, environment.date());
    if (self === 0) {
        throw new HoldfastError(
            'HF_NO_THREADS',
            `No room for another thread. Make this memory with ${more}.`,
        );
    }
    introduce(memory, exports.agents_slot(table, self) >>> 0);
    return self;
}

/**
 * Without a slot in a table of threads the identity is random: two of n threads draw the same one with a probability
 * of about n^2 / 270 million.
 * @param {WebAssembly.Memory} memory that this object shows for the first time
 */
function attachmentTo(memory) {
    const own = identities();
    const space = idAt(memory.buffer, SPACE_ADDRESS);
    /** @type {Partial<import('../thread/identities.js').Counted>} */
    const counted = space === undefined ? (own.counted?.(memory) ?? {}) : { id: space, table: SPACE_ADDRESS };
    const { id, table = 0, more = 'new LockSpace({ threads: 128 })' } = counted;
    const same = known.get(id)?.deref();
    if (same !== undefined) {
        return same;
    }
    const exports = instantiate(memory);
    // A thread without entries must not take a slot: its death would not be noticed, so the slot would never
    // be free again.
    const hasSlot = id !== undefined && isSeenByOthers();
    const before = own.selves.get(id);
    const self =
        before ??
        (hasSlot
            ? join(memory, exports, table, more)
            : THREAD_MASK - (random32() % (THREAD_MASK - THREAD_RANDOM)));
    own.selves.set(id, self);
    const attachment = new Attachment(memory, exports, self, space !== undefined, table);
    if (id === undefined) {
        own.strangers = [...own.strangers.filter((stranger) => stranger.deref()), new WeakRef(memory)];
    } else {
        // The identity has no slot if another copy of this package drew it at random.
        if (hasSlot && exports.agents_slot(table, self) !== 0) {
            appear(attachment, id);
        }
        known.set(id, new WeakRef(attachment));
    }
    return attachment;
}

/** Returns this thread's one attachment to that memory. @param {unknown} candidate @returns {Attachment} */
export function attach(candidate) {
    const memory = checkMemory(candidate);
    const attachment = attachments.get(memory) ?? attachmentTo(memory);
    attachments.set(memory, attachment);
    return attachment;
}

/**
 * Counts this thread in another program's memory.
 * @param {unknown} candidate
 * @param {unknown} table the result of the program's hf_threads()
 */
export function joinProgram(candidate, table) {
    const memory = checkMemory(candidate);
    const isAddress = isWhole(table, 1, Infinity) && table % AGENTS_ALIGN === 0;
    if (!isAddress || idAt(memory.buffer, table) === undefined) {
        throw valueError('HF_BAD_ADDRESS', 'threads must be the result of hf_threads()', table);
    }
    const own = identities();
    const { counted } = own;
    if (counted?.(memory) !== undefined) {
        return;
    }
    const ids = new BigUint64Array(memory.buffer, table + AGENTS_ID_OFFSET, 1);
    const [low, high] = newId();
    environment.compareExchange(ids, 0, 0n, (BigInt(high) << 32n) + BigInt(low) || 1n);
    const id = /** @type {bigint} */ (ids[0]);
    /** @param {WebAssembly.Memory | undefined} other */
    const isSame = (other) => other !== undefined && idAt(other.buffer, table) === id;
    if (own.strangers.some((stranger) => isSame(stranger.deref()))) {
        throw new HoldfastError(
            'HF_TOO_LATE',
            "Call LockSpace.attach(memory, { threads }) before this thread's first lock there.",
        );
    }
    own.counted = (other) =>
        isSame(other)
            ? { id, table, more: 'a larger table: compile threads.c with -DHF_THREADS=128' }
            : counted?.(other);
}

/** Makes a new space, which no other thread knows yet. @param {number} pages @param {number} [threads] at most */
export function createSpace(pages, threads = DEFAULT_THREADS) {
    if (!globalThis.WebAssembly) {
        throw new HoldfastError('HF_NO_WEBASSEMBLY', NO_WEBASSEMBLY);
    }
    const memory = new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true });
    const [low, high] = newId();
    instantiate(memory).space_init(pages, threads, low, high);
    return attach(memory);
}
