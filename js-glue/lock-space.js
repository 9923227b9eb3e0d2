/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { requireSharing } from './thread/capabilities.js';
import { attach, Attachment, createSpace, DEFAULT_THREADS, joinProgram } from './memory/attachment.js';
import { HoldfastError } from './errors.js';
import { FREEING_TEXT } from './memory/freeing-bytes.js';
import { checkHandle } from './memory/handle.js';
import { AGENTS_MOST, SPACE_GRANULE } from './memory/layout.js';
import { forgetName, nameAt, named, namedData, naming } from './memory/names.js';
import { addPart } from './memory/part.js';
import { allocate, attachments, exportsOfSpace } from './memory/space.js';
import { checkOptions, isWhole, valueError } from './options.js';
import { isMemory } from './thread/tag.js';
import { freeQueues } from './waiting/queue.js';

/**
 * Lets another thread use the same space. A handle is plain data: post it alone or in any message.
 * @typedef {{ readonly holdfast: 'LockSpace', readonly memory: WebAssembly.Memory, readonly threads?: number }}
 *     LockSpaceHandle
 */

/**
 * @typedef {object} SpaceOptions
 * @property {number | undefined} [pages] of 64 KiB (about 3,700 locks): 1 to 256, 1 by default
 * @property {number | undefined} [threads] how many threads may use it at the same time: 1 to 1,023 (to 512 if there
 *     is one page), 64 by default. Each takes 72 bytes.
 */

/** 16 MiB, about a million locks. WebKit grants few memories with large maxima. */
const MOST_PAGES = 256;

/** Leaves room for locks. */
const MOST_THREADS_A_PAGE = 512;

/** @param {string} what @param {unknown} count @param {number} most */
function checkOption(what, count, most) {
    if (!isWhole(count, 1, most)) {
        throw valueError('HF_BAD_OPTION', `${what} must be a whole number from 1 to ${most}`, count);
    }
    return count;
}

/** @param {SpaceOptions | undefined} options */
function makeSpace(options) {
    if (isMemory(options) || 'holdfast' in Object(options)) {
        throw new HoldfastError(
            'HF_BAD_OPTION',
            'For an existing memory use LockSpace.from(handle) or LockSpace.attach(memory).',
        );
    }
    const { pages = 1, threads = DEFAULT_THREADS } = checkOptions(options, ['pages', 'threads']);
    const most = Math.min(checkOption('pages', pages, MOST_PAGES) * MOST_THREADS_A_PAGE, AGENTS_MOST);
    return createSpace(pages, checkOption('threads', threads, most));
}

/** LockSpace passes these to an attachment, so that pages without LockSpace do not load them. */
const NAMES = { naming, named, nameAt };

/**
 * A piece of shared memory of fixed size, in which locks live, with an allocator that all threads may use at
 * once, the page too.
 *
 * ```js
 * const space = new LockSpace({ pages: 2 });
 * const mutex = new Mutex({ space });
 * const counter = new Int32Array(space.buffer, space.alloc(4), 1);
 * ```
 */
export class LockSpace {
    /** @type {Attachment} */
    #attachment;
    /** @type {number | undefined} */
    #threads;

