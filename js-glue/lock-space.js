/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { requireSharing } from './thread/agent.js';
import { attach, Attachment, createSpace } from './memory/attachment.js';
import { HoldfastError } from './errors.js';
import { checkHandle } from './memory/handle.js';
import { SPACE_GRANULE } from './memory/layout.js';
import { allocate, attachments, exportsOfSpace } from './memory/space.js';
import { checkOptions, describe, isWhole, valueError } from './options.js';

/**
 * What another thread needs to use the same space. Plain: it may be posted, alone or in any message.
 *
 * @typedef {{ readonly holdfast: 'LockSpace', readonly memory: WebAssembly.Memory }} LockSpaceHandle
 */

/** 16 MiB, about a million locks. WebKit grants few memories with large maxima. */
const MOST_PAGES = 256;

/** @param {unknown} pages */
function checkPages(pages) {
    if (!isWhole(pages, 1, MOST_PAGES)) {
        throw valueError('HF_BAD_OPTION', `pages is a whole number from 1 to ${MOST_PAGES}`, pages);
    }
    return pages;
}

/**
 * A piece of shared memory that locks live in, with an allocator that any number of threads may use at once,
 * the page too. Its size is fixed.
 *
 * ```js
 * const space = new LockSpace({ pages: 2 });
 * const mutex = new Mutex(space);
 * const counter = new Int32Array(space.buffer, space.alloc(4), 1);
 * ```
 */
export class LockSpace {
    /** @type {Attachment} */
    #attachment;

    /**
     * Makes a space with a memory of its own.
     *
     * Blocks: never. Agents: any.
     *
     * @param {{ pages?: number }} [options] pages of 64 KiB (about 4,000 locks): 1 to 256, 1 by default
     * @throws {HoldfastError} `HF_BAD_OPTION`, `HF_NO_WEBASSEMBLY`
     */
    constructor(options) {
        this.#attachment =
            options instanceof Attachment
                ? options
                : createSpace(checkPages(checkOptions(options).pages ?? 1));
        attachments.set(this, this.#attachment);
    }

    /**
     * The space of a handle that another thread posted.
     *
     * Blocks: never. Agents: any.
     *
     * @param {LockSpaceHandle} handle
     * @returns {LockSpace}
     * @throws {HoldfastError} `HF_BAD_HANDLE`, and as `attach`
     */
    static from(handle) {
        return LockSpace.attach(checkHandle(handle, 'LockSpace').memory);
    }

    /**
     * Serves another program's shared memory, an Emscripten program's for example: locks are placed in it by
     * address (`Mutex.at`), and `alloc` and `free` are that program's own business. The memory of a space is
     * recognised, and gives that space.
     *
     * In another program's memory threads draw their identities at random, among 2^28: two of n threads have the same one
     * with a probability of about n^2 / 2^29, which is 1 in 5 million for 10 threads, and can then unlock each other's locks.
     * In a space they are counted, so no two are the same.
     *
     * Blocks: never. Agents: any.
     *
     * @param {WebAssembly.Memory} memory shared, with 32-bit addresses
     * @returns {LockSpace}
     * @throws {HoldfastError} `HF_NOT_SHARED`, `HF_BAD_MEMORY`, `HF_NO_WEBASSEMBLY`
     */
    static attach(memory) {
        return new LockSpace(/** @type {{}} */ (attach(memory)));
    }

    /** The memory, for a program that wants to import it. */
    get memory() {
        return this.#attachment.memory;
    }

    /**
     * Its bytes, for views of one's own.
     *
     * @returns {SharedArrayBuffer}
     */
    get buffer() {
        return /** @type {any} */ (this.#attachment.memory.buffer);
    }

    /**
     * For `postMessage` and `LockSpace.from`.
     *
     * @returns {LockSpaceHandle}
     * @throws {HoldfastError} `HF_NOT_ISOLATED` on a page that cannot share memory
     */
    get handle() {
        requireSharing();
        return Object.freeze({ holdfast: 'LockSpace', memory: this.memory });
    }

    /**
     * Gets zeroed bytes for the user's own data.
     *
     * Blocks: never. Agents: any.
     *
     * @param {number} bytes 1 or more; rounded up to a multiple of 16
     * @param {number} [align] a power of two; 16 is the least
     * @returns {number} the byte offset
     * @throws {HoldfastError} `HF_NO_SPACE` when no free block is that large, `HF_BAD_OPTION`, `HF_NO_ALLOCATOR`
     */
    alloc(bytes, align = SPACE_GRANULE) {
        const isAlign = isWhole(align, 1, Infinity) && Number.isInteger(Math.log2(align));
        if (!isAlign || !isWhole(bytes, 1, Infinity)) {
            throw valueError(
                'HF_BAD_OPTION',
                'A block is a whole number of bytes, aligned to a power of two',
                isAlign ? bytes : align,
            );
        }
        return allocate(this.#attachment, bytes, align);
    }

    /**
     * Gives a block back, or a lock that nobody uses any more, in any thread. What still waits there is woken,
     * word by word, so large blocks take their time: about 40 ms a MiB.
     *
     * Blocks: never. Agents: any.
     *
     * @param {number | { byteOffset: number, memory: WebAssembly.Memory }} block a byte offset that `alloc` gave, or a lock made in this space
     * @throws {HoldfastError} `HF_BAD_ADDRESS` when no block of this space starts there, or it is free already;
     *     `HF_NO_ALLOCATOR`; `HF_NOT_SHARED` if its memory is none
     */
    free(block) {
        const { byteOffset: start = block, memory } = Object(block);
        const isHere = memory === undefined ? start === block : attach(memory) === this.#attachment;
        const isInside = isWhole(start, 0, this.buffer.byteLength - 1);
        const bytes = isHere && isInside ? exportsOfSpace(this.#attachment).space_free(start) >>> 0 : 0;
        if (bytes === 0) {
            throw new HoldfastError(
                'HF_BAD_ADDRESS',
                `No block of this space starts at ${describe(start)}, or it was freed before.`,
            );
        }
        // Guards and sections of today do not end those of the next lock there.
        this.#attachment.forget(start, start + bytes);
    }
}
