/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { HoldfastError } from '../errors.js';
import { createSpace } from './attachment.js';

/* What classes of locks need of a space. The class LockSpace is for programs that name it. */

/** @typedef {import('./attachment.js').Attachment} Attachment */

/** By LockSpace. @type {WeakMap<object, Attachment>} */
export const attachments = new WeakMap();

/** @type {Attachment | undefined} */
let byDefault;

/** This thread's space for locks that are made without one. */
export function defaultSpace() {
    byDefault ??= createSpace(1);
    return byDefault;
}

/**
 * @param {Attachment} attachment
 * @throws {HoldfastError} `HF_NO_ALLOCATOR` if its memory is no space
 */
export function exportsOfSpace({ exports, isSpace }) {
    if (!isSpace) {
        throw new HoldfastError(
            'HF_NO_ALLOCATOR',
            "This is another program's memory: use its allocator, and at(memory, byteOffset).",
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
    const size = attachment.memory.buffer.byteLength;
    const byteOffset =
        bytes > size || align > size ? 0 : exportsOfSpace(attachment).space_alloc(bytes, align) >>> 0;
    if (byteOffset === 0) {
        throw new HoldfastError(
            'HF_NO_SPACE',
            `No ${bytes} bytes are free in this space. Free locks, or make a larger LockSpace({ pages }).`,
        );
    }
    return byteOffset;
}
