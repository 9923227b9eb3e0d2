/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { HoldfastError } from '../errors.js';
import { createSpace } from './attachment.js';

/* The part of a space that lock classes need. The class LockSpace is for programs that use it. */

/** @typedef {import('./attachment.js').Attachment} Attachment */

/** The attachment of each LockSpace. @type {WeakMap<object, Attachment>} */
export const attachments = new WeakMap();

/** @type {Attachment | undefined} */
let byDefault;

/**
 * Pages of each further default space, made when the one before is full. Few, because WebKit grants only few memories
 * with a large maximum.
 */
const MORE_PAGES = 16;

/** This thread's space for locks that are made without a space. @param {boolean} [isFull] whether to make another */
export function defaultSpace(isFull) {
    if (isFull || !byDefault) {
        byDefault = createSpace(byDefault ? MORE_PAGES : 1);
    }
    return byDefault;
}

/** @param {Attachment} attachment @throws {HoldfastError} `HF_NO_ALLOCATOR` if its memory is not a space */
export function exportsOfSpace({ exports, isSpace }) {
    if (!isSpace) {
        throw new HoldfastError(
            'HF_NO_ALLOCATOR',
            "This memory is another program's: allocate there, and call at().",
        );
    }
    return exports;
}

/**
 * @param {Attachment} attachment
 * @param {number} bytes
 * @param {number} align
 * @returns {number} the byte offset
 * @throws {HoldfastError} `HF_NO_SPACE`, `HF_NO_ALLOCATOR`
 */
export function allocate(attachment, bytes, align) {
    const { space_alloc: alloc } = exportsOfSpace(attachment);
    const fits = Math.max(bytes, align) <= attachment.memory.buffer.byteLength;
    const byteOffset = fits ? alloc(bytes, align) >>> 0 : 0;
    if (byteOffset === 0) {
        throw new HoldfastError(
            'HF_NO_SPACE',
            `This LockSpace is full (${bytes} bytes needed). Make it with more { pages }.`,
        );
    }
    return byteOffset;
}

/** Two locks in one cache line are several times slower than in two (npm run bench -- lines). */
const CACHE_LINE = 64;

/**
 * A search that finds nothing goes through the whole space. The larger the space, the more locks are packed between
 * two searches.
 */
const BYTES_FOR_A_LOCK_PACKED = 4096;

/**
 * Allocates a lock at the beginning of a free cache line, while there is one and the rest of the line has room for
 * another lock.
 * @param {Attachment} attachment
 * @param {number} ownBytes
 * @param {number} align
 * @returns {number} the byte offset
 * @throws {HoldfastError} `HF_NO_SPACE`, `HF_NO_ALLOCATOR`
 */
export function allocateApart(attachment, ownBytes, align) {
    const bytes = attachment.bytesFor(ownBytes);
    attachment.packs -= 1;
    if (attachment.packs < 0 && bytes <= CACHE_LINE / 2) {
        const byteOffset = exportsOfSpace(attachment).space_alloc(bytes, CACHE_LINE) >>> 0;
        if (byteOffset !== 0) {
            return byteOffset;
        }
        attachment.packs = attachment.words.byteLength / BYTES_FOR_A_LOCK_PACKED;
    }
    return allocate(attachment, bytes, align);
}
