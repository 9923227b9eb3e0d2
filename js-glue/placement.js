/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { requireSharing } from './agent.js';
import { attach } from './attachment.js';
import { HoldfastError } from './errors.js';
import { checkHandle } from './handle.js';
import { attachmentOf, defaultSpace, LockSpace } from './lock-space.js';

/**
 * What the classes of locks differ in here.
 *
 * @typedef {{ readonly name: string, readonly bytes: number, readonly align: number }} Shape
 */

/** Where one lock is: what `new`, `at` and `from` of every class come down to. */
export class Placement {
    /** @type {import('./attachment.js').Attachment} */
    attachment;
    /** @type {number} */
    byteOffset;

    /**
     * @param {import('./attachment.js').Attachment} attachment
     * @param {unknown} byteOffset
     * @param {Shape} shape
     */
    constructor(attachment, byteOffset, shape) {
        this.attachment = attachment;
        this.byteOffset = attachment.check(byteOffset, shape.bytes, shape.align);
    }

    /**
     * @param {unknown} where a placement already, a space to make a new lock in, or undefined for the default
     * @param {Shape} shape
     */
    static of(where, shape) {
        if (where instanceof Placement) {
            return where;
        }
        const space = where ?? defaultSpace();
        if (!(space instanceof LockSpace)) {
            throw new HoldfastError(
                'HF_BAD_OPTION',
                `new ${shape.name}(space) makes a new lock, and takes a LockSpace. For the lock of a handle use ` +
                    `${shape.name}.from(handle), for one at an address ${shape.name}.at(memory, byteOffset).`,
            );
        }
        return new Placement(attachmentOf(space), space.alloc(shape.bytes, shape.align), shape);
    }

    /**
     * @param {unknown} memory
     * @param {unknown} byteOffset
     * @param {Shape} shape
     */
    static at(memory, byteOffset, shape) {
        return new Placement(attach(memory), byteOffset, shape);
    }

    /**
     * @param {unknown} handle
     * @param {Shape} shape
     */
    static from(handle, shape) {
        const { memory, byteOffset } = checkHandle(handle, shape.name);
        return Placement.at(memory, byteOffset, shape);
    }
}

/**
 * The handle of a lock, for other threads.
 *
 * @template {string} Name
 * @param {Name} name its class
 * @param {import('./attachment.js').Attachment} attachment
 * @param {number} byteOffset
 */
export function handleOf(name, { memory }, byteOffset) {
    requireSharing();
    return Object.freeze({ holdfast: name, memory, byteOffset });
}
