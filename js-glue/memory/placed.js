/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { requireSharing } from '../thread/capabilities.js';
import { attach } from './attachment.js';
import { HoldfastError } from '../errors.js';
import { lockOf } from './found.js';
import { checkHandle } from './handle.js';
import { checkOptions, valueError } from '../options.js';
import { tagOf } from '../thread/tag.js';
import { allocateApart, attachments, defaultSpace } from './space.js';

/**
 * Lets another thread use the same object. A handle is plain data: post it alone or in any message.
 * @template {string} [Kind=string]
 * @typedef {object} Handle
 * @property {Kind} holdfast
 * @property {WebAssembly.Memory} memory
 * @property {number} byteOffset
 * @property {string} [name] if it has one
 */

/**
 * The type of an object's handle, for messages: `HandleOf<Mutex>`, `HandleOf<LockSpace>`.
 * @template {{ readonly handle: unknown }} Shared
 * @typedef {Shared['handle']} HandleOf
 */

/**
 * The place and name of a new object. `space`: where it lives; by default a space of this thread's. `name`: for
 * errors, `inspect()` and handles; with a `space` also for `named()`. (`memory` is refused, since locks and handles
 * are no options.)
 * @typedef {{ space?: import('../lock-space.js').LockSpace | null | undefined, name?: string | undefined, memory?:
 *     never }} PlaceOptions
 */

/**
 * @template Options
 * @typedef {Options extends unknown ? Exclude<keyof Options, keyof PlaceOptions> extends never ? Record<string, never> : Omit<Options, keyof PlaceOptions> : never} WithoutPlace
 */

/**
 * The options of a class without `space` and `name`.
 * @template {new (...args: any) => any} Class
 * @typedef {WithoutPlace<NonNullable<ConstructorParameters<Class>[0]>>} OwnOptions
 */

/** @typedef {import('./attachment.js').Attachment} Attachment */
/** @typedef {import('./found.js').Found} Found */
/**
 * @typedef {(attachment: Attachment, isNew?: boolean) => Attachment} Adapt the attachment by which objects of a class
 *     use their memory: with more functions, or with room for more than BYTES. `isNew`: at() makes the object
 */
/** @typedef {(exports: import('./module.js').Exports, byteOffset: number) => void} Write writes the words of a new one */

/** @param {string} message */
function optionError(message) {
    return new HoldfastError('HF_BAD_OPTION', message);
}

/** @param {any} options @param {string} kind the class @param {unknown} [second] argument of the constructor */
function checkForm(options, kind, second) {
    // Locks, spaces and handles are objects too; they have a `memory`.
    if (tagOf(options) !== '[object Object]' || 'memory' in options || second !== undefined) {
        throw optionError(
            `Pass one object of options: new ${kind}({ space }). For a handle: ${kind}.from(handle).`,
        );
    }
}

/**
 * The place at which the next constructor finds or makes its object. Not an option, since a program's subclass may
 * have other options.
 * @type {Partial<Found> | undefined}
 */
let given;

/**
 * @param {Partial<Found> & { shape: any }} place that the object keeps. Pass a literal: a spread that adds a property
 *     takes four times the memory
 * @param {object} [options]
 */
export function construct(place, options) {
    given = place;
    try {
        return new place.shape(options);
    } finally {
        given = undefined; // the constructor may have thrown before it came to Placed
    }
}

/** True in a constructor, before super(), if from(), at() or named() has called it. @param {unknown} shape the class */
export function isPlaced(shape) {
    return given?.shape === shape;
}

/**
 * Free places of collected objects, by class: the last one, linked by `next` to the others.
 * @type {WeakMap<object, Found | undefined>}
 */
const spare = new WeakMap();

/** @type {FinalizationRegistry<Found>} */
const collected = new FinalizationRegistry((found) => {
    const { attachment, byteOffset, shape, isKnown } = found;
    const queues = [...(attachment.queues.get(byteOffset)?.values() ?? [])];
    if (queues.some(({ isIdle, lasting }) => !isIdle || lasting)) {
        collected.register({}, found); // try again after the next collection
    } else if (!isKnown) {
        queues.forEach((queue) => queue.free());
        attachment.queues.delete(byteOffset);
        found.isNew = true;
        found.next = spare.get(shape);
        spare.set(shape, found);
    }
});

