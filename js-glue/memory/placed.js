/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { requireSharing } from '../thread/agent.js';
import { attach } from './attachment.js';
import { HoldfastError } from '../errors.js';
import { checkHandle } from './handle.js';
import { checkOptions } from '../options.js';
import { allocate, attachments, defaultSpace } from './space.js';

/**
 * What another thread needs to use the same object. Plain: it may be posted, alone or in any message.
 *
 * @template {string} [Kind=string]
 * @typedef {object} Handle
 * @property {Kind} holdfast
 * @property {WebAssembly.Memory} memory
 * @property {number} byteOffset
 */

/** @typedef {import('./attachment.js').Attachment} Attachment */
/** @typedef {(exports: import('./module.js').Exports, byteOffset: number) => void} Write writes the words of a new one */

/** Where one exists already: what `at` and `from` give to the constructor. */
class Place {
    /** @type {boolean | undefined} whether the constructor has got it */
    isTaken;

    /**
     * @param {WebAssembly.Memory} memory
     * @param {unknown} byteOffset
     * @param {boolean} isNew whether to make one there
     */
    constructor(memory, byteOffset, isNew) {
        this.attachment = attach(memory);
        this.byteOffset = byteOffset;
        this.isNew = isNew;
    }
}

/**
 * For a class whose objects use their memory in another way.
 *
 * @param {unknown} where what its constructor was given
 * @param {(attachment: Attachment) => Attachment} change
 * @returns {unknown} what it gives to this one's
 */
export function changed(where, change) {
    if (where instanceof Place) {
        if (where.isNew) {
            throw new HoldfastError(
                'HF_BAD_OPTION',
                'These take more than BYTES: make one by its constructor, in a LockSpace.',
            );
        }
        where.attachment = change(where.attachment);
        return where;
    }
    const attachment = attachmentIn(where);
    const space = {};
    if (attachment !== undefined) {
        attachments.set(space, change(attachment));
    }
    return space;
}

/** @param {unknown} where a space; by default this thread's */
function attachmentIn(where) {
    return where === undefined || where === null
        ? defaultSpace()
        : attachments.get(/** @type {object} */ (where));
}

/**
 * @param {unknown} where a space; by default this thread's
 * @param {{ KIND: string, BYTES: number, ALIGN: number }} shape
 */
function placeIn(where, { KIND, BYTES, ALIGN }) {
    const attachment = attachmentIn(where);
    if (attachment === undefined) {
        throw new HoldfastError(
            'HF_BAD_OPTION',
            `new ${KIND}() takes a LockSpace. Use ${KIND}.from(handle) or ${KIND}.at(memory, byteOffset).`,
        );
    }
    return { attachment, byteOffset: allocate(attachment, BYTES, ALIGN) };
}

/**
 * @param {unknown} space
 * @throws {HoldfastError} `HF_BAD_OPTION`
 */
function namesOf(space) {
    const names = attachments.get(/** @type {object} */ (space))?.names;
    if (names === undefined) {
        throw new HoldfastError(
            'HF_BAD_OPTION',
            'Names are in a LockSpace, as in new Mutex(space, { name }).',
        );
    }
    return names;
}

/** For classes. @type {(object: Placed) => Attachment} */
export let attachmentFor;

/**
 * Something at a place in shared memory, where other threads have it too: what all classes of locks have in common.
 *
 * @template {string} [Kind=string]
 */
export class Placed {
    /** @type {string} What handles of this class say that they are of. */
    static KIND;
    /** @type {number} Bytes of shared memory that one takes. */
    static BYTES;
    /** @type {number} The address of one is a multiple of this. */
    static ALIGN;

    /** @type {import('./attachment.js').Attachment} */
    #attachment;
    /** @type {number} */
    #byteOffset;

    static {
        attachmentFor = (object) => object.#attachment;
    }

