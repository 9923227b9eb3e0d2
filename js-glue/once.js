/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { checkMayBlock } from './thread/capabilities.js';
import { isAbandoned } from './errors.js';
import { ONCE_ALIGN, ONCE_BYTES } from './memory/layout.js';
import { Mutex } from './mutex.js';
import { checkCallback, checkNoLimit, checkWait } from './options.js';
import { callersClock } from './thread/environment.js';
import { addFamily } from './memory/family.js';
import { attachmentFor, offsetFor, Placed, sameAs } from './memory/placed.js';
import { promised, settled } from './thread/event-loop.js';
import { lockError } from './waiting/about.js';
import { MUTEX } from './waiting/gate.js';
import { queueOf } from './waiting/queue-of.js';
import { isThenable, notAsync } from './waiting/section.js';

/** @typedef {import('./waiting/section.js').GateQueue} MutexQueue */

/** The objects whose callbacks are running, the innermost last. @type {Once[]} */
const calling = [];

/**
 * Runs a callback once, in whichever thread comes first; the others wait until it has ended. If the callback
 * throws, the object stays undone, and the next caller or waiter runs its own callback.
 *
 * ```js
 * const once = new Once();
 * worker.postMessage({ once: once.handle });
 * await once.runAsync(() => fillTable());
 * ```
 * @extends {Placed<'Once'>}
 */
export class Once extends Placed {
    static KIND = 'Once';
    static BYTES = ONCE_BYTES;
    static ALIGN = ONCE_ALIGN;

    /** @type {import('./memory/attachment.js').Attachment} */
    #attachment;
    /** Held while the callback runs. @type {Mutex} */
    #mutex;

    /**
     * Makes a new object, not done. Blocks: never. Callable from: any thread.
     * @overload
     * @param {import('./memory/placed.js').PlaceOptions} [options]
     * @throws {HoldfastError} `HF_NO_SPACE`; `HF_NO_WEBASSEMBLY`; `HF_NO_ALLOCATOR` in another program's memory
     */
    /** @param {any[]} args */
    constructor(...args) {
        super(args, undefined, addFamily);
        this.#attachment = attachmentFor(this);
        this.#mutex = sameAs(Mutex, this);
    }

    /** `true` if a callback has succeeded. Its effects are visible then. */
    get isDone() {
        return this.#attachment.exports.once_is_done(offsetFor(this)) !== 0;
    }

    /**
     * Runs the callback, unless a callback has already succeeded, in whatever thread.
     * Blocks: while another thread runs its callback, without limit (`runAsync()` has one). Callable from: workers,
     * and Node's main thread; once it is done, any thread.
     * @template T
     * @overload
     * @param {() => import('./waiting/section.js').NotAsync<T>} callback not async: use `runAsync` for that
     * @returns {boolean} whether this call ran it
     * @throws {HoldfastError} `HF_MAY_NOT_BLOCK` where blocking is not allowed; `HF_DEADLOCK` if this thread is
     *     running its callback; `HF_BAD_CALLBACK` if the callback is not a function, or returns a promise; and
     *     whatever it throws
     */
    /** @param {() => any} callback @param {unknown} [limit] */
    run(callback, limit) {
        checkNoLimit(limit, 'runAsync()');
        checkCallback(callback);
        if (this.isDone) {
            return false;
        }
        checkMayBlock('runAsync()');
        const { exports, self } = this.#attachment;
        if (exports.owned_is_by(offsetFor(this), self)) {
            throw nestedError(this.#queue());
        }
        const mayRun = new Permission();
        for (;;) {
            try {
                return this.#mutex.exec(() => {
                    mayRun.isUsed = true;
                    if (this.isDone) {
                        return false;
                    }
                    const queue = this.#queue();
                    notAsync(this.#call(callback), 'The callback returned a promise. Use runAsync().');
                    return this.#end(queue);
                });
            } catch (error) {
                mayRun.throwUnlessAbandoned(error);
                this.#mutex.recover(nothing);
            }
        }
    }

    /**
     * Runs the callback once, as `run()` does, without blocking. If the callback returns a promise, the object is
     * done when the promise is fulfilled.
     *
     * A callback that calls this again before its first `await` gets `HF_DEADLOCK`. Later calls look like those of
     * other code: a callback that waits for one of its own never ends.
     * Blocks: never. Callable from: any thread; in an audio worklet only if no other thread runs its callback.
     * @param {() => unknown} callback
     * @param {import('./options.js').WaitOptions} [options] end the wait for another thread, never the callback
     * @returns {Promise<boolean>} whether this call ran it. Rejects as `Mutex.execAsync` does.
     */
    runAsync(callback, options) {
        return promised(() => {
            checkCallback(callback);
            if (calling.some((once) => this.#isSame(once))) {
                throw nestedError(this.#queue());
            }
            return this.isDone
                ? settled(Promise.resolve(false))
                : this.#runAsync(callback, waitsUntil(options));
        });
    }

    /** @param {() => unknown} callback @param {() => import('./options.js').WaitOptions} nextWait */
    async #runAsync(callback, nextWait) {
        const mayRun = new Permission();
        do {
            try {
                return await this.#mutex.execAsync(() => {
                    mayRun.isUsed = true;
                    return this.#runHeld(callback);
                }, nextWait());
            } catch (error) {
                mayRun.throwUnlessAbandoned(error);
                await this.#mutex.recoverAsync(nothing, nextWait());
            }
        } while (!this.isDone);
        return false;
    }

    /** @param {Once} other */
    #isSame(other) {
        return other.#attachment === this.#attachment && offsetFor(other) === offsetFor(this);
    }

    /** @param {() => unknown} callback */
    #call(callback) {
        calling.push(this);
        try {
            return callback();
        } finally {
            calling.pop();
        }
    }

    /** @param {() => unknown} callback @returns {any} whether the callback ran, or a promise of that */
    #runHeld(callback) {
        if (this.isDone) {
            return false;
        }
        const queue = this.#queue();
        const result = this.#call(callback);
        return isThenable(result) ? this.#settle(queue, result) : this.#end(queue);
    }

    /** @param {MutexQueue} queue @param {unknown} promise */
    async #settle(queue, promise) {
        await promise;
        return this.#end(queue);
    }

    /** @param {MutexQueue} queue the mutex's when the callback was called: the callback may have freed it */
    #end(queue) {
        if (!queue.isFreed) {
            this.#attachment.exports.once_set_done(offsetFor(this));
        }
        return true;
    }

    #queue() {
        return queueOf(this, MUTEX);
    }
}

/**
 * Returns the options of consecutive waits with one common limit.
 * @param {import('./options.js').WaitOptions | undefined} options
 * @returns {() => import('./options.js').WaitOptions} the options of the next wait
 */
function waitsUntil(options) {
    const { timeout, signal } = checkWait(options);
    const now = callersClock();
    /** @type {number | undefined} */
    let began; // set at the first wait, so that its error names the limit as given
    return () => {
        const time = now();
        began ??= time;
        return { timeout: timeout - Math.floor(time - began), signal };
    };
}

/** The repair after a death in a callback: nothing to do, since the object is not done. */
function nothing() {}

/** Notes that the callback was called. From then on its errors pass unchanged, and it is not called again. */
class Permission {
    isUsed = false;

    /** @param {unknown} error */
    throwUnlessAbandoned(error) {
        if (this.isUsed || !isAbandoned(error)) {
            throw error;
        }
    }
}

/** @param {MutexQueue} queue */
function nestedError({ gate }) {
    return lockError(
        gate,
        'HF_DEADLOCK',
        'This thread already runs %, so the wait would never end. Let the callback end first.',
    );
}