/**
 * @param {Attachment} base of the space
 * @param {typeof Placed} shape
 * @param {Adapt} adapt
 * @returns {Found}
 */
function placeIn(base, shape, adapt) {
    const attachment = adapt(base);
    return { attachment, byteOffset: allocateApart(attachment, shape.BYTES, shape.ALIGN), shape };
}

/** @param {typeof Placed} shape @param {Adapt} adapt */
function placeByDefault(shape, adapt) {
    const found = spare.get(shape);
    spare.set(shape, found?.next);
    try {
        return found ?? placeIn(defaultSpace(), shape, adapt);
    } catch {
        return placeIn(defaultSpace(true), shape, adapt);
    }
}

/**
 * Checks a name that only messages show, of an object without a given space.
 * @param {unknown} name
 * @returns {undefined}
 */
function checkName(name) {
    if (typeof name !== 'string') {
        throw valueError('HF_BAD_NAME', 'A name must be a string', name);
    }
}

/** @param {any} space @throws {HoldfastError} `HF_BAD_OPTION` */
function namesOf(space) {
    const names = attachments.get(space)?.names;
    if (!names) {
        throw optionError('Pass a LockSpace: Mutex.named(space, name).');
    }
    return names;
}

/**
 * @param {any} Class
 * @param {{ memory: WebAssembly.Memory, byteOffset: unknown, name?: string }} handle
 * @param {object} [options]
 * @param {boolean} [isNew] whether to make a new object there
 */
export function madeAt(Class, { memory, byteOffset, name }, options, isNew) {
    const place = {
        shape: Class,
        attachment: attach(memory),
        byteOffset,
        kind: Class.KIND,
        name,
        isNew,
    };
    return construct(place, options);
}

/** Returns an object's place, for its class. @type {(object: Placed<any>) => Found} */
export let foundFor;

/**
 * The lock of an object, as an object of another class. Errors use the first class's name.
 * @template {new (...args: any) => Placed<any>} Class
 * @param {Class} Class
 * @param {Placed<any>} object
 * @returns {InstanceType<Class>}
 */
export function sameAs(Class, object) {
    return construct({ ...foundFor(object), shape: Class, isNew: false });
}

/** The memory of an object, for its class. @param {Placed<any>} object */
export function attachmentFor(object) {
    return foundFor(object).attachment;
}

/**
 * The offset, for the object's class: unlike `byteOffset`, it does not count as shown to the program.
 * @param {Placed<any>} object
 * @returns {number}
 */
export function offsetFor(object) {
    return foundFor(object).byteOffset;
}

/**
 * An object at a place in shared memory that other threads use too: the base of all lock classes.
 * @template {string} [Kind=string]
 */
export class Placed {
    /** @type {string} The kind in handles of this class. */
    static KIND;
    /** @type {number} Bytes of shared memory that an object takes. */
    static BYTES;
    /** @type {number} Addresses of objects are multiples of this. */
    static ALIGN;

    /** @type {Found} */
    #found;

    static {
        foundFor = (object) => object.#found;
    }

    /**
     * @param {readonly any[]} args arguments of the constructor: its options
     * @param {(options: any) => Write} [prepare] checks the options of a new one
     * @param {Adapt} [adapt]
     * @param {readonly string[]} [names] of the class's own options
     */
    constructor([options = {}, second], prepare, adapt = Object, names = []) {
        const shape = /** @type {typeof Placed} */ (this.constructor);
        checkForm(options, shape.KIND, second);
        const place = given?.shape === shape ? given : undefined;
        given = undefined; // `prepare` may make another object
        if (Object.hasOwn(shape, 'BYTES')) {
            checkOptions(options, place ? names : [...names, 'space', 'name']); // not a program's subclass
        }
        const { name, space = place?.space } = options;
        const base = attachments.get(space);
        if (space && !base) {
            throw valueError(
                'HF_BAD_OPTION',
                'space must be a LockSpace of this copy of holdfast, as from LockSpace.from(handle)',
                space,
            );
        }
        const there = /** @type {Found | undefined} */ (place?.attachment && place);
        const isOwn = !there && !base;
        const write = there && !there.isNew ? undefined : prepare?.(options);
        const giveName =
            name === undefined ? undefined : (isOwn ? checkName : namesOf(space).naming)(name, shape.KIND);
        if (there) {
            there.attachment = adapt(there.attachment, there.isNew);
        }
        const found = there ?? (base ? placeIn(base, shape, adapt) : placeByDefault(shape, adapt));
        const { attachment, byteOffset } = found;
        attachment.check(byteOffset, shape.BYTES, shape.ALIGN);
        this.#found = found;
        found.kind ??= shape.KIND;
        if (found.isNew) {
            new Uint8Array(attachment.memory.buffer, byteOffset, attachment.bytesFor(shape.BYTES)).fill(0);
        }
        if (isOwn) {
            found.name = name; // also if undefined: a reused place has its former object's name
            collected.register(this, found);
        }
        write?.(attachment.exports, byteOffset);
        giveName?.(/** @type {Attachment} */ (base), byteOffset); // last: other threads find the object by its name
    }

