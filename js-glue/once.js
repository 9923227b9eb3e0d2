/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { checkMayBlock } from './agent.js';
import { ONCE_ALIGN, ONCE_BYTES } from './layout.js';
import { Mutex } from './mutex.js';
import { checkCallback } from './options.js';
import { attachmentFor, Placed } from './placed.js';
import { asyncCallbackError, isThenable } from './section.js';

/**
 * Something that is done once, by whichever thread comes first; the others wait until it is done. If the callback throws,
 * it is not done, and the next one that comes, or that waits, runs its own.
 *
 * ```js
 * const once = new Once();
 * worker.postMessage({ once: once.handle });
 * await once.runAsync(() => fillTable());
 * ```
 *
 * @extends {Placed<'Once'>}
 */
export class Once extends Placed {
    static KIND = 'Once';
    static BYTES = ONCE_BYTES;
    static ALIGN = ONCE_ALIGN;

    /** @type {import('./attachment.js').Attachment} */
    #attachment;
    /** What the thread holds that does it. @type {Mutex} */
    #mutex;

    /**
     * Makes a new one, which is not done.
     *
     * Blocks: never. Agents: any.
     *
     * @param {import('./lock-space.js').LockSpace} [space] where it lives; by default a space of this thread's
     * @throws {HoldfastError} `HF_NO_SPACE`, or `HF_NO_ALLOCATOR` for a space that is another program's memory
     */
    constructor(space) {
        super(space);
        this.#attachment = attachmentFor(this);
        this.#mutex = Mutex.at(this.memory, this.byteOffset);
    }

    /** Whether it is done. What was done is visible then. */
    get isDone() {
        return this.#attachment.exports.once_is_done(this.byteOffset) !== 0;
    }

    /**
     * Runs the callback, unless that was done before, in whatever thread.
     *
     * Blocks: while another thread does it, without limit. Agents: workers, and Node's main thread; any if it is done.
     *
     * @param {() => unknown} callback not async: use `runAsync` for that
     * @returns {boolean} whether this call ran it
     * @throws {HoldfastError} `HF_MAY_NOT_BLOCK` where blocking is not allowed; `HF_DEADLOCK` if this thread is doing it;
     *     `HF_BAD_CALLBACK` if the callback is no function or returns a promise; and what the callback throws
     */
    run(callback) {
        checkCallback(callback);
        if (this.isDone) {
            return false;
        }
        checkMayBlock('run()', 'runAsync()');
        return this.#mutex.exec(() => {
            if (this.isDone) {
                return false;
            }
            if (isThenable(callback())) {
                throw asyncCallbackError('run()', 'runAsync()');
            }
            return this.#end();
        });
    }

    /**
     * The same without blocking. If the callback returns a promise, it is done when that is fulfilled.
     *
     * Blocks: never. Agents: any; an audio worklet only if nobody else does it.
     *
     * @param {() => unknown} callback
     * @param {import('./options.js').WaitOptions} [options] end the wait for another thread, never the callback
     * @returns {Promise<boolean>} of whether this call ran it. Rejects as `Mutex.executeLocked` does.
     */
    async runAsync(callback, options) {
        checkCallback(callback);
        return !this.isDone && this.#mutex.executeLocked(() => this.#runHeld(callback), options);
    }

    /**
     * @param {() => unknown} callback
     * @returns {any} whether it ran, or a promise of that
     */
    #runHeld(callback) {
        if (this.isDone) {
            return false;
        }
        const result = callback();
        return isThenable(result) ? this.#settle(result) : this.#end();
    }

    /** @param {unknown} promise */
    async #settle(promise) {
        await promise;
        return this.#end();
    }

    #end() {
        this.#attachment.exports.once_set_done(this.byteOffset);
        return true;
    }
}
