/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
// The type of Symbol.dispose, for programs that are checked for older libraries.
/// <reference lib="esnext.disposable" preserve="true" />
import { HoldfastError } from '../errors.js';
import { lasts, lastsNoLonger } from '../thread/window.js';

/**
 * WebKit has no Symbol.dispose: there it is the name that compilers of `using` call.
 *
 * @type {typeof Symbol.dispose}
 */
const dispose = /** @type {any} */ (Symbol.dispose ?? Symbol.for('Symbol.dispose'));

/**
 * A lock or permits that are held, as an object: for code where one place takes them and another gives them back, and for
 * `using`, where the runtime has that.
 */
export class Guard {
    /** @type {import('./section.js').Section | undefined} */
    #section;

    /** @param {import('./section.js').Section} section that ends as the guard is released */
    constructor(section) {
        lasts(section);
        this.#section = section;
    }

    /** Whether it was released, or a condition's wait has ended without the mutex that it held. */
    get released() {
        return this.#section?.isLost ?? true;
    }

    /**
     * Releases the lock, or gives the permits back. If a condition's wait has ended without the mutex, and said so by its error,
     * nothing is left to do.
     *
     * Blocks: never. Callable from: the thread that got the guard.
     *
     * @throws {HoldfastError} `HF_NOT_OWNER` if that was done before, or if something else has released the lock;
     *     `HF_OVERFLOW` if other code has left a semaphore so often that the permits cannot be given back
     */
    release() {
        const section = this.#section;
        if (section === undefined) {
            throw new HoldfastError('HF_NOT_OWNER', 'This guard was released before.');
        }
        const error = section.leave(); // may find no stack: then the guard is not released
        this.#section = undefined;
        lastsNoLonger(section);
        if (error !== undefined) {
            throw error;
        }
    }

    /** Releases, unless that was done; what `using` calls at the end of its block. */
    [dispose]() {
        if (this.#section !== undefined) {
            this.release();
        }
    }
}