    /**
     * The object of that name in a space. The first thread that asks makes it.
     *
     * Each call of `named`, `at` and `from` makes another JavaScript object for the same lock: compare `memory` and
     * `byteOffset`.
     * Blocks: never. Callable from: any thread.
     * @template {new (...args: any) => Placed<any>} Class
     * @this {Class}
     * @param {import('../lock-space.js').LockSpace} space
     * @param {string} name 1 to 32 bytes of UTF-8
     * @param {OwnOptions<Class>} [options] the constructor's, used if the object is new
     * @returns {InstanceType<Class>}
     * @throws {HoldfastError} `HF_BAD_NAME` if the name is not valid, or an object of another class has it;
     *     `HF_BAD_OPTION`, `HF_NO_SPACE`
     */
    static named(space, name, options) {
        return namesOf(space).named(this, space, name, options);
    }

    /**
     * The object at an address of a program's own shared memory. Bytes that are all zero are a valid object already,
     * and so is an object made in C. If the memory was used for something else before, give options to make a new
     * object, at least `{}`.
     *
     * Pass the same WebAssembly.Memory object each time in one thread. A memory that was posted twice arrives as two
     * objects that look unrelated, so this thread's requests through them do not queue behind each other. After
     * `LockSpace.attach(memory, { threads })` either will do.
     * Blocks: never. Callable from: any thread.
     * @template {new (...args: any) => Placed<any>} Class
     * @this {Class}
     * @param {WebAssembly.Memory} memory shared
     * @param {number} byteOffset a multiple of `ALIGN`, not 0
     * @param {OwnOptions<Class>} [options] the constructor's, if it has any: makes a new object there; no thread may
     *     be using that place
     * @returns {InstanceType<Class>}
     * @throws {HoldfastError} `HF_BAD_ADDRESS`, `HF_NOT_SHARED`, `HF_BAD_MEMORY`, `HF_NO_WEBASSEMBLY`,
     *     `HF_BAD_OPTION`, and as the constructor
     */
    static at(memory, byteOffset, options) {
        const Class = /** @type {any} */ (this);
        return madeAt(Class, { memory, byteOffset }, options, options !== undefined);
    }

    /**
     * Returns the object of a handle that another thread posted. Blocks: never. Callable from: any thread.
     * @template {new (...args: any) => Placed<any>} Class
     * @this {Class}
     * @param {InstanceType<Class>['handle']} handle
     * @returns {InstanceType<Class>}
     * @throws {HoldfastError} `HF_BAD_HANDLE`, and as `at`
     */
    static from(handle) {
        const Class = /** @type {any} */ (this);
        return madeAt(Class, checkHandle(handle, Class.KIND));
    }

    /**
     * For `postMessage` and `from`.
     * @returns {Readonly<Handle<Kind>>}
     * @throws {HoldfastError} `HF_NOT_ISOLATED` on a page that cannot share memory
     */
    get handle() {
        requireSharing();
        const { KIND } = /** @type {typeof Placed} */ (this.constructor);
        const { name } = this;
        return Object.freeze({
            holdfast: /** @type {Kind} */ (KIND),
            memory: this.memory,
            byteOffset: this.byteOffset,
            ...(name && { name }),
        });
    }

    /**
     * The object's name, from its options, its handle, or its space if this thread has the `LockSpace`; '' if it has
     * none.
     */
    get name() {
        return lockOf(this.#found).name;
    }

    /** The object's offset in its memory. */
    get byteOffset() {
        this.#found.isKnown = true;
        return this.#found.byteOffset;
    }

    /** The memory that contains the object. */
    get memory() {
        return this.#found.attachment.memory;
    }
}