    /**
     * @param {unknown} where a space, or a place that holds one already
     * @param {any} [options]
     * @param {(options: any) => Write} [prepare] checks the options of a new one
     * @param {(attachment: import('./attachment.js').Attachment) => void} [complete] adds the class's part
     */
    constructor(where, options, prepare, complete) {
        const shape = /** @type {typeof Placed} */ (this.constructor);
        const isThere = where instanceof Place;
        const write = isThere && !where.isNew ? undefined : prepare?.(options);
        const { name } = checkOptions(options);
        const giveName = name === undefined ? undefined : namesOf(where).naming(name, shape.KIND);
        const { attachment, byteOffset } = isThere ? where : placeIn(where, shape);
        complete?.(attachment);
        this.#attachment = attachment;
        this.#byteOffset = attachment.check(byteOffset, shape.BYTES, shape.ALIGN);
        if (isThere) {
            if (where.isNew) {
                new Uint8Array(attachment.memory.buffer, this.#byteOffset, shape.BYTES).fill(0);
            }
            where.isTaken = true;
        }
        write?.(attachment.exports, this.#byteOffset);
        giveName?.(attachment, this.#byteOffset); // last: others find it by that
    }

    /**
     * The one of that name in a space, which is made if there is none yet: by whichever thread asks first.
     *
     * Blocks: never. Agents: any.
     *
     * @template {Placed<any>} T
     * @this {new (where: any, options?: any) => T}
     * @param {import('../lock-space.js').LockSpace} space
     * @param {string} name 1 to 32 bytes of UTF-8
     * @param {object} [options] those of the constructor, for a new one
     * @returns {T}
     * @throws {HoldfastError} `HF_BAD_NAME` if the name cannot be one, or something of another class has it; `HF_BAD_OPTION`,
     *     `HF_NO_SPACE`
     */
    static named(space, name, options) {
        checkOptions(options);
        const { KIND } = /** @type {typeof Placed} */ (/** @type {unknown} */ (this));
        const byteOffset = namesOf(space).offsetOfName(
            /** @type {Attachment} */ (attachments.get(space)),
            name,
            KIND,
            () => new this(space, { ...options, name: undefined }).byteOffset,
        );
        return /** @type {any} */ (Placed.at.call(this, space.memory, byteOffset));
    }

    /**
     * The one at an address of a program's own shared memory. Where all bytes are zero, a valid one is already, and so
     * is where C code has one. Memory that was something else before has none: options make one of it, `{}` too.
     *
     * Give the same WebAssembly.Memory object each time in one thread: one that was posted twice arrives as two
     * objects that look unrelated, and this thread's requests by the one then do not queue behind the other's. It is no
     * matter where `LockSpace.attach(memory, { threads })` was called.
     *
     * Blocks: never. Agents: any.
     *
     * @template {Placed<any>} T
     * @this {new (where: any, options?: any) => T}
     * @param {WebAssembly.Memory} memory shared
     * @param {number} byteOffset a multiple of `ALIGN`, not 0
     * @param {object} [options] those of the constructor, if it has any: makes a new one there, which no thread uses yet
     * @returns {T}
     * @throws {HoldfastError} `HF_BAD_ADDRESS`, `HF_NOT_SHARED`, `HF_BAD_MEMORY`, `HF_NO_WEBASSEMBLY`, `HF_BAD_OPTION`, and as
     *     the constructor
     */
    static at(memory, byteOffset, options) {
        checkOptions(options);
        const place = new Place(memory, byteOffset, options !== undefined);
        const made = new this(place, options);
        if (!place.isTaken) {
            throw new HoldfastError('HF_BAD_OPTION', 'A subclass passes its arguments on to super().');
        }
        return made;
    }

    /**
     * The one of a handle that another thread posted.
     *
     * Blocks: never. Agents: any.
     *
     * @template {Placed<any>} T
     * @this {new (where: any, options?: any) => T}
     * @param {T['handle']} handle
     * @returns {T}
     * @throws {HoldfastError} `HF_BAD_HANDLE`, and as `at`: `HF_BAD_OPTION` too if the constructor of a subclass does not pass
     *     its first two arguments on
     */
    static from(handle) {
        const { KIND } = /** @type {typeof Placed} */ (/** @type {unknown} */ (this));
        const { memory, byteOffset } = checkHandle(handle, KIND);
        return /** @type {any} */ (Placed.at.call(this, memory, byteOffset));
    }

    /**
     * For `postMessage` and `from`.
     *
     * @returns {Readonly<Handle<Kind>>}
     * @throws {HoldfastError} `HF_NOT_ISOLATED` on a page that cannot share memory
     */
    get handle() {
        requireSharing();
        const { KIND } = /** @type {typeof Placed} */ (this.constructor);
        return Object.freeze({
            holdfast: /** @type {Kind} */ (KIND),
            memory: this.memory,
            byteOffset: this.#byteOffset,
        });
    }

    /** Its name in its space; '' if it has none, or this thread has no `LockSpace` of that memory. */
    get name() {
        return this.#attachment.names?.nameAt(this.#attachment, this.#byteOffset) ?? '';
    }

    /** Where it is in its memory. */
    get byteOffset() {
        return this.#byteOffset;
    }

    /** The memory that it is in. */
    get memory() {
        return this.#attachment.memory;
    }
}
