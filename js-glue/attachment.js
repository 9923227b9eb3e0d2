/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { HoldfastError } from './errors.js';
import { SPACE, THREAD } from './layout.js';
import { instantiate } from './module.js';
import { describe } from './options.js';

/**
 * What this thread knows of a space that it may meet again under another object: a posted WebAssembly.Memory
 * is a new object at every arrival. The identity stays as long as the thread lives, for the thread may hold
 * locks by it; the attachment may go.
 *
 * @type {Map<string, { self: number, attachment: WeakRef<Attachment> }>}
 */
const known = new Map();

/** @type {WeakMap<WebAssembly.Memory, Attachment>} */
const attachments = new WeakMap();

/** @type {number | undefined} */
let selfElsewhere;

/**
 * This thread's identity in other programs' memories, which have no counter of ours to draw one from: random
 * among 2^28. Two of n threads draw the same with a probability of about n^2 / 2^29.
 */
function drawSelf() {
    if (selfElsewhere === undefined) {
        const [random = 0] = crypto.getRandomValues(new Uint32Array(1));
        selfElsewhere = THREAD.JS | ((random % (THREAD.JS - 1)) + 1);
    }
    return selfElsewhere;
}

/**
 * The id that a space wrote into its memory; undefined if the memory is another program's.
 *
 * @param {ArrayBufferLike} buffer
 */
function spaceIdOf(buffer) {
    if (buffer.byteLength < SPACE.PAGE) {
        return undefined;
    }
    const header = new Uint32Array(buffer, SPACE.ADDRESS, SPACE.BITMAPS_OFFSET / 4);
    if (Atomics.load(header, SPACE.MAGIC_OFFSET / 4) !== SPACE.MAGIC) {
        return undefined;
    }
    return `${header[SPACE.ID_OFFSET / 4]}-${header[SPACE.ID_OFFSET / 4 + 1]}`;
}

/**
 * Where the allocator's own bytes end in a space.
 *
 * @param {number} bytes the size of the memory
 */
function headerEnd(bytes) {
    const bitmap = bytes / SPACE.GRANULE / 8;
    return SPACE.ADDRESS + SPACE.BITMAPS_OFFSET + SPACE.BITMAPS * bitmap;
}

/**
 * One memory as this thread uses it: the module's functions over it, this thread's identity in it, and this
 * thread's request queues for the locks in it.
 */
export class Attachment {
    /** @type {WebAssembly.Memory} */
    memory;
    /** @type {import('./module.js').Exports} */
    exports;
    /** @type {number} */
    self;
    /** Whether the memory is a space of ours, with an allocator. */
    isSpace;
    /**
     * By byte offset. As many as there are addresses at most, so they are kept.
     *
     * @type {Map<number, import('./request-queue.js').RequestQueue>}
     */
    queues = new Map();
    /** @type {Int32Array} */
    #words;

    /**
     * @param {WebAssembly.Memory} memory
     * @param {import('./module.js').Exports} exports
     * @param {number} self
     * @param {boolean} isSpace
     */
    constructor(memory, exports, self, isSpace) {
        this.memory = memory;
        this.exports = exports;
        this.self = self;
        this.isSpace = isSpace;
        this.#words = new Int32Array(memory.buffer);
    }

    /**
     * A view that reaches that far: the memory may have grown since the last one was made. Views of before and
     * after share their waiters.
     *
     * @param {number} byteOffset
     */
    wordsAt(byteOffset) {
        if (byteOffset >= this.#words.byteLength) {
            this.#words = new Int32Array(this.memory.buffer);
        }
        return this.#words;
    }

    /**
     * @param {unknown} byteOffset
     * @param {number} bytes
     * @param {number} align
     * @returns {number} the same
     */
    check(byteOffset, bytes, align) {
        const end = this.memory.buffer.byteLength;
        const begin = this.isSpace ? headerEnd(end) : align;
        const isAddress = typeof byteOffset === 'number' && Number.isInteger(byteOffset);
        if (!isAddress || byteOffset < begin || byteOffset % align !== 0 || byteOffset + bytes > end) {
            throw new HoldfastError(
                'HF_BAD_ADDRESS',
                `No lock can be at byte ${describe(byteOffset)}: it takes ${bytes} bytes at a multiple of ${align} ` +
                    `above ${begin - align}, in a memory of ${end} bytes.`,
            );
        }
        return byteOffset;
    }
}

/**
 * @param {unknown} memory
 * @returns {WebAssembly.Memory}
 */
function checkMemory(memory) {
    // By tag, not by class: without cross-origin isolation there is no global SharedArrayBuffer.
    const isShared =
        memory instanceof WebAssembly.Memory &&
        Object.prototype.toString.call(memory.buffer) === '[object SharedArrayBuffer]';
    if (!isShared) {
        throw new HoldfastError(
            'HF_NOT_SHARED',
            'The memory is not a shared WebAssembly.Memory; make it with { initial, maximum, shared: true }.',
        );
    }
    return memory;
}

/**
 * @param {WebAssembly.Memory} memory a space's
 * @param {string} id
 */
function attachToSpace(memory, id) {
    const before = known.get(id);
    const same = before?.attachment.deref();
    if (same !== undefined) {
        return same;
    }
    const exports = instantiate(memory);
    const self = before?.self ?? exports.space_join();
    const attachment = new Attachment(memory, exports, self, true);
    known.set(id, { self, attachment: new WeakRef(attachment) });
    return attachment;
}

/**
 * This thread's one attachment to that memory.
 *
 * @param {unknown} candidate
 * @returns {Attachment}
 */
export function attach(candidate) {
    const memory = checkMemory(candidate);
    let attachment = attachments.get(memory);
    if (attachment === undefined) {
        const id = spaceIdOf(memory.buffer);
        attachment =
            id === undefined
                ? new Attachment(memory, instantiate(memory), drawSelf(), false)
                : attachToSpace(memory, id);
        attachments.set(memory, attachment);
    }
    return attachment;
}

/**
 * Makes a memory that is a space, known to this thread only so far.
 *
 * @param {number} pages
 */
export function createSpace(pages) {
    const memory = new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true });
    const [idLow = 0, idHigh = 0] = crypto.getRandomValues(new Uint32Array(2));
    instantiate(memory).space_init(pages, idLow, idHigh);
    return attach(memory);
}