    /**
     * Makes a space with a memory of its own. Blocks: never. Callable from: any thread.
     * @param {SpaceOptions} [options]
     * @throws {HoldfastError} `HF_BAD_OPTION`, `HF_NO_WEBASSEMBLY`
     */
    constructor(options) {
        this.#attachment = options instanceof Attachment ? options : makeSpace(options);
        addPart(this.#attachment, FREEING_TEXT);
        this.#attachment.names = NAMES;
        attachments.set(this, this.#attachment);
    }

    /**
     * Returns the space of a handle that another thread posted. Blocks: never. Callable from: any thread.
     * @param {LockSpaceHandle} handle
     * @returns {LockSpace}
     * @throws {HoldfastError} `HF_BAD_HANDLE`, and as `attach`
     */
    static from(handle) {
        return attachTo(checkHandle(handle, 'LockSpace').memory, { threads: handle.threads });
    }

    /**
     * Uses another program's shared memory, for example an Emscripten program's. Locks are placed in it by address
     * (`Mutex.at`); that program allocates and frees. The memory of a LockSpace is recognised, and gives that space.
     *
     * With `threads` this thread gets an identity that no other thread has in that memory. Without it, the identity
     * is random: two of n such threads get the same one with a probability of about n^2 / 270 million (1 in 3 million
     * for 10 threads, 1 in 66,000 for 64), and can then unlock each other's locks. Threads without
     * `Atomics.waitAsync` draw at random too, in any memory.
     *
     * Attach with `threads` first, in each thread: a random identity is never replaced. All copies of the memory
     * object and of this package in the thread use the same identity.
     * Blocks: never. Callable from: any thread.
     * @param {WebAssembly.Memory} memory shared, with 32-bit addresses
     * @param {{ threads?: number | undefined }} [options] the result of `hf_threads()` in that program, if it uses
     *     our C library
     * @returns {LockSpace}
     * @throws {HoldfastError} `HF_NOT_SHARED`, `HF_BAD_MEMORY`, `HF_NO_WEBASSEMBLY`; `HF_BAD_ADDRESS` where no
     *     threads are counted; `HF_TOO_LATE` when this thread has drawn an identity in that memory
     */
    static attach(memory, options) {
        const { threads } = checkOptions(options, ['threads']);
        if (threads !== undefined) {
            joinProgram(memory, threads);
        }
        const space = spaceOf(attach(memory));
        space.#threads = threads;
        return space;
    }

    /** The memory, for a program that imports it. */
    get memory() {
        return this.#attachment.memory;
    }

    /** Its bytes, for the program's own views. @returns {SharedArrayBuffer} */
    get buffer() {
        return /** @type {any} */ (this.#attachment.memory.buffer);
    }

    /**
     * For `postMessage` and `LockSpace.from`.
     * @returns {LockSpaceHandle}
     * @throws {HoldfastError} `HF_NOT_ISOLATED` on a page that cannot share memory
     */
    get handle() {
        requireSharing();
        const threads = this.#threads;
        return Object.freeze({ holdfast: 'LockSpace', memory: this.memory, ...(threads && { threads }) });
    }

    /**
     * Allocates zeroed bytes for the program's own data. Blocks: never. Callable from: any thread.
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
                'alloc() takes a whole number of bytes, and a power of two to align to',
                isAlign ? bytes : align,
            );
        }
        return allocate(this.#attachment, bytes, align);
    }

    /**
     * Your own data of that name: the same bytes in each thread that has the space. The first thread that asks for
     * the name makes them, and all are 0 then. Locks and data share the names of a space.
     * Blocks: never. Callable from: any thread.
     * @template {import('./memory/data.js').DataClass} Class
     * @param {string} name 1 to 32 bytes of UTF-8
     * @param {Class} Class of typed arrays: `Int32Array`, `Float64Array`, `BigInt64Array` and the like
     * @param {number} length in elements, 1 or more
     * @returns {Class['prototype']} an array of that class
     * @throws {HoldfastError} `HF_BAD_NAME` if the name is not valid, or belongs to a lock, or to data of another
     *     class or length; `HF_BAD_OPTION`, `HF_BAD_COUNT`, and as `alloc()`
     */
    named(name, Class, length) {
        return namedData(this.#attachment, name, Class, length);
    }

    /**
     * Frees a block, or a lock that no thread uses any more. It wakes the waiters of every word in it, so a large
     * block takes about 40 ms a MiB, and searches all names of the space.
     * Blocks: never. Callable from: any thread.
     * @param {number | ArrayBufferView | { byteOffset: number, memory: WebAssembly.Memory }} block a byte offset that
     *     `alloc` gave, an array that begins there or that `named` gave, or a lock made in this space
     * @throws {HoldfastError} `HF_BAD_ADDRESS` when no block of this space starts there, or the block is already
     *     free, or it is a channel that a callback of this thread uses in place; `HF_NO_ALLOCATOR`; `HF_NOT_SHARED`
     *     if its memory is not shared
     */
    free(block) {
        const { byteOffset = block, memory, buffer } = Object(block);
        const isHere =
            memory === undefined ? isBlock(block, buffer, this) : attach(memory) === this.#attachment;
        let [start, bytes] = [0, 0];
        const { queues } = this.#attachment;
        if (isHere && [...(queues.get(byteOffset)?.values() ?? [])].some(({ gate }) => gate?.isInPlace)) {
            throw new HoldfastError(
                'HF_BAD_ADDRESS',
                'A callback of this thread uses this channel in place. Free it after the callback.',
            );
        }
        if (isHere && isWhole(byteOffset, 0, this.buffer.byteLength - 1)) {
            start = forgetName(this.#attachment, byteOffset);
            bytes = exportsOfSpace(this.#attachment).space_free(start) >>> 0;
        }
        if (bytes === 0) {
            throw valueError(
                'HF_BAD_ADDRESS',
                'free() takes an unfreed block of this space: an address from alloc(), an array or a lock',
                block,
            );
        }
        this.#attachment.packs = 0;
        // Otherwise guards and sections of this lock would release the next lock at its place.
        freeQueues(this.#attachment, start, start + bytes);
    }
}

// These functions are outside the class: bundlers rename a class that refers to itself, and stacks show that name.

/** @param {unknown} block @param {unknown} buffer of it @param {LockSpace} space */
function isBlock(block, buffer, space) {
    return typeof block === 'number' || (buffer !== undefined && buffer === space.buffer);
}

/** @param {ReturnType<typeof attach>} attachment */
function spaceOf(attachment) {
    return new LockSpace(/** @type {{}} */ (attachment));
}

/** @param {WebAssembly.Memory} memory @param {{ threads: number | undefined }} options */
function attachTo(memory, options) {
    return LockSpace.attach(memory, options);
}
