/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { environment } from '../thread/environment.js';
import { isTimeout } from '../errors.js';
import { standsFor } from '../waiting/request.js';
import { isThenable } from '../waiting/section.js';

/** @typedef {import('./lock-timeline.js').Outcome} Outcome */

/**
 * A property of a method's options, without running code of the program, which may throw and is for the method to run:
 * so one that has a getter is not seen.
 *
 * @param {unknown} options of no matter what type, for that is the method's business
 * @param {string} name
 * @returns {any}
 */
function peek(options, name) {
    if (typeof options !== 'object') {
        return undefined;
    }
    try {
        for (let object = options; object !== null; object = Object.getPrototypeOf(object)) {
            const found = Object.getOwnPropertyDescriptor(object, name);
            if (found !== undefined) {
                return found.value;
            }
        }
    } catch {
        // A proxy may refuse to be looked at.
    }
    return undefined;
}

/**
 * How a wait ended that came to that error, if it was one.
 *
 * @param {unknown} error
 * @param {AbortSignal | undefined} signal
 * @returns {Outcome | undefined}
 */
function outcomeOf(error, signal) {
    if (isTimeout(error)) {
        return 'timed out';
    }
    try {
        return signal?.aborted ? 'aborted' : undefined;
    } catch {
        return undefined; // a signal of the program's own making
    }
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
     * @param {unknown} [options] of the method
     */
    constructor(timeline, method, options) {
        this.#timeline = timeline;
        const mode = peek(options, 'mode');
        this.#deed = mode === 'shared' ? { method, mode } : { method };
        this.#signal = peek(options, 'signal');
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
        // The promise itself if it is one; else, since the `then` of a thenable may be called only once, another.
        const promise = Promise.resolve(result);
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
        standsFor(followed, promise);
        return followed;
    }
}
