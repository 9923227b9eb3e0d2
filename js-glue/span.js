/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { environment } from './environment.js';
import { isThenable } from './section.js';

/** @typedef {import('./lock-timeline.js').Outcome} Outcome */

/**
 * The promises that callers were given instead of those of the traced methods. A request knows its own only, and a
 * callback that returns that of a nested one is an error, traced or not.
 *
 * @type {WeakMap<object, Promise<unknown>>}
 */
const originals = new WeakMap();

/**
 * What a callback returned, as the method would have it that is traced.
 *
 * @param {PromiseLike<unknown>} result
 */
function originalOf(result) {
    const original = originals.get(result);
    if (original === undefined) {
        return Promise.resolve(result); // since the `then` of a thenable may be called only once
    }
    result.then(undefined, () => {}); // the section that awaits the original sees to its error
    return original;
}

/**
 * How a wait ended that came to that error, if it was one.
 *
 * @param {any} error
 * @param {AbortSignal | undefined} signal
 * @returns {Outcome | undefined}
 */
function outcomeOf(error, signal) {
    if (error?.code === 'HF_TIMEOUT') {
        return 'timed out';
    }
    return signal?.aborted ? 'aborted' : undefined;
}

/**
 * One use of a lock by one method, from the call on: a wait, and often a hold. Times are taken as they come and written
 * down in the end, so the lock is not held any longer because somebody looks.
 */
export class Span {
    #timeline;
    #deed;
    /** @type {AbortSignal | undefined} */
    #signal;
    #asked = environment.now();
    /** @type {number | undefined} */
    #got;
    /** @type {number | undefined} */
    #end;

    /**
     * @param {import('./lock-timeline.js').LockTimeline} timeline
     * @param {string} method
     * @param {any} [options] of the method; of no matter what type, for that is the method's business
     */
    constructor(timeline, method, options) {
        this.#timeline = timeline;
        this.#deed = options?.mode === 'shared' ? { method, mode: options.mode } : { method };
        this.#signal = options?.signal;
    }

    /** The wait is over, and what was waited for is got. */
    begin() {
        this.#got = environment.now();
    }

    /** The hold is over. @param {number} [time] */
    end(time = environment.now()) {
        this.#end = time;
    }

    /** @param {Outcome} [outcome] of the wait */
    write(outcome = 'got') {
        const got = this.#got ?? environment.now();
        this.#timeline.add('wait', this.#asked, got, { ...this.#deed, outcome });
        if (this.#end !== undefined) {
            this.#timeline.add('hold', got, this.#end, this.#deed);
        }
    }

    /** @param {unknown} error that the method came to, or its callback */
    writeError(error) {
        const outcome = this.#got === undefined ? outcomeOf(error, this.#signal) : 'got';
        if (outcome !== undefined) {
            this.write(outcome);
        }
    }

    /**
     * What to give to the method in the place of its callback.
     *
     * @param {unknown} callback or what stands there if the method takes none
     */
    around(callback) {
        return typeof callback === 'function' ? () => this.#run(callback) : callback;
    }

    /**
     * The same for a method that awaits what its callback returns.
     *
     * @param {unknown} callback
     */
    aroundAsync(callback) {
        return typeof callback === 'function' ? () => this.#untilSettled(this.#run(callback)) : callback;
    }

    /** @param {Function} callback */
    #run(callback) {
        this.begin();
        try {
            return callback();
        } finally {
            this.end();
        }
    }

    /**
     * The hold lasts until then, if that is a promise.
     *
     * @param {unknown} result
     */
    #untilSettled(result) {
        if (!isThenable(result)) {
            return result;
        }
        const promise = originalOf(/** @type {PromiseLike<unknown>} */ (result));
        void this.#endWith(promise); // before the method awaits it: the next hold begins when that does
        return promise;
    }

    /** @param {Promise<unknown>} promise */
    async #endWith(promise) {
        try {
            await promise;
        } catch {
            // That is for the one who made the request.
        }
        this.end();
    }

    /**
     * What to give to the caller in the place of the method's promise: it settles in the same way, and nobody has handled
     * an error of it yet.
     *
     * @template T
     * @param {Promise<T>} promise
     * @param {(value: T) => T} done sees to the rest
     */
    follow(promise, done) {
        const followed = promise.then(done, (error) => {
            this.writeError(error);
            throw error;
        });
        originals.set(followed, promise);
        return followed;
    }
}
